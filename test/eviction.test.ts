// Goal: what a node does that runs short of disk or process ids. Method: a whole cluster; the disk is filled, statuses, taints and events are looked at.
import { resources } from 'bottleship';
import { createTestCluster, type TestCluster } from 'bottleship/testing';
import { describe, expect, it } from 'vitest';
import { oneNode, pod, shell, statusOf } from './support/pods.ts';

const { nodes, pods, events } = resources;
const GI = 1024 ** 3;

async function nodeEvents(cluster: TestCluster): Promise<string[]> {
  const all = await cluster.list(events, { namespace: 'default' });
  return all.filter(({ involvedObject }) => involvedObject.kind === 'Node').map(({ reason, message }) => `${reason}: ${message}`);
}

const condition = async (cluster: TestCluster, type: string) =>
  (await cluster.get(nodes, 'n1'))?.status?.conditions?.find((one) => one.type === type);

describe('a full disk', () => {
  it('has unused images removed, then pods evicted, and is told by condition and taint until it is over', async () => {
    const cluster = await createTestCluster({
      nodes: [{ name: 'n1', images: ['nginx:1.27', 'redis:7'] }],
      images: [{ name: 'hog', ports: 'any', diskBytes: 6 * GI, size: 1e6 }],
    });
    await cluster.apply([
      pod('hog', { containers: [{ name: 'c', image: 'hog:1' }] }),
      pod('small', { containers: [{ name: 'c', image: 'nginx:1.27' }] }),
    ]);
    await cluster.waitUntilReady(pods, 'hog');
    await cluster.waitUntilReady(pods, 'small');
    cluster.fault({ fault: 'fill-disk', node: 'n1', percent: 80 });
    await cluster.advance(30_000);
    const message = 'The node was low on resource: ephemeral-storage. Threshold quantity: ';
    expect(await statusOf(cluster, 'hog')).toMatchObject({ phase: 'Failed', reason: 'Evicted', message: expect.stringContaining(message) });
    expect((await statusOf(cluster, 'hog')).message).toMatch(
      /^The node was low on resource: ephemeral-storage. Threshold quantity: 15Gi, available: \d+Ki. Container c was using 6Gi, request is 0, has larger consumption of ephemeral-storage. $/,
    );
    expect(await condition(cluster, 'DiskPressure')).toMatchObject({
      status: 'True',
      reason: 'KubeletHasDiskPressure',
      message: 'kubelet has disk pressure',
    });
    expect((await cluster.get(nodes, 'n1'))?.spec?.taints).toMatchObject([
      { key: 'node.kubernetes.io/disk-pressure', effect: 'NoSchedule' },
    ]);
    expect(await nodeEvents(cluster)).toContain('EvictionThresholdMet: Attempting to reclaim ephemeral-storage');
    expect((await cluster.get(nodes, 'n1'))?.status?.images?.flatMap(({ names = [] }) => names)).not.toContain('docker.io/library/redis:7');
    expect(await statusOf(cluster, 'small')).toMatchObject({ phase: 'Running' });
    await cluster.apply(pod('late', { nodeName: 'n1', containers: [{ name: 'c', image: 'nginx:1.27' }] }));
    await cluster.advance(1_000);
    expect(await statusOf(cluster, 'late')).toMatchObject({
      phase: 'Failed',
      reason: 'Evicted',
      message: 'Pod was rejected: The node had condition: [DiskPressure]. ',
    });
    await cluster.advance(330_000);
    expect(await condition(cluster, 'DiskPressure')).toMatchObject({ status: 'False' });
    expect((await cluster.get(nodes, 'n1'))?.spec?.taints ?? []).toEqual([]);
  });

  it('is collected from before it is full', async () => {
    const cluster = await createTestCluster({
      nodes: [{ name: 'n1', images: ['nginx:1.27', 'redis:7'], kubeletConfiguration: { evictionHard: {} } }],
    });
    await cluster.apply(pod('web', { containers: [{ name: 'c', image: 'nginx:1.27' }] }));
    await cluster.waitUntilReady(pods, 'web');
    cluster.fault({ fault: 'fill-disk', node: 'n1', percent: 90 });
    await cluster.advance(620_000);
    const names = (await cluster.get(nodes, 'n1'))?.status?.images?.flatMap(({ names = [] }) => names);
    expect(names).toContain('docker.io/library/nginx:1.27');
    expect(names).not.toContain('docker.io/library/redis:7');
    expect(await nodeEvents(cluster)).toContainEqual(
      expect.stringMatching(
        /^FreeDiskSpaceFailed: Failed to garbage collect required amount of images. Attempted to free \d+ bytes, but only found \d+ bytes/,
      ),
    );
  });
});

