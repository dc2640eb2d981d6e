// Goal: what goes wrong with machines and with what they need: shutdowns, clocks, registries. Method: a whole cluster; faults in, statuses and events out.
import { resources } from 'bottleship';
import { createTestCluster } from 'bottleship/testing';
import { describe, expect, it } from 'vitest';
import { oneNode, pod, shell, statusOf } from './support/pods.ts';

const { nodes, pods, events, leases } = resources;
const kubeletConfiguration = { shutdownGracePeriod: '30s', shutdownGracePeriodCriticalPods: '10s' };
const slow = (name: string, more: object = {}) =>
  shell(name, "trap 'sleep 5; exit 0' TERM; while true; do sleep 1; done", { terminationGracePeriodSeconds: 60, ...more });

describe('a node that is shut down', () => {
  it('ends its pods first, the critical ones last', async () => {
    const cluster = await createTestCluster({ nodes: [{ name: 'n1', images: ['busybox:1.36'], kubeletConfiguration }] });
    await cluster.apply([slow('usual'), slow('critical', { priorityClassName: 'system-node-critical' })]);
    await cluster.waitUntilReady(pods, 'critical');
    await cluster.waitUntilReady(pods, 'usual');
    cluster.fault({ fault: 'shutdown-node', node: 'n1' });
    await cluster.advance(1_000);
    expect((await cluster.get(nodes, 'n1'))?.status?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({
      status: 'False',
      reason: 'KubeletNotReady',
      message: 'node is shutting down',
    });
    await cluster.apply(pod('late', { nodeName: 'n1', containers: [{ name: 'c', image: 'nginx:1.27' }] }));
    await cluster.advance(500);
    expect(await statusOf(cluster, 'late')).toMatchObject({
      phase: 'Failed',
      reason: 'NodeShutdown',
      message: 'Pod was rejected: Pod was rejected as the node is shutting down.',
    });
    expect(await statusOf(cluster, 'critical')).toMatchObject({ phase: 'Running' });
    await cluster.advance(20_000);
    for (const name of ['usual', 'critical'])
      expect(await statusOf(cluster, name)).toMatchObject({
        phase: 'Failed',
        reason: 'Terminated',
        message: 'Pod was terminated in response to imminent node shutdown.',
        conditions: expect.arrayContaining([
          expect.objectContaining({ type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet' }),
        ]),
      });
    const ended = async (name: string) => (await statusOf(cluster, name)).containerStatuses?.[0]?.state?.terminated?.finishedAt ?? '';
    expect((await ended('usual')) < (await ended('critical'))).toBe(true);
    expect(cluster.simulation.actors.get('kubelet/n1')?.state).toBe('crashed');
  });

  it('goes off at once by default', async () => {
    const cluster = await oneNode();
    await cluster.apply(pod('web', { containers: [{ name: 'web', image: 'nginx:1.27' }] }));
    await cluster.waitUntilReady(pods, 'web');
    cluster.fault({ fault: 'shutdown-node', node: 'n1' });
    expect(cluster.simulation.actors.get('kubelet/n1')?.state).toBe('crashed');
    expect(await statusOf(cluster, 'web')).toMatchObject({ phase: 'Running' });
  });
});

describe('a registry that is down', () => {
  it('makes pulls fail until it is back; images that are there do', async () => {
    const cluster = await oneNode();
    cluster.fault({ fault: 'registry-down', registry: 'docker.io' });
    await cluster.apply([
      pod('present', { containers: [{ name: 'c', image: 'nginx:1.27' }] }),
      pod('absent', { containers: [{ name: 'c', image: 'redis:7' }] }),
    ]);
    await cluster.waitUntilReady(pods, 'present');
    await cluster.advance(20_000);
    expect(await cluster.eventsOf(pods, 'absent')).toContainEqual(
      expect.stringMatching(
        /^Warning Failed: Failed to pull image "redis:7": failed to pull and unpack image "docker.io\/library\/redis:7": failed to resolve reference "docker.io\/library\/redis:7": failed to do request: Head "https:\/\/registry-1.docker.io\/v2\/library\/redis\/manifests\/7": dial tcp .*:443: connect: connection refused/,
      ),
    );
    cluster.fault({ fault: 'registry-up', registry: 'docker.io' });
    await cluster.waitUntilReady(pods, 'absent');
  });
});

describe('a node whose clock is wrong', () => {
  it('writes its own time, and is not taken for lost', async () => {
    const cluster = await oneNode();
    cluster.fault({ fault: 'skew-clock', node: 'n1', ms: -3_600_000 });
    await cluster.apply(pod('web', { containers: [{ name: 'web', image: 'nginx:1.27' }] }));
    await cluster.advance(120_000);
    const { creationTimestamp = '' } = (await cluster.get(pods, 'web'))?.metadata ?? {};
    const { startTime = '', containerStatuses } = await statusOf(cluster, 'web');
    expect(startTime < creationTimestamp).toBe(true);
    expect((containerStatuses?.[0]?.state?.running?.startedAt ?? '') < creationTimestamp).toBe(true);
    const lease = await cluster.get(leases, { namespace: 'kube-node-lease', name: 'n1' });
    expect((lease?.spec?.renewTime ?? '') < creationTimestamp).toBe(true);
    const told = (await cluster.list(events, { namespace: 'default' })).find(({ reason }) => reason === 'Started');
    expect((told?.firstTimestamp ?? '') < creationTimestamp).toBe(true);
    expect((await cluster.get(nodes, 'n1'))?.status?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({ status: 'True' });
  });
});
