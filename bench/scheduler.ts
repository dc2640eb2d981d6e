// Schedules pods on nodes and prints how many it did a second, and a second of processor time, as JSON: the choice alone, and the whole way through the API.
//
//   scheduler.ts NODES PODS plain|spread|affinity|anti-affinity choice|pipeline
import { completeConfiguration } from '../components/kube-scheduler/apis/config/kube-scheduler-configuration.ts';
import { Cache } from '../components/kube-scheduler/backend/cache/cache.ts';
import { Snapshot } from '../components/kube-scheduler/backend/cache/snapshot.ts';
import { CycleState } from '../components/kube-scheduler/framework/cycle-state.ts';
import type { Handle } from '../components/kube-scheduler/framework/interface.ts';
import { assumedPod } from '../components/kube-scheduler/framework/pod-info.ts';
import { Framework } from '../components/kube-scheduler/framework/runtime/framework.ts';
import { newInTreeRegistry } from '../components/kube-scheduler/plugins/registry.ts';
import { schedulePod } from '../components/kube-scheduler/schedule-pod.ts';
import type { Node, Pod } from '../src/api/kinds/core-v1.ts';
import { createCluster } from '../src/cluster/cluster.ts';
import { objectsAt } from '../src/cluster/history.ts';
import { Simulation } from '../src/sim/simulation.ts';

const nodeCount = Number(process.argv[2] ?? 5_000);
const podCount = Number(process.argv[3] ?? 10_000);
const [kind = 'plain', what = 'pipeline'] = process.argv.slice(4);

const ZONES = 10;
const APPS = 100;
const ZONE = 'topology.kubernetes.io/zone';
const HOSTNAME = 'kubernetes.io/hostname';

const nodes = Array.from({ length: nodeCount }, (_, index): Node => {
  const name = `node-${index}`;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid: name, labels: { [HOSTNAME]: name, [ZONE]: `zone-${index % ZONES}` } },
    spec: {},
    status: { allocatable: { cpu: '32', memory: '128Gi', pods: '110' } },
  };
});

/** Each app has a hundredth of the pods. */
function constraints(app: string): Partial<NonNullable<Pod['spec']>> {
  const labelSelector = { matchLabels: { app } };
  switch (kind) {
    case 'spread':
      return { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule', labelSelector }] };
    case 'affinity':
      return { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: ZONE, labelSelector }] } } };
    case 'anti-affinity':
      return {
        affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: HOSTNAME, labelSelector }] } },
      };
    default:
      return {};
  }
}

const pods = Array.from({ length: podCount }, (_, index): Pod => {
  const name = `pod-${index}`;
  const app = `app-${index % APPS}`;
  const containers = [{ name: 'c', image: 'web:1.0', resources: { requests: { cpu: '100m', memory: '200Mi' } } }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, uid: name, namespace: 'default', labels: { app }, creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { schedulerName: 'default-scheduler', containers, ...constraints(app) },
    status: { phase: 'Pending' },
  };
});

function choice(): { placed: number; ms: number } {
  const simulation = new Simulation({ seed: '1', trace: 'off' });
  const actor = simulation.actor('kube-scheduler', () => {});
  const cache = new Cache();
  for (const node of nodes) cache.addNode(node);
  const snapshot = new Snapshot();
  const nothing = { get: () => undefined, list: () => [], listNamespace: () => [] };
  const handle = {
    actor,
    snapshot,
    random: simulation.random,
    listers: new Proxy({}, { get: () => nothing }),
    nominator: { isEmpty: true, nominatedPodsForNode: () => [] },
  } as unknown as Omit<Handle, 'framework'>;
  const [profile] = completeConfiguration().profiles;
  if (!profile) throw new Error('there is a default profile');
  const fwk = new Framework({ profile, registry: newInTreeRegistry(), handle });
  const algorithm = { snapshot, random: simulation.random, percentageOfNodesToScore: 0, nextStartNodeIndex: 0 };
  const start = performance.now();
  let placed = 0;
  for (const pod of pods) {
    cache.updateSnapshot(snapshot);
    const result = schedulePod(algorithm, { fwk, state: new CycleState(), pod });
    if (!('suggestedHost' in result)) continue;
    cache.assumePod(assumedPod(pod, result.suggestedHost));
    placed++;
  }
  return { placed, ms: performance.now() - start };
}

async function pipeline(): Promise<{ placed: number; ms: number }> {
  const start = performance.now();
  const cluster = await createCluster({ nodes: 0, components: ['kube-scheduler'], snapshot: [...nodes, ...pods], trace: 'off' });
  const ms = performance.now() - start;
  const placed = objectsAt(cluster).filter((object) => object.kind === 'Pod' && (object as Pod).spec?.nodeName).length;
  return { placed, ms };
}

const before = process.cpuUsage();
const { placed, ms } = what === 'choice' ? choice() : await pipeline();
const { user, system } = process.cpuUsage(before);
process.stdout.write(
  `${JSON.stringify({ placed, podsPerSecond: placed / (ms / 1000), podsPerCpuSecond: placed / ((user + system) / 1e6), readyMs: ms, peakMb: process.resourceUsage().maxRSS / 1024 })}\n`,
);
