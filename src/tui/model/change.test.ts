import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../api/object.ts';
import { EN_TELLING } from '../words/telling-en.ts';
import { ArrayRunView } from './array-run-view.ts';
import { describeChange } from './change.ts';
import { displayName } from './field.ts';
import type { WriteEntry } from './run-view.ts';

type Fields = Record<string, unknown>;

/** What is said of a write of one object, and of the state that it leads to. */
function words(kind: string, before: Fields | undefined, after: Fields | undefined, subresource?: string): string[] {
  const object = { group: '', resource: kind.toLowerCase(), kind, namespace: 'default', name: 'x' };
  const whole = (fields: Fields): KubernetesObject => ({ kind, ...fields, metadata: { name: 'x', ...(fields.metadata as object) } });
  const versions = [
    { reference: object, revision: 1, object: before && whole(before) },
    { reference: object, revision: 2, object: after && whole(after) },
  ];
  const write: WriteEntry = {
    seq: 1,
    time: 0,
    actor: 'kube-apiserver',
    cause: 0,
    kind: 'write',
    verb: after ? (before ? 'update' : 'create') : 'delete',
    object,
    user: 'system:kube-scheduler',
    revision: 2,
    ...(before ? { previous: 1 } : {}),
    ...(subresource ? { subresource } : {}),
  };
  const change = describeChange(new ArrayRunView({ entries: [write], epoch: 0, versions }), write);
  return [EN_TELLING.sentence(change, displayName(object)), change.state];
}

const ready = (status: string) => ({ status: { phase: 'Running', conditions: [{ type: 'Ready', status }] } });

describe('a write in words', () => {
  test('creation', () => {
    const ownerReferences = [{ kind: 'Deployment', name: 'web', controller: true }];
    expect(words('ReplicaSet', undefined, { metadata: { ownerReferences }, spec: { replicas: 1 } })).toEqual([
      'created ReplicaSet x with 1 replica for Deployment web',
      'ReplicaSet x was created',
    ]);
    expect(words('Service', undefined, { spec: { clusterIP: '10.96.0.7' } })[0]).toBe('created Service x with address 10.96.0.7');
    expect(words('Node', undefined, {})[0]).toBe('registered Node x');
  });

  test('deletion, in its stages', () => {
    const marked = { metadata: { deletionTimestamp: 'then', deletionGracePeriodSeconds: 30 } };
    expect(words('Pod', {}, marked)).toEqual(['marked Pod x for deletion, with 30 s to stop', 'Pod x is being deleted']);
    expect(words('Pod', marked, { metadata: { deletionTimestamp: 'then', deletionGracePeriodSeconds: 0 } })[0]).toBe(
      'cut the time to stop of Pod x to 0 s',
    );
    expect(words('Pod', marked, undefined)).toEqual(['removed Pod x for good', 'Pod x is gone']);
    expect(words('ConfigMap', {}, undefined)[0]).toBe('removed ConfigMap x');
    const held = { metadata: { deletionTimestamp: 'then', finalizers: ['example.com/a'] } };
    expect(words('Widget', {}, held)[0]).toBe('marked Widget x for deletion; it stays until example.com/a is taken off');
    expect(words('Widget', { metadata: { finalizers: ['example.com/a'] } }, { metadata: {} })[0]).toBe(
      'took finalizer off Widget x: example.com/a',
    );
  });

  test('pods', () => {
    expect(words('Pod', { spec: {} }, { spec: { nodeName: 'n1' } }, 'binding')).toEqual([
      'assigned Pod x to node n1',
      'Pod x was assigned to node n1',
    ]);
    expect(words('Pod', ready('False'), ready('True'), 'status')).toEqual(['reported Pod x as ready', 'Pod x is ready']);
    const unschedulable = {
      status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', message: '0/1 nodes are available' }] },
    };
    expect(words('Pod', {}, unschedulable, 'status')[0]).toBe('reported that it found no node for Pod x: 0/1 nodes are available');
    const waiting = {
      status: { phase: 'Running', containerStatuses: [{ restartCount: 1, state: { waiting: { reason: 'CrashLoopBackOff' } } }] },
    };
    expect(words('Pod', { status: { phase: 'Running' } }, waiting, 'status')[0]).toBe(
      'reported Pod x as CrashLoopBackOff, restarted 1 time',
    );
  });

  test('workloads', () => {
    expect(words('Deployment', { spec: { replicas: 3 } }, { spec: { replicas: 1 } })).toEqual([
      'scaled Deployment x from 3 to 1',
      'Deployment x now wants 1 pod',
    ]);
    const image = (name: string) => ({ spec: { replicas: 1, template: { spec: { containers: [{ image: name }] } } } });
    expect(words('Deployment', image('a:1'), image('a:2'))[0]).toBe('changed the pod template of Deployment x (image a:2)');
    expect(
      words('ReplicaSet', { spec: { replicas: 3 } }, { spec: { replicas: 3 }, status: { readyReplicas: 2, replicas: 3 } }, 'status')[0],
    ).toBe('updated the status of ReplicaSet x: 2 of 3 ready, 3 in all');
    expect(words('Job', {}, { status: { active: 1 } }, 'status')[0]).toBe('updated the status of Job x: 1 active, 0 succeeded, 0 failed');
  });

  test('nodes', () => {
    expect(words('Node', ready('True'), ready('Unknown'), 'status')[0]).toBe('reported Node x as Unknown (no heartbeat)');
    expect(words('Node', { spec: {} }, { spec: { taints: [{ key: 'a', effect: 'NoExecute' }] } })[0]).toBe(
      'tainted Node x with a:NoExecute',
    );
    expect(words('Node', { spec: {} }, { spec: { unschedulable: true } })[0]).toBe('cordoned Node x');
  });

  test('endpoints', () => {
    const slice = (...endpoints: [string, boolean][]) => ({
      endpoints: endpoints.map(([name, isReady]) => ({ addresses: [name], conditions: { ready: isReady }, targetRef: { name } })),
    });
    expect(words('EndpointSlice', slice(['a', true], ['b', true]), slice(['a', false], ['c', true]))[0]).toBe(
      'updated EndpointSlice x: a is not ready, added c (ready), took out b',
    );
  });

  test('anything else: what has changed, and conditions first', () => {
    expect(words('Widget', { spec: { a: 1 } }, { spec: { a: 2 } })).toEqual(['updated Widget x (spec.a)', 'Widget x changed (spec.a)']);
    expect(words('Widget', { metadata: { annotations: {} } }, { metadata: { annotations: { k: 'v' } } })[0]).toBe(
      'updated Widget x (annotation k)',
    );
    expect(words('Widget', {}, { status: { conditions: [{ type: 'Ready', status: 'True', reason: 'Done' }] } }, 'status')[0]).toBe(
      'reported on Widget x: Ready=True (Done)',
    );
    expect(words('Widget', { status: {} }, { status: { observedGeneration: 2 } }, 'status')[0]).toBe(
      'updated the status of Widget x: it has seen generation 2',
    );
  });
});
