// Goal: the checks of test/faults.test.ts see what they look for. Method: a cluster without components is made wrong by hand.
import { expect, it } from 'vitest';
import type { Pod } from '../../src/api/kinds/core-v1.ts';
import { pods } from '../../src/api/resources.ts';
import { createTestCluster } from '../../src/testing/test-cluster.ts';
import { leftovers, unfinished, watchWrites } from './invariants.ts';
import { workloadManifest } from './workload-manifests.ts';

const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'gone', uid: 'b2ad3a5e-1b0f-4a7e-9d53-5f1c1f1d0a01' };
const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default', finalizers: ['example.com/stay'], ownerReferences: [owner] },
  spec: { containers: [{ name: 'main', image: 'nginx:1.27' }] },
};

it('sees lost owners, objects that stay, and work that is not done', async () => {
  const cluster = await createTestCluster({
    components: ['kube-controller-manager'],
    controllers: ['serviceaccount-controller'],
    nodes: 0,
  });
  await cluster.create(pods, pod);
  expect(leftovers(cluster)).toEqual(['Pod default/web has lost its owner']);
  await cluster.delete(pods, 'web');
  expect(leftovers(cluster)).toContain('Pod default/web is Terminating for ever');
  await cluster.apply(workloadManifest({ kind: 'Deployment', name: 'api', replicas: 2 }));
  expect(unfinished(cluster)).toEqual([
    'Deployment default/api wants 2 and has 0, 0, 0, 0',
    'Deployment default/api has not been looked at since it was changed',
  ]);
});

it('sees pods that move, phases that go back, and versions that do not fit', async () => {
  const cluster = await createTestCluster({
    components: ['kube-controller-manager'],
    controllers: ['serviceaccount-controller'],
    nodes: 0,
  });
  const problems = watchWrites(cluster.etcd);
  const created = await cluster.create(pods, pod);
  expect(problems).toEqual([]);
  const key = '/registry/pods/default/web';
  const write = (nodeName: string, phase: string, containerStatuses: object[] = []): unknown =>
    cluster.etcd
      .keyspace('/registry/pods/')
      .put(key, { ...created, spec: { ...created.spec, nodeName }, status: { phase, containerStatuses } });
  write('n1', 'Running');
  write('n2', 'Running');
  write('n2', 'Pending');
  write('n2', 'Succeeded', [{ name: 'main', state: { waiting: { reason: 'CrashLoopBackOff' } } }]);
  expect(problems.filter((problem) => !problem.includes('resourceVersion'))).toEqual([
    expect.stringMatching(/^\/registry\/pods\/default\/web at \d+: bound to n2 after n1$/),
    expect.stringMatching(/^\/registry\/pods\/default\/web at \d+: Pending after Running$/),
    expect.stringMatching(/^\/registry\/pods\/default\/web at \d+: Succeeded, but not main$/),
  ]);
  expect(problems.filter((problem) => problem.includes('resourceVersion'))).toHaveLength(4);
});

it('sees pods that have failed and go too soon, or still run', async () => {
  const cluster = await createTestCluster({ nodes: 1 });
  await cluster.apply(workloadManifest({ kind: 'Deployment', name: 'api', replicas: 1 }));
  await cluster.settle();
  const problems = watchWrites(cluster.etcd, false);
  const [running] = await cluster.list(pods, { labelSelector: 'app=api' });
  const key = `/registry/pods/default/${running?.metadata.name}`;
  const keyspace = cluster.etcd.keyspace<Pod>('/registry/pods/');
  keyspace.put(key, { ...(running as Pod), status: { ...running?.status, phase: 'Failed' } });
  expect(leftovers(cluster)).toEqual([`Pod default/${running?.metadata.name} is Failed and still runs`]);
  keyspace.delete(key);
  expect(problems).toContain(`${key} has failed and is gone, though its ReplicaSet is not`);
});
