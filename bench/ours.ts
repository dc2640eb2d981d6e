// Runs one workload on bottleship and prints what it measured as JSON.

import { configmaps, deployments } from '../src/api/resources.ts';
import { createCluster } from '../src/cluster/cluster.ts';

const replicas = Number(process.argv[2] ?? 0);
const nodes = Number(process.argv[3] ?? 3);
const writes = Number(process.argv[4] ?? 0);
const idleVirtualMs = Number(process.argv[5] ?? 0);

/** More replicas than this are shared out among Deployments of this size at least. */
const LARGEST = 10_000;

const start = performance.now();
const podsPerNode = Math.max(110, Math.ceil(replicas / nodes) + 10);
const cluster = await createCluster({
  nodes: Array.from({ length: nodes }, (_, index) => ({
    name: `n${index + 1}`,
    cpu: '1000',
    memory: '4000Gi',
    pods: podsPerNode,
    images: ['web:1.0'],
  })),
  trace: 'off',
});
const bootMs = performance.now() - start;

const applied = performance.now();
let ready = 0;
if (replicas) {
  const count = Math.max(1, Math.floor(replicas / LARGEST));
  for (let index = 0; index < count; index++) {
    const name = `web${index || ''}`;
    const labels = { app: name };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1.0' }] } };
    const own = Math.floor(replicas / count);
    const spec = { replicas: own, selector: { matchLabels: labels }, template };
    await cluster.call((client) => client.resource(deployments).create({ metadata: { name, namespace: 'default' }, spec }));
  }
  await cluster.settle({ maxEvents: Number.POSITIVE_INFINITY });
  const { items } = await cluster.call((client) => client.resource(deployments).list({ namespace: 'default' }));
  for (const { status } of items) ready += status?.readyReplicas ?? 0;
}
const readyMs = performance.now() - applied;

const idle = performance.now();
if (idleVirtualMs) await cluster.advance(idleVirtualMs);
const idleMs = performance.now() - idle;

const writing = performance.now();
if (writes) {
  await cluster.call(async (client) => {
    const maps = client.resource(configmaps);
    let object = await maps.create({ metadata: { name: 'bench', namespace: 'default' }, data: { count: '0' } });
    for (let i = 1; i < writes; i++) object = await maps.update({ ...object, data: { count: String(i) } });
  });
}
const writesPerSecond = writes ? writes / ((performance.now() - writing) / 1000) : 0;
process.stdout.write(
  `${JSON.stringify({ bootMs, readyMs, ready, idleMs, writesPerSecond, events: cluster.simulation.executed, virtualMs: cluster.simulation.now, peakMb: process.resourceUsage().maxRSS / 1024 })}\n`,
);
