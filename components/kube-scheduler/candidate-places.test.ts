import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Node, Pod } from '../../src/api/kinds/core-v1.ts';
import { Simulation } from '../../src/sim/simulation.ts';
import { completeConfiguration } from './apis/config/kube-scheduler-configuration.ts';
import { Cache } from './backend/cache/cache.ts';
import { Snapshot } from './backend/cache/snapshot.ts';
import { CycleState } from './framework/cycle-state.ts';
import type { Handle } from './framework/interface.ts';
import { assumedPod } from './framework/pod-info.ts';
import { Framework } from './framework/runtime/framework.ts';
import { newInTreeRegistry } from './plugins/registry.ts';
import { type Algorithm, schedulePod } from './schedule-pod.ts';

// Goal: to spare nodes that a plugin is sure to refuse changes nothing but speed.
// Method: the same random pods go to a hundred nodes and more, with candidates named by plugins and without; every choice is compared.

const ZONE = 'topology.kubernetes.io/zone';
const HOSTNAME = 'kubernetes.io/hostname';

function world(candidates: boolean) {
  const simulation = new Simulation({ seed: '1', trace: 'off' });
  const snapshot = new Snapshot();
  const nothing = { get: () => undefined, list: () => [], listNamespace: () => [] };
  const handle = {
    actor: simulation.actor('kube-scheduler', () => {}),
    snapshot,
    random: simulation.random,
    listers: new Proxy({}, { get: () => nothing }),
    nominator: { isEmpty: true, nominatedPodsForNode: () => [] },
  } as unknown as Omit<Handle, 'framework'>;
  const [profile] = completeConfiguration().profiles;
  if (!profile) throw new Error('there is a default profile');
  const fwk = new Framework({ profile, registry: newInTreeRegistry(), handle });
  if (!candidates) fwk.candidatePlaces = () => undefined;
  const algorithm: Algorithm = { snapshot, random: simulation.random, percentageOfNodesToScore: 60, nextStartNodeIndex: 0 };
  const cache = new Cache();
  return { cache, schedule: (pod: Pod) => schedule({ algorithm, cache, fwk }, pod), algorithm };
}

function schedule({ algorithm, cache, fwk }: { algorithm: Algorithm; cache: Cache; fwk: Framework }, pod: Pod): unknown {
  cache.updateSnapshot(algorithm.snapshot);
  const result = schedulePod(algorithm, { fwk, state: new CycleState(), pod });
  if (!('suggestedHost' in result)) return result.message;
  const refused = [...result.refused(Number.POSITIVE_INFINITY)].map(([name, { reasons }]) => `${name}: ${reasons}`).sort();
  cache.assumePod(assumedPod(pod, result.suggestedHost));
  return [result.suggestedHost, result.equals, result.evaluatedNodes, result.feasibleNodes, refused, algorithm.nextStartNodeIndex];
}

function podOf(name: string, { app, kind, cpu }: { app: string; kind: number; cpu: number }): Pod {
  const term = { topologyKey: ZONE, labelSelector: { matchLabels: { app } } };
  const own = { topologyKey: HOSTNAME, labelSelector: { matchLabels: { app } } };
  const spread = (maxSkew: number) => [{ ...term, maxSkew, whenUnsatisfiable: 'DoNotSchedule' }];
  const kinds: Partial<NonNullable<Pod['spec']>>[] = [
    {},
    { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } },
    { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [own, term] } } },
    { topologySpreadConstraints: spread(1) },
    { topologySpreadConstraints: spread(2), affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [own] } } },
  ];
  const containers = [{ name: 'c', resources: { requests: { cpu: String(cpu) } } }];
  return {
    metadata: { name, uid: name, namespace: 'default', labels: { app } },
    spec: { schedulerName: 'default-scheduler', containers, ...kinds[kind] },
  };
}

function nodeOf(i: number, zones: number): Node {
  const name = `n${i}`;
  const labels = { [HOSTNAME]: name, ...(i % 17 ? { [ZONE]: `z${i % zones}` } : {}) };
  return { metadata: { name, labels }, status: { allocatable: { cpu: '2', memory: '8Gi', pods: '3' } } };
}

it('chooses as a search among all nodes does', () => {
  const pod = fc.record({ app: fc.constantFrom('a', 'b'), kind: fc.nat(4), cpu: fc.integer({ min: 0, max: 2 }) });
  const run = fc.record({
    pods: fc.array(pod, { maxLength: 40 }),
    nodes: fc.integer({ min: 100, max: 220 }),
    zones: fc.constantFrom(2, 7, 15),
  });
  fc.assert(
    fc.property(run, ({ pods, nodes, zones }) => {
      const worlds = [world(true), world(false)];
      for (const { cache } of worlds) for (let i = 0; i < nodes; i++) cache.addNode(nodeOf(i, zones));
      pods.forEach((one, i) => {
        const [with_, without] = worlds.map((each) => each.schedule(podOf(`p${i}`, one)));
        expect(with_).toEqual(without);
      });
    }),
    { numRuns: 40 },
  );
});
