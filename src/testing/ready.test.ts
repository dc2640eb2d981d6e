import { expect, it } from 'vitest';
import type { KubernetesObject } from '../api/object.ts';
import { isReady } from './ready.ts';

const object = (kind: string, spec: object, status: object): KubernetesObject =>
  ({ kind, metadata: { name: 'a', generation: 2 }, ...{ spec, status } }) as KubernetesObject;
const all = (count: number) => ({
  replicas: count,
  updatedReplicas: count,
  readyReplicas: count,
  availableReplicas: count,
  observedGeneration: 2,
});

it.each<[string, boolean, KubernetesObject]>([
  ['a Deployment whose pods are all new and available', true, object('Deployment', { replicas: 3 }, all(3))],
  [
    'a Deployment whose controller has not seen the change',
    false,
    object('Deployment', { replicas: 3 }, { ...all(3), observedGeneration: 1 }),
  ],
  ['a Deployment with an old pod left', false, object('Deployment', { replicas: 3 }, { ...all(3), replicas: 4 })],
  ['a Deployment of none', true, object('Deployment', { replicas: 0 }, { observedGeneration: 2 })],
  ['a ReplicaSet with an unready pod', false, object('ReplicaSet', { replicas: 3 }, { ...all(3), readyReplicas: 2 })],
  [
    'a StatefulSet in the middle of an update',
    false,
    object('StatefulSet', { replicas: 1 }, { ...all(1), currentRevision: 'a', updateRevision: 'b' }),
  ],
  ['a StatefulSet', true, object('StatefulSet', { replicas: 1 }, { ...all(1), currentRevision: 'b', updateRevision: 'b' })],
  [
    'a DaemonSet',
    true,
    object('DaemonSet', {}, { observedGeneration: 2, desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2 }),
  ],
  ['a Pod that is not ready', false, object('Pod', {}, { conditions: [{ type: 'Ready', status: 'False' }] })],
  ['a Pod without conditions', false, object('Pod', {}, {})],
  ['a Pod', true, object('Pod', {}, { conditions: [{ type: 'Ready', status: 'True' }] })],
  ['a Job that runs', false, object('Job', {}, {})],
  ['a Job that is complete', true, object('Job', {}, { conditions: [{ type: 'Complete', status: 'True' }] })],
  ['a bound claim', true, object('PersistentVolumeClaim', {}, { phase: 'Bound' })],
  ['something without a condition Ready', true, object('ConfigMap', {}, {})],
  ['something custom that says it is not', false, object('Website', {}, { conditions: [{ type: 'Ready', status: 'False' }] })],
])('%s: %s', (_, ready, object) => {
  expect(isReady(object)).toBe(ready);
});
