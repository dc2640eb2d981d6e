import { describe, expect, it } from 'vitest';
import { deployments, nodes, pods } from '../../src/api/resources.ts';
import { createTestCluster, type TestCluster } from '../../src/testing/index.ts';
import type { VpcCniConfig } from './config.ts';

function vpcCluster(config: VpcCniConfig = {}, node: { pods?: number } = {}, instanceType = 't3.small'): Promise<TestCluster> {
  return createTestCluster({
    nodes: [{ name: 'n1', images: ['busybox:1.36'], ...node }],
    cloud: { instanceType, region: 'us-west-2' },
    addons: { 'amazon-vpc-cni': config },
  });
}

async function runPods(cluster: TestCluster, replicas: number): Promise<void> {
  const args = ['create', 'deployment', 'web', '--image=busybox:1.36', `--replicas=${replicas}`, '--', 'sleep', '1d'];
  await cluster.kubectl(args);
  await cluster.advance(60_000);
  await cluster.advance(60_000);
}

/** Interfaces with how many addresses besides the primary one each has. */
function interfaces({ aws }: TestCluster): number[] {
  return (aws?.ec2.instances.all ?? []).flatMap(
    (instance) => aws?.ec2.interfaces.of(instance).map(({ secondary }) => secondary.size) ?? [],
  );
}

describe('the pool of addresses', () => {
  // docs/eni-and-ip-target.md
  const EXAMPLES: [VpcCniConfig, number, number[]][] = [
    [{}, 0, [3]],
    [{}, 5, [3, 3, 3]],
    [{}, 9, [3, 3, 3]],
    [{ warmIpTarget: 1, minimumIpTarget: 1 }, 0, [1]],
    [{ warmIpTarget: 1, minimumIpTarget: 1 }, 5, [3, 3]],
    [{ warmIpTarget: 1, minimumIpTarget: 1 }, 9, [3, 3, 3]],
    [{ warmIpTarget: 2, minimumIpTarget: 5 }, 0, [3, 2]],
    [{ warmIpTarget: 2, minimumIpTarget: 5 }, 5, [3, 3, 1]],
    [{ maxEni: 2 }, 9, [3, 3]],
  ];
  it.each(EXAMPLES)('with %j and %i pods has %j', async (config, replicas, expected) => {
    const cluster = await vpcCluster(config);
    if (replicas > 0) await runPods(cluster, replicas);
    expect(interfaces(cluster)).toEqual(expected);
  });

  it.each([
    [undefined, false],
    [0, true],
  ])('gives an address to the next pod after a rest of %s s: at once %s', async (ipCooldownPeriod, atOnce) => {
    const cluster = await vpcCluster({
      warmIpTarget: 1,
      minimumIpTarget: 1,
      maxEni: 1,
      ...(ipCooldownPeriod === undefined ? {} : { ipCooldownPeriod }),
    });
    await runPods(cluster, 3);
    const addresses = async () => (await cluster.list(pods, { namespace: 'default' })).flatMap(({ status }) => status?.podIP ?? []);
    const before = new Set(await addresses());
    expect(before.size).toBe(3);
    await cluster.kubectl(['delete', 'pod', '--all', '--grace-period=1']);
    await cluster.advance(20_000);
    expect((await addresses()).length > 0).toBe(atOnce);
    await cluster.advance(60_000);
    expect(new Set(await addresses())).toEqual(before);
  });

  it('is given back when pods have gone', async () => {
    const cluster = await vpcCluster();
    await runPods(cluster, 9);
    await cluster.kubectl(['scale', 'deployment/web', '--replicas=0']);
    await cluster.settle();
    await cluster.advance(180_000);
    expect(interfaces(cluster)).toEqual([3]);
  });
});

describe('a pod', () => {
  it('has an address of the VPC, and reaches others by it', async () => {
    const cluster = await vpcCluster();
    await cluster.kubectl(['create', 'deployment', 'web', '--image=nginx:1.27']);
    await cluster.kubectl(['expose', 'deployment', 'web', '--port=80']);
    await cluster.settle();
    const [pod] = await cluster.list(pods, { namespace: 'default' });
    expect(pod?.status?.podIP).toMatch(/^192\.168\.(?:[0-9]|[12][0-9]|3[01])\.\d+$/);
    const visit = await cluster.visit({ node: 'n1', namespace: 'default', host: 'web', port: 80, path: '/' });
    expect(visit).toMatchObject({ outcome: 'answered', status: 200, address: `${pod?.status?.podIP}:80` });
  });

  it('is not placed where the type of the machine has no address left for it', async () => {
    const cluster = await vpcCluster();
    expect((await cluster.get(nodes, 'n1'))?.status?.allocatable).toMatchObject({ pods: '11', cpu: '2' });
    await runPods(cluster, 12);
    const pending = (await cluster.list(pods, { namespace: 'default' })).filter(({ spec }) => !spec?.nodeName);
    expect(pending[0]?.status?.conditions?.[0]?.message).toContain('0/1 nodes are available: 1 Too many pods.');
  });

  it('waits for an address where kubelet was told that there is room', async () => {
    const cluster = await vpcCluster({}, { pods: 110 });
    await runPods(cluster, 10);
    expect((await cluster.get(deployments, 'web'))?.status?.readyReplicas).toBe(9);
    const waiting = (await cluster.list(pods, { namespace: 'default' })).find(({ status }) => status?.phase === 'Pending');
    const events = await cluster.eventsOf(pods, waiting?.metadata.name ?? '');
    expect(events.join('\n')).toMatch(
      /Warning FailedCreatePodSandBox: Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "[0-9a-f]{64}": plugin type="aws-cni" name="aws-cni" failed \(add\): add cmd: failed to assign an IP address to container/,
    );
    await cluster.kubectl(['scale', 'deployment/web', '--replicas=9']);
    await cluster.settle();
    expect((await cluster.get(deployments, 'web'))?.status?.readyReplicas).toBe(9);
  });

  it('gets an address again when its machine has been started anew', async () => {
    const cluster = await vpcCluster();
    await runPods(cluster, 6);
    for (let time = 0; time < 2; time++) {
      cluster.fault({ fault: 'stop-node', node: 'n1' });
      await cluster.advance(10_000);
      cluster.fault({ fault: 'start-node', node: 'n1' });
      await cluster.advance(180_000);
      expect((await cluster.get(deployments, 'web'))?.status?.readyReplicas).toBe(6);
    }
  });

  it('is not connected while ipamd is down, and then it is', async () => {
    const cluster = await vpcCluster();
    cluster.crash('aws-node/n1');
    await cluster.kubectl(['run', 'p', '--image=busybox:1.36', '--', 'sleep', '1d']);
    await cluster.advance(10_000);
    expect((await cluster.eventsOf(pods, 'p')).join('\n')).toContain(
      'add cmd: Error received from AddNetwork gRPC call: rpc error: code = Unavailable',
    );
    cluster.restart('aws-node/n1');
    await cluster.settle();
    expect((await cluster.get(pods, 'p'))?.status?.phase).toBe('Running');
  });
});
