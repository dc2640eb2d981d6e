// Goal: the load of a Service shows as the CPU of its ready endpoints, whoever they are. Method: whole clusters; usage as the runtimes count it.
import { expect, test } from 'vitest';
import { services } from '../api/resources.ts';
import { type Cluster, createCluster } from './cluster.ts';

const SECOND = 1_000;

async function clusterWithWeb(): Promise<Cluster> {
  const cluster = await createCluster({ nodes: 2, images: [{ name: 'web', ports: [8080], cpuMilli: 0, cpuPerRequestMs: 2 }] });
  await cluster.kubectl(['create', 'deployment', 'web', '--image=web', '--replicas=2']);
  const spec = { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] };
  await cluster.call((client) => client.resource(services).create({ metadata: { namespace: 'default', name: 'web' }, spec }));
  await cluster.settle();
  await cluster.advance(5 * SECOND);
  return cluster;
}

/** In seconds of a CPU, by pod. */
function cpuOf({ serviceNetwork }: Cluster): Map<string, number> {
  const stats = ['n1', 'n2'].flatMap((node) => serviceNetwork.runtimeOf(node)?.runtime.listContainerStats() ?? []);
  return new Map(stats.map(({ pod, cpuNanos }) => [pod, cpuNanos / 1e9]));
}

async function usedWithin(cluster: Cluster, ms: number): Promise<number[]> {
  const before = cpuOf(cluster);
  await cluster.advance(ms);
  return [...cpuOf(cluster)].map(([pod, seconds]) => Number((seconds - (before.get(pod) ?? 0)).toFixed(3)));
}

test('endpoints share it evenly, and newcomers take their part', async () => {
  const cluster = await clusterWithWeb();
  expect(await usedWithin(cluster, 10 * SECOND)).toEqual([0, 0]);
  cluster.load({ service: 'web', requestsPerSecond: 100 });
  await cluster.advance(SECOND);
  expect(await usedWithin(cluster, 10 * SECOND)).toEqual([1, 1]);
  await cluster.kubectl(['scale', 'deployment', 'web', '--replicas=4']);
  await cluster.settle();
  await cluster.advance(5 * SECOND);
  expect(await usedWithin(cluster, 10 * SECOND)).toEqual([0.5, 0.5, 0.5, 0.5]);
  cluster.load({ service: 'web', requestsPerSecond: 0 });
  await cluster.advance(SECOND);
  expect(await usedWithin(cluster, 10 * SECOND)).toEqual([0, 0, 0, 0]);
});

test('it costs no events while nothing changes', async () => {
  const cluster = await clusterWithWeb();
  cluster.load({ service: 'web', requestsPerSecond: 10_000 });
  await cluster.settle();
  const count = (): number => cluster.simulation.trace.entries.filter((entry) => entry.kind === 'runtime' && entry.what === 'load').length;
  expect(count()).toBe(1);
  await cluster.advance(120 * SECOND);
  expect(count()).toBe(1);
});

test('a restarted container takes up its share again', async () => {
  const cluster = await clusterWithWeb();
  cluster.load({ service: 'web', requestsPerSecond: 100 });
  await cluster.advance(SECOND);
  cluster.fault({ fault: 'crash', component: 'containerd/n1' });
  cluster.fault({ fault: 'restart', component: 'containerd/n1' });
  await cluster.advance(60 * SECOND);
  expect((await usedWithin(cluster, 10 * SECOND)).filter((seconds) => seconds === 1)).toHaveLength(2);
});
