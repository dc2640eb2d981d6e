// Starts a cluster of three nodes with all addons, those of Amazon EKS too when it is told `eks`, and prints what that took as JSON: run by main.ts.
import { createCluster } from '../src/cluster/cluster.ts';

const names = ['csi-driver', 'snapshot-controller', 'database-operator', 'metacontroller', 'metrics-server', 'metrics-adapter'];
const wanted = process.argv[2] === 'eks' ? [...names, 'eks'] : names;
const start = performance.now();
const cluster = await createCluster({ nodes: 3, addons: Object.fromEntries(wanted.map((name) => [name, {}])), trace: 'off' });
const bootMs = performance.now() - start;
const idle = performance.now();
await cluster.advance(60_000);
process.stdout.write(
  `${JSON.stringify({ bootMs, readyMs: 0, ready: 0, idleMs: performance.now() - idle, peakMb: process.resourceUsage().maxRSS / 1024 })}\n`,
);
