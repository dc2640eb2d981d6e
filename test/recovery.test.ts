import { resources } from 'bottleship';
import { createTestCluster } from 'bottleship/testing';
import { expect, it } from 'vitest';

const VICTIMS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet/n1'];
/** Virtual milliseconds after `kubectl create`: before, in the middle of and after what follows from it. */
const MOMENTS = [8, 30, 600, 2_000];

it.each(VICTIMS.flatMap((victim) => MOMENTS.map((moment) => [victim, moment] as const)))(
  '%s may crash after %i ms',
  async (victim, moment) => {
    const cluster = await createTestCluster({ nodes: 2 });
    const created = cluster.startKubectl({ args: ['create', 'deployment', 'web', '--image=nginx:1.27', '--replicas=6'] });
    await cluster.advance(moment);
    cluster.crash(victim);
    await cluster.advance(3_000);
    expect((await created).code).toBe(0);
    cluster.restart(victim);
    await cluster.settle();
    expect((await cluster.get(resources.deployments, 'web'))?.status?.readyReplicas).toBe(6);
    expect((await cluster.list(resources.pods, { namespace: 'default' })).length).toBe(6);
  },
);

it('a kubelet whose last request for a pod fails sends it again', async () => {
  const cluster = await createTestCluster({ nodes: 1 });
  await cluster.kubectl(['run', 'web', '--image=nginx:1.27']);
  await cluster.settle();
  cluster.failNext('kubelet/n1', { verb: 'delete', resource: resources.pods, status: 503 });
  await cluster.kubectl(['delete', 'pod', 'web']);
  expect(await cluster.get(resources.pods, 'web')).toBeUndefined();
});
