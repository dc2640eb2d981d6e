// Goal: the short status of an object in both languages; what Kubernetes itself says stays as it is.
import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../api/object.ts';
import { wordsOf } from '../words/words.ts';
import { shortStatus } from './object-status.ts';

const running = (ready: string, restartCount: number) => ({
  spec: { nodeName: 'n1' },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready }], containerStatuses: [{ restartCount }] },
});

test.each([
  ['Pod', running('True', 0), 'n1 Running', 'n1 Running'],
  ['Pod', running('False', 2), 'n1 Running not ready restarts 2', 'n1 Running 準備中 再起動2回'],
  ['Deployment', { spec: { replicas: 3 }, status: { readyReplicas: 1 } }, 'ready 1/3', '準備完了 1/3'],
  ['DaemonSet', { status: { numberReady: 2, desiredNumberScheduled: 2 } }, 'ready 2/2', '準備完了 2/2'],
  ['Job', { spec: { completions: 3 }, status: { succeeded: 1 } }, 'done 1/3', '完了 1/3'],
  ['CronJob', { spec: { schedule: '0 0 * * *', suspend: true } }, '0 0 * * * suspended', '0 0 * * * 一時停止中'],
  ['HorizontalPodAutoscaler', { status: { currentReplicas: 1, desiredReplicas: 5 } }, 'replicas 1/5', 'レプリカ 1/5'],
  ['PodDisruptionBudget', { status: { disruptionsAllowed: 1 } }, 'may evict 1', '退避可能1'],
  [
    'Node',
    { spec: { unschedulable: true }, status: { conditions: [{ type: 'Ready', status: 'True' }] } },
    'Ready cordoned',
    'Ready cordon済み',
  ],
  ['ConfigMap', { data: { a: '1' } }, '1 key', 'キー1個'],
  ['Secret', { data: { a: '1', b: '2' } }, '2 keys', 'キー2個'],
  ['PersistentVolumeClaim', { status: { phase: 'Bound' } }, 'Bound', 'Bound'],
])('%s %o', (kind, rest, en, ja) => {
  const object = { kind, metadata: { name: 'x' }, ...rest } as KubernetesObject;
  expect([shortStatus(object, wordsOf('en')).text, shortStatus(object, wordsOf('ja')).text]).toEqual([en, ja]);
});
