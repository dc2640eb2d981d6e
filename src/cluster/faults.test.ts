import { expect, it } from 'vitest';
import type { KubernetesObject } from '../api/object.ts';
import { Cluster } from './cluster.ts';
import { applyFault, checkFault } from './faults.ts';

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } } as KubernetesObject;
const event = { type: 'MODIFIED', object: pod, revision: 5 } as const;

it('loses one event that fits, unless the component crashes before', () => {
  const cluster = new Cluster({ components: ['kube-scheduler'], nodes: 0 });
  const drop = { fault: 'drop-watch-event', component: 'kube-scheduler', kind: 'Pod' } as const;
  const lost = (): boolean => cluster.network.drops('kube-scheduler', event);
  applyFault(cluster, drop);
  expect([lost(), lost()]).toEqual([true, false]);
  applyFault(cluster, { ...drop, kind: 'Node' });
  expect(lost()).toBe(false);
  applyFault(cluster, drop);
  applyFault(cluster, { fault: 'crash', component: 'kube-scheduler' });
  expect(lost()).toBe(false);
});

it('says what is not there', () => {
  const cluster = new Cluster({ components: ['kube-scheduler'], nodes: 0 });
  expect(checkFault(cluster, { fault: 'crash', component: 'kube-scheduler' })).toBeUndefined();
  expect(checkFault(cluster, { fault: 'crash', component: 'scheduler' })).toMatch(
    /^there is no component "scheduler"; there are etcd, kube-apiserver/,
  );
  expect(checkFault(cluster, { fault: 'stop-node', node: 'n9' })).toBe('there is no node "n9"');
});
