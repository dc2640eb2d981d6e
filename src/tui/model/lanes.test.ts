import { expect, test } from 'vitest';
import { deleteAPod } from '../fixtures/delete-a-pod.ts';
import { JA_TELLING } from '../words/telling-ja.ts';
import { chooseLanes, lanesOf, stageEvent } from './lanes.ts';
import { rowsOf } from './rows.ts';
import { entryAt } from './run-view.ts';
import { Timeline } from './timeline.ts';

test('lanes stand in the order of a request; etcd and container runtimes stand behind their only callers', () => {
  expect(lanesOf(['kubelet/n2', 'etcd', 'kube-scheduler', '', 'containerd/n1', 'my-operator', 'kube-proxy/n1', 'kube-apiserver'])).toEqual([
    'kubectl',
    'kube-apiserver',
    'kube-scheduler',
    'kubelet/n1',
    'kubelet/n2',
    'kube-proxy/n1',
    'my-operator',
  ]);
});

test('with little room, the lanes that act stay', () => {
  const run = deleteAPod();
  const timeline = new Timeline(run);
  const rows = rowsOf(timeline, false);
  const lanes = lanesOf(timeline.actors);
  const last = rows.rowOf(83);
  expect(chooseLanes(run, lanes, { rows, first: last - 2, last, max: 3 })).toEqual(['kube-apiserver', 'kube-scheduler', 'kubelet/n2']);
  expect(chooseLanes(run, lanes, { rows, first: 0, last, max: 20 })).toEqual(lanes);
});

test('what an entry looks like between the lanes', () => {
  const run = deleteAPod();
  const drawn = [64, 66, 68, 69, 72, 80].map((seq) => {
    const entry = entryAt(run, seq);
    const { from, to, style, label } = entry ? stageEvent(run, entry) : { from: '', to: '', style: '', label: '' };
    return `${from} > ${to} (${style}) ${label}`;
  });
  expect(drawn).toEqual([
    'kubectl > kubectl (input) kubectl delete pod web-6f-aaaaa',
    'kubectl > kube-apiserver (request) update Pod/web-6f-aaaaa',
    'kube-apiserver > kube-controller-manager (watch) MODIFIED Pod/web-6f-aaaaa',
    'kube-controller-manager > kube-controller-manager (local) reconcile web-6f (replicaset)',
    'kubelet/n1 > kubelet/n1 (local) sent SIGTERM to container nginx of Pod web-6f-aaaaa',
    'kube-scheduler > kube-apiserver (request) update Pod/web-6f-ddddd binding',
  ]);
});

test('labels of both languages', () => {
  const run = deleteAPod();
  const end = {
    seq: 1,
    time: 0,
    actor: 'kube-controller-manager',
    cause: 0,
    kind: 'reconcile',
    controller: 'replicaset',
    key: 'default/web',
    what: 'end',
  } as const;
  const failed = { ...end, result: 'Operation cannot be fulfilled: the object has been modified' };
  expect([end, failed].flatMap((entry) => [stageEvent(run, entry).label, stageEvent(run, entry, JA_TELLING).label])).toEqual([
    'done web (replicaset)',
    '完了 web (replicaset)',
    'retry web (replicaset): it was changed meanwhile',
    '再試行 web (replicaset): その間に変わっていました',
  ]);
});
