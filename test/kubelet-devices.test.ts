// Goal: a node's devices, beyond the recorded cases: restarts, long absences, what stays. Method: a whole cluster with GPUs; faults in, statuses and events out.
import { resources } from 'bottleship';
import { createTestCluster, type TestCluster } from 'bottleship/testing';
import { describe, expect, it } from 'vitest';
import { pod, statusOf } from './support/pods.ts';

const { nodes, pods } = resources;
const GPU = 'nvidia.com/gpu';

const gpuPod = (name: string, spec: object = {}) =>
  pod(name, { containers: [{ name: 'c', image: 'nginx:1.27', resources: { limits: { [GPU]: '1' } } }], ...spec });

async function gpusOf(cluster: TestCluster): Promise<string> {
  const { capacity = {}, allocatable = {} } = (await cluster.get(nodes, 'n1'))?.status ?? {};
  return `${allocatable[GPU]} of ${capacity[GPU]}`;
}

describe('GPUs of a node', () => {
  it('stay in its capacity for five minutes when their plugin is gone', async () => {
    const cluster = await createTestCluster({ nodes: [{ name: 'n1', gpus: 2 }] });
    expect(await gpusOf(cluster)).toBe('2 of 2');
    await cluster.apply(gpuPod('a'));
    await cluster.waitUntilReady(pods, 'a');
    cluster.crash('nvidia-device-plugin/n1');
    await cluster.advance(20_000);
    expect(await gpusOf(cluster)).toBe('0 of 2');
    await cluster.advance(300_000);
    expect(await gpusOf(cluster)).toBe('0 of 0');
    expect(await statusOf(cluster, 'a')).toMatchObject({ phase: 'Running' });
    cluster.restart('nvidia-device-plugin/n1');
    await cluster.advance(20_000);
    expect(await gpusOf(cluster)).toBe('2 of 2');
  });

  it('are registered again when their kubelet starts, and keep their containers', async () => {
    const cluster = await createTestCluster({ nodes: [{ name: 'n1', gpus: 1 }] });
    await cluster.apply(gpuPod('a'));
    await cluster.waitUntilReady(pods, 'a');
    cluster.crash('kubelet/n1');
    await cluster.advance(1_000);
    cluster.restart('kubelet/n1');
    await cluster.advance(20_000);
    expect(await gpusOf(cluster)).toBe('1 of 1');
    expect(await statusOf(cluster, 'a')).toMatchObject({ phase: 'Running', containerStatuses: [{ restartCount: 0 }] });
    await cluster.apply(gpuPod('b', { nodeName: 'n1' }));
    await cluster.settle();
    expect(await statusOf(cluster, 'b')).toMatchObject({
      phase: 'Failed',
      reason: 'UnexpectedAdmissionError',
      message: `Pod was rejected: Allocate failed due to requested number of devices unavailable for ${GPU}. Requested: 1, Available: 0, which is unexpected`,
    });
  });

  it('are missing at once after a power cut: pods that had them are refused', async () => {
    const cluster = await createTestCluster({ nodes: [{ name: 'n1', gpus: 1 }] });
    await cluster.apply(gpuPod('a'));
    await cluster.waitUntilReady(pods, 'a');
    cluster.fault({ fault: 'stop-node', node: 'n1' });
    await cluster.advance(1_000);
    cluster.restart('containerd/n1');
    cluster.restart('kubelet/n1');
    await cluster.settle();
    expect(await statusOf(cluster, 'a')).toMatchObject({
      phase: 'Failed',
      message: `Pod was rejected: Allocate failed due to no healthy devices present; cannot allocate unhealthy devices ${GPU}, which is unexpected`,
    });
  });

  it('that break are not given to anybody else', async () => {
    const cluster = await createTestCluster({ nodes: [{ name: 'n1', gpus: 2 }] });
    cluster.fault({ fault: 'break-gpu', node: 'n1', gpu: 0 });
    await cluster.settle();
    expect(await gpusOf(cluster)).toBe('1 of 2');
    cluster.fault({ fault: 'mend-gpu', node: 'n1', gpu: 0 });
    await cluster.settle();
    expect(await gpusOf(cluster)).toBe('2 of 2');
  });
});

it('keeps resources that somebody wrote into the capacity of a node', async () => {
  const cluster = await createTestCluster({ nodes: 1 });
  await cluster.kubectl([
    'patch',
    'node',
    'n1',
    '--subresource=status',
    '--type=merge',
    '-p',
    '{"status":{"capacity":{"example.com/dongle":"4"}}}',
  ]);
  await cluster.advance(11_000);
  expect((await cluster.get(nodes, 'n1'))?.status?.allocatable).toMatchObject({ 'example.com/dongle': '4' });
});
