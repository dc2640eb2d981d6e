// Goal: what containers use is served, with the delays and refusals of the real one. Method: a whole cluster with the addon.
import { beforeAll, describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/api/object.ts';
import { pods } from '../../src/api/resources.ts';
import { customResource } from '../../src/client/custom-resource.ts';
import { Cluster, createCluster } from '../../src/cluster/cluster.ts';

const SECOND = 1_000;

interface Metrics extends KubernetesObject {
  readonly window: string;
  readonly usage?: Readonly<Record<string, string>>;
  readonly containers?: readonly { readonly name: string; readonly usage: Readonly<Record<string, string>> }[];
}

const GROUP = { group: 'metrics.k8s.io', version: 'v1beta1' };
const podMetrics = customResource<Metrics>({ ...GROUP, resource: 'pods', kind: 'PodMetrics', namespaced: true });
const nodeMetrics = customResource<Metrics>({ ...GROUP, resource: 'nodes', kind: 'NodeMetrics', namespaced: false });

async function run(cluster: Cluster, command: string): Promise<void> {
  const { code, stderr } = await cluster.kubectl(command.split(' '));
  expect([code, ...stderr]).toEqual([0]);
}

describe('a cluster with metrics-server', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    const burner = { name: 'burner', entrypoint: ['sh', '-c', 'while true; do :; done'] };
    cluster = await createCluster({ nodes: 2, addons: { 'metrics-server': {} }, images: [burner] });
  });

  const usageOf = (name: string): Promise<Metrics> =>
    cluster.call((client) => client.resource(podMetrics).get({ namespace: 'default', name }));

  test('nodes use what their containers use, and something of their own', async () => {
    await cluster.advance(30 * SECOND);
    const { items } = await cluster.call((client) => client.resource(nodeMetrics).list());
    const server = await cluster.call((client) => client.resource(pods).list({ namespace: 'kube-system' }));
    const [place] = server.items.map(({ spec }) => spec?.nodeName);
    expect(items.map(({ metadata, usage }) => [metadata.name, usage?.['cpu']])).toEqual(
      ['n1', 'n2'].map((name) => [name, name === place ? '44m' : '40m']),
    );
  });

  test('a pod is not there before it was measured twice; one that computes uses a CPU, or its limit', async () => {
    await cluster.call(async (client) => {
      for (const [name, image] of [
        ['busy', 'burner'],
        ['idle', 'nginx'],
      ] as const)
        await client.resource(pods).create({ metadata: { namespace: 'default', name }, spec: { containers: [{ name, image }] } });
    });
    await cluster.settle();
    await expect(usageOf('busy')).rejects.toThrow('podmetrics.metrics.k8s.io "default/busy" not found');
    await expect(usageOf('nobody')).rejects.toThrow('pods "nobody" not found');
    await cluster.advance(45 * SECOND);
    expect(await usageOf('busy')).toMatchObject({ window: '15s', containers: [{ name: 'busy', usage: { cpu: '1001m', memory: '8Mi' } }] });
    const { stdout } = await cluster.kubectl(['get', 'pods.metrics.k8s.io', 'busy']);
    expect(stdout.map((line) => line.split(/ +/))).toEqual([
      ['NAME', 'CPU', 'MEMORY', 'WINDOW'],
      ['busy', '1001m', '8Mi', '15s'],
    ]);
    expect(await usageOf('idle')).toMatchObject({ containers: [{ usage: { cpu: '1m' } }] });
  });

  test('without its pod the group is not available', async () => {
    await run(cluster, 'scale deployment metrics-server -n kube-system --replicas=0');
    await cluster.advance(40 * SECOND);
    await expect(usageOf('busy')).rejects.toMatchObject({ code: 503 });
    await run(cluster, 'scale deployment metrics-server -n kube-system --replicas=1');
    await cluster.advance(90 * SECOND);
    expect(await usageOf('busy')).toMatchObject({ containers: [{ usage: { cpu: '1001m' } }] });
  });
});

test('a cluster without it has no such group', async () => {
  const cluster = new Cluster({ nodes: 1 });
  await cluster.settle();
  await expect(cluster.call((client) => client.resource(nodeMetrics).list())).rejects.toMatchObject({ code: 404 });
});

test('people are told when it is down, of its group alone', async () => {
  const cluster = await createCluster({ nodes: 1, addons: { 'metrics-server': {} } });
  await run(cluster, 'scale deployment metrics-server -n kube-system --replicas=0');
  await cluster.advance(5 * SECOND);
  const told = async (command: string): Promise<[number, string[]]> => {
    const { code, stderr } = await cluster.kubectl(command.split(' '));
    return [code, [...stderr]];
  };
  expect(await told('get --raw /apis/metrics.k8s.io/v1beta1/nodes')).toEqual([
    1,
    ['Error from server (ServiceUnavailable): the server is currently unable to handle the request'],
  ]);
  expect(await told('api-resources')).toEqual([
    1,
    [
      'error: unable to retrieve the complete list of server APIs: metrics.k8s.io/v1beta1: stale GroupVersion discovery: metrics.k8s.io/v1beta1',
    ],
  ]);
  expect(await told('get all,configmaps -n kube-system')).toEqual([0, []]);
  expect(await told('get podmetrics')).toEqual([1, [`error: the server doesn't have a resource type "podmetrics"`]]);
});
