import { expect, test } from 'vitest';
import { deleteAPod } from '../fixtures/delete-a-pod.ts';
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
