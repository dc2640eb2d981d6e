// Goal: what becomes of pods when resources run short or are changed. Method: a whole cluster with one small node and images of known appetite.
import { resources } from 'bottleship';
import type { TestCluster } from 'bottleship/testing';
import { describe, expect, it } from 'vitest';
import { oneNode, pod, statusOf } from './support/pods.ts';

const { nodes, pods } = resources;

describe('a container', () => {
  it('that needs more memory than its limit is OOMKilled', async () => {
    const cluster = await oneNode();
    const resourcesOf = { limits: { memory: '100Mi' }, requests: { memory: '50Mi' } };
    await cluster.apply(
      pod('greedy', {
        restartPolicy: 'Never',
        containers: [
          { name: 'c', image: 'polinux/stress', command: ['stress'], args: ['--vm', '1', '--vm-bytes', '250M'], resources: resourcesOf },
        ],
      }),
    );
    await cluster.settle();
    expect(await statusOf(cluster, 'greedy')).toMatchObject({
      phase: 'Failed',
      containerStatuses: [{ state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } }],
    });
  });
});

describe('a node that runs short of memory', () => {
  it('tells so, evicts who takes more than it asked for, and takes no more of the kind', async () => {
    const cluster = await oneNode({
      images: [
        { name: 'modest:1', memoryBytes: 2 ** 30 },
        { name: 'greedy:1', memoryBytes: 3 * 2 ** 30 },
      ],
    });
    const memory = (amount: string) => ({ resources: { requests: { memory: amount } } });
    await cluster.apply([
      pod('modest', { containers: [{ name: 'c', image: 'modest:1', ...memory('1Gi') }] }),
      pod('greedy', { containers: [{ name: 'c', image: 'greedy:1', ...memory('100Mi') }] }),
    ]);
    await cluster.settle();
    await cluster.advance(15_000);
    await cluster.settle();
    const { phase, reason, message, conditions } = await statusOf(cluster, 'greedy');
    expect([phase, reason, message]).toEqual([
      'Failed',
      'Evicted',
      'The node was low on resource: memory. Threshold quantity: 100Mi, available: 0. Container c was using 3Gi, request is 100Mi, has larger consumption of memory. ',
    ]);
    expect(conditions?.find(({ type }) => type === 'DisruptionTarget')).toMatchObject({ status: 'True', reason: 'TerminationByKubelet' });
    expect((await statusOf(cluster, 'modest')).phase).toBe('Running');
    const node = await cluster.get(nodes, 'n1');
    expect(node?.status?.conditions?.find(({ type }) => type === 'MemoryPressure')).toMatchObject({
      status: 'True',
      reason: 'KubeletHasInsufficientMemory',
    });
    await cluster.apply(pod('late', { nodeName: 'n1', containers: [{ name: 'c', image: 'nginx:1.27' }] }));
    await cluster.settle();
    expect(await statusOf(cluster, 'late')).toMatchObject({
      phase: 'Failed',
      reason: 'Evicted',
      message: 'Pod was rejected: The node had condition: [MemoryPressure]. ',
    });
    await cluster.advance(320_000);
    expect((await cluster.get(nodes, 'n1'))?.status?.conditions?.find(({ type }) => type === 'MemoryPressure')).toMatchObject({
      status: 'False',
    });
  });
});

describe('a resize in place', () => {
  const sized = (cpu: string, memory: string) => ({ requests: { cpu, memory }, limits: { cpu, memory } });
  const resize = (cluster: TestCluster, name: string, wanted: ReturnType<typeof sized>) =>
    cluster.call((client) =>
      client
        .resource(pods)
        .patch(
          { namespace: 'default', name },
          { spec: { containers: [{ name: 'c', resources: wanted }] } },
          { type: 'strategic', subresource: 'resize' },
        ),
    );
  const resizePolicy = [
    { resourceName: 'cpu', restartPolicy: 'NotRequired' },
    { resourceName: 'memory', restartPolicy: 'RestartContainer' },
  ];
  const start = async (): Promise<TestCluster> => {
    const cluster = await oneNode();
    await cluster.apply(pod('app', { containers: [{ name: 'c', image: 'nginx:1.27', resources: sized('500m', '100Mi'), resizePolicy }] }));
    await cluster.waitUntilReady(pods, 'app');
    return cluster;
  };

  it('of cpu happens while the container runs', async () => {
    const cluster = await start();
    await resize(cluster, 'app', sized('1', '100Mi'));
    await cluster.settle();
    const { containerStatuses, conditions } = await statusOf(cluster, 'app');
    expect(containerStatuses?.[0]).toMatchObject({
      restartCount: 0,
      allocatedResources: { cpu: '1', memory: '100Mi' },
      resources: sized('1', '100Mi'),
    });
    expect(conditions?.map(({ type }) => type).filter((type) => type.startsWith('PodResize'))).toEqual([]);
    expect(await cluster.eventsOf(pods, 'app')).toContain(
      'Normal ResizeCompleted: Pod resize completed: {"containers":[{"name":"c","resources":{"limits":{"cpu":"1","memory":"100Mi"},"requests":{"cpu":"1","memory":"100Mi"}}}]}',
    );
  });

  it('of memory restarts the container where its policy says so', async () => {
    const cluster = await start();
    await resize(cluster, 'app', sized('500m', '200Mi'));
    await cluster.settle();
    expect((await statusOf(cluster, 'app')).containerStatuses?.[0]).toMatchObject({ restartCount: 1, resources: sized('500m', '200Mi') });
    expect(await cluster.eventsOf(pods, 'app')).toContain('Normal Killing: Container c resize requires restart');
  });

  it('is infeasible when the node is too small, and waits when others take the room', async () => {
    const cluster = await start();
    await resize(cluster, 'app', sized('3', '100Mi'));
    await cluster.settle();
    const pending = async () => (await statusOf(cluster, 'app')).conditions?.find(({ type }) => type === 'PodResizePending');
    expect(await pending()).toMatchObject({
      status: 'True',
      reason: 'Infeasible',
      message: "Node didn't have enough capacity: cpu, requested: 3000, capacity: 2000",
    });
    await cluster.apply(pod('other', { containers: [{ name: 'c', image: 'nginx:1.27', resources: sized('1', '100Mi') }] }));
    await cluster.settle();
    await resize(cluster, 'app', sized('1500m', '100Mi'));
    await cluster.settle();
    expect(await pending()).toMatchObject({
      reason: 'Deferred',
      message: "Node didn't have enough resource: cpu, requested: 1500, used: 1000, capacity: 2000",
    });
    expect((await statusOf(cluster, 'app')).containerStatuses?.[0]).toMatchObject({
      allocatedResources: { cpu: '500m' },
      resources: sized('500m', '100Mi'),
    });
    await cluster.delete(pods, 'other');
    await cluster.settle();
    expect(await pending()).toBeUndefined();
    expect((await statusOf(cluster, 'app')).containerStatuses?.[0]).toMatchObject({
      allocatedResources: { cpu: '1500m' },
      resources: sized('1500m', '100Mi'),
    });
  });
});
