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
    await cluster.apply(
      pod('refused', { nodeName: 'n1', containers: [{ name: 'c', image: 'modest:1', resources: { requests: { cpu: '9' } } }] }),
    );
    await cluster.settle();
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
    expect(await statusOf(cluster, 'refused')).toMatchObject({ phase: 'Failed', reason: 'OutOfcpu' });
    expect((await cluster.eventsOf(pods, 'refused')).map((event) => event.split(':')[0])).toEqual(['Warning OutOfcpu']);
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

  it('that waits is granted when another pod asks for less, the more important one first', async () => {
    const cluster = await oneNode();
    const cpuOnly = (cpu: string) => ({ requests: { cpu } });
    const ask = (name: string, cpu: string) =>
      cluster.call((client) =>
        client
          .resource(pods)
          .patch(
            { namespace: 'default', name },
            { spec: { containers: [{ name: 'c', resources: cpuOnly(cpu) }] } },
            { type: 'strategic', subresource: 'resize' },
          ),
      );
    const sizedPod = (name: string, priorityClassName?: string) =>
      pod(name, {
        ...(priorityClassName ? { priorityClassName } : {}),
        containers: [{ name: 'c', image: 'nginx:1.27', resources: cpuOnly('500m') }],
      });
    const high = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' }, value: 1000 };
    await cluster.apply([high, sizedPod('first'), sizedPod('second', 'high'), sizedPod('large')]);
    for (const name of ['first', 'second', 'large']) await cluster.waitUntilReady(pods, name);
    await ask('first', '1200m');
    await ask('second', '1200m');
    await cluster.settle();
    const state = async (name: string) => {
      const { containerStatuses, conditions } = await statusOf(cluster, name);
      return [containerStatuses?.[0]?.resources?.requests?.['cpu'], conditions?.find(({ type }) => type.startsWith('PodResize'))?.reason];
    };
    expect([await state('first'), await state('second')]).toEqual([
      ['500m', 'Deferred'],
      ['500m', 'Deferred'],
    ]);
    await ask('large', '200m');
    await cluster.settle();
    expect([await state('first'), await state('second'), await state('large')]).toEqual([
      ['500m', 'Deferred'],
      ['1200m', undefined],
      ['200m', undefined],
    ]);
  });

  it('that waits is tried again every three minutes, as when a pod has ended', async () => {
    const cluster = await start();
    const other = { name: 'c', image: 'busybox:1.36', command: ['sleep', '30'], resources: sized('1', '100Mi') };
    await cluster.apply(pod('other', { restartPolicy: 'Never', containers: [other] }));
    await cluster.waitUntilReady(pods, 'other');
    await resize(cluster, 'app', sized('1500m', '100Mi'));
    await cluster.advance(100_000);
    expect((await statusOf(cluster, 'other')).phase).toBe('Succeeded');
    expect((await statusOf(cluster, 'app')).containerStatuses?.[0]?.resources).toEqual(sized('500m', '100Mi'));
    await cluster.advance(90_000);
    expect((await statusOf(cluster, 'app')).containerStatuses?.[0]?.resources).toEqual(sized('1500m', '100Mi'));
  });

  it('of a sidecar restarts that alone', async () => {
    const cluster = await oneNode();
    const side = { name: 's', image: 'nginx:1.27', restartPolicy: 'Always', resources: sized('100m', '50Mi'), resizePolicy };
    const main = { name: 'c', image: 'nginx:1.27', resources: sized('100m', '50Mi') };
    await cluster.apply(pod('app', { initContainers: [side], containers: [main] }));
    await cluster.waitUntilReady(pods, 'app');
    const initContainers = [{ name: 's', resources: sized('200m', '60Mi') }];
    await cluster.call((client) =>
      client
        .resource(pods)
        .patch({ namespace: 'default', name: 'app' }, { spec: { initContainers } }, { type: 'strategic', subresource: 'resize' }),
    );
    await cluster.settle();
    const { containerStatuses, initContainerStatuses, conditions } = await statusOf(cluster, 'app');
    expect(initContainerStatuses?.[0]).toMatchObject({ restartCount: 1, resources: sized('200m', '60Mi') });
    expect(containerStatuses?.[0]).toMatchObject({ restartCount: 0 });
    expect(conditions?.filter(({ type }) => type.startsWith('PodResize'))).toEqual([]);
    const told = (await cluster.eventsOf(pods, 'app')).filter((event) => event.includes('Resize'));
    expect(told).toEqual([expect.stringMatching(/: {"initContainers":\[{"name":"s",.*"200m".*"containers":\[{"name":"c",.*"100m"/)]);
  });
});