it('evicts until there is as much more as is to be reclaimed', async () => {
  const cluster = await createTestCluster({
    nodes: [
      {
        name: 'n1',
        memory: '8Gi',
        kubeletConfiguration: { evictionHard: { 'memory.available': '1Gi' }, evictionMinimumReclaim: { 'memory.available': '3Gi' } },
      },
    ],
    images: [{ name: 'hog', ports: 'any', memoryBytes: 2 * GI, size: 1e6 }],
  });
  const names = ['a', 'b', 'c', 'd'];
  await cluster.apply(names.map((name) => pod(name, { containers: [{ name: 'c', image: 'hog:1' }] })));
  for (const name of names) await cluster.waitUntilReady(pods, name);
  await cluster.advance(60_000);
  const phases = (await cluster.list(pods, { namespace: 'default' })).map(({ status }) => status?.phase);
  expect(phases.filter((phase) => phase === 'Failed')).toHaveLength(2);
});

it('evicts for process ids where a threshold is configured', async () => {
  const cluster = await createTestCluster({
    nodes: [{ name: 'n1', images: ['nginx:1.27'], kubeletConfiguration: { evictionHard: { 'pid.available': '10%' } } }],
  });
  await cluster.apply(pod('web', { containers: [{ name: 'c', image: 'nginx:1.27' }] }));
  await cluster.waitUntilReady(pods, 'web');
  cluster.fault({ fault: 'fill-pids', node: 'n1', percent: 95 });
  await cluster.advance(30_000);
  expect(await condition(cluster, 'PIDPressure')).toMatchObject({ status: 'True', reason: 'KubeletHasInsufficientPID' });
  expect(await statusOf(cluster, 'web')).toMatchObject({
    reason: 'Evicted',
    message: expect.stringMatching(/^The node was low on resource: pids. Threshold quantity: 3276, available: \d+. $/),
  });
});

describe('local storage', () => {
  it('has limits for emptyDirs and containers', async () => {
    const cluster = await oneNode();
    const writes = 'i=0; while [ $i -lt 40 ]; do echo 0123456789012345678901234567890123456789 >> /data/f; i=$((i+1)); done; sleep 1000';
    const mounts = [{ name: 'data', mountPath: '/data' }];
    await cluster.apply([
      shell('volume', writes, {
        containers: [{ name: 'main', image: 'busybox:1.36', command: ['sh', '-c', writes], volumeMounts: mounts }],
        volumes: [{ name: 'data', emptyDir: { sizeLimit: '1Ki' } }],
      }),
      shell('root', '', {
        containers: [
          {
            ...{ name: 'main', image: 'busybox:1.36', command: ['sh', '-c', `mkdir /data; ${writes}`] },
            resources: { limits: { 'ephemeral-storage': '1Ki' } },
          },
        ],
      }),
    ]);
    await cluster.advance(30_000);
    expect(await statusOf(cluster, 'volume')).toMatchObject({
      phase: 'Failed',
      reason: 'Evicted',
      message: 'Usage of EmptyDir volume "data" exceeds the limit "1Ki". ',
    });
    expect(await statusOf(cluster, 'root')).toMatchObject({
      phase: 'Failed',
      reason: 'Evicted',
      message: 'Pod ephemeral local storage usage exceeds the total limit of containers 1Ki. ',
    });
  });
});
