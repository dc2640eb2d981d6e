import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Node, Pod } from '../../../../src/api/kinds/core-v1.ts';
import { Simulation } from '../../../../src/sim/simulation.ts';
import { completeConfiguration } from '../../apis/config/kube-scheduler-configuration.ts';
import { Cache } from '../../backend/cache/cache.ts';
import { newSnapshot, Snapshot } from '../../backend/cache/snapshot.ts';
import { newInTreeRegistry } from '../../plugins/registry.ts';
import { prioritizeNodes } from '../../schedule-pod.ts';
import { CycleState } from '../cycle-state.ts';
import type { Handle } from '../interface.ts';
import { podInfoOf } from '../pod-info.ts';
import { Status } from '../status.ts';
import { Framework } from './framework.ts';

// Goal: what a scheduler remembers of nodes gives the answers that it would work out anew.
// Method: nodes and pods come, change and go at random; answers of one framework that follows are compared with those of one that begins anew each time.

const ZONE = 'topology.kubernetes.io/zone';
const HOSTNAME = 'kubernetes.io/hostname';

function frameworkFor(snapshot: Snapshot): Framework {
  const simulation = new Simulation({ seed: '1', trace: 'off' });
  const nothing = { get: () => undefined, list: () => [], listNamespace: () => [] };
  // Pods of a Service are spread by default.
  const service = { metadata: { name: 'a', namespace: 'default' }, spec: { selector: { app: 'a' } } };
  const services = { ...nothing, list: () => [service], listNamespace: () => [service] };
  const handle = {
    actor: simulation.actor('kube-scheduler', () => {}),
    snapshot,
    random: simulation.random,
    listers: new Proxy({}, { get: (_, name) => (name === 'services' ? services : nothing) }),
    nominator: { isEmpty: true, nominatedPodsForNode: () => [] },
  } as unknown as Omit<Handle, 'framework'>;
  const [profile] = completeConfiguration().profiles;
  if (!profile) throw new Error('there is a default profile');
  return new Framework({ profile, registry: newInTreeRegistry(), handle });
}

function scoresOf(fwk: Framework, snapshot: Snapshot, pod: Pod): unknown {
  const scores = prioritizeNodes({ fwk, state: new CycleState(), pod }, snapshot.list);
  if (scores instanceof Status) return scores.message;
  const byNode = (along: readonly number[]) => Object.fromEntries(scores.nodes.map(({ name }, i) => [name, along[i]]).sort());
  return { totals: byNode(scores.totals), plugins: scores.plugins.map(({ name, raw }) => [name, byNode(raw)]) };
}

/** What filters say of each node, as it is and with one more pod. */
function answersOf(fwk: Framework, snapshot: Snapshot, pod: Pod): unknown {
  const state = new CycleState();
  const { status } = fwk.runPreFilterPlugins(state, pod);
  if (status) return status.message;
  const answers = snapshot.list.map((nodeInfo) => {
    const fuller = nodeInfo.clone();
    fuller.addPodInfo(podInfoOf(podOf('more', { app: 'a', cpu: 1500, kind: 0, port: 100 })));
    return [nodeInfo.name, ...[nodeInfo, fuller].map((node) => fwk.runFilterPlugins(state, pod, node)?.message)];
  });
  return answers.sort();
}

function nodeOf(i: number, variant: number): Node {
  const name = `n${i}`;
  const zones = [{ [ZONE]: 'a' }, { [ZONE]: 'b' }, {}];
  const taints = variant % 2 ? [{ key: 'slow', effect: i % 2 ? 'PreferNoSchedule' : 'NoSchedule' }] : [];
  const images = variant > 1 ? [{ names: ['web:1.0'], sizeBytes: 400 * 1024 * 1024 }] : [];
  return {
    metadata: { name, labels: { [HOSTNAME]: name, ...zones[(i + variant) % 3] } },
    spec: { taints, unschedulable: variant === 2 && i === 1 },
    status: { allocatable: { cpu: `${2 + (variant % 3)}`, memory: '8Gi', pods: '3' }, images },
  };
}

function podOf(name: string, { app, cpu, kind, port }: { app: string; cpu: number; kind: number; port: number }): Pod {
  const spread = [{ topologyKey: HOSTNAME, maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway', labelSelector: { matchLabels: { app } } }];
  const kinds: Partial<NonNullable<Pod['spec']>>[] = [
    {},
    { topologySpreadConstraints: spread },
    { tolerations: [{ key: 'slow', operator: 'Exists' }] },
    { nodeSelector: { [ZONE]: app } },
  ];
  const ports = kind === 0 ? [{ containerPort: 80, hostPort: port, protocol: 'TCP' }] : [];
  const containers = [{ name: 'c', image: 'web:1.0', ports, resources: { requests: { cpu: `${cpu}m` } } }];
  return { metadata: { name, uid: name, namespace: 'default', labels: { app } }, spec: { containers, ...kinds[kind] } };
}

it('filters and scores nodes as if nothing were remembered', () => {
  const traits = fc.record({ app: fc.constantFrom('a', 'b'), cpu: fc.constantFrom(0, 700, 1500), kind: fc.nat(3) });
  const step = fc.record({
    node: fc.nat(4),
    pod: fc.nat(9),
    variant: fc.nat(3),
    traits,
    what: fc.constantFrom('node', 'no node', 'pod', 'pod', 'no pod', 'score', 'score'),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 30, maxLength: 60 }), (steps) => {
      const cache = new Cache();
      const snapshot = new Snapshot();
      const following = frameworkFor(snapshot);
      const [nodes, pods] = [new Map<string, Node>(), new Map<number, Pod>()];
      for (let i = 0; i < 5; i++) {
        nodes.set(`n${i}`, nodeOf(i, 0));
        cache.addNode(nodeOf(i, 0));
      }
      for (const { node, pod, variant, traits: wanted, what } of steps) {
        const known = pods.get(pod);
        if (what === 'node') {
          const made = nodeOf(node, variant);
          nodes.set(made.metadata.name ?? '', made);
          cache.addNode(made);
        } else if (what === 'no node') {
          nodes.delete(`n${node}`);
          cache.removeNode(nodeOf(node, 0));
        } else if (what === 'pod' && !known) {
          const made = podOf(`p${pod}`, { ...wanted, port: pod });
          const placed = { ...made, spec: { ...made.spec, nodeName: `n${node}` } } as Pod;
          pods.set(pod, placed);
          cache.addPod(placed);
        } else if (what === 'no pod' && known) {
          pods.delete(pod);
          cache.removePod(known);
        } else if (what === 'score') {
          cache.updateSnapshot(snapshot);
          const fresh = newSnapshot([...pods.values()], [...nodes.values()]);
          const incoming = podOf('incoming', { ...wanted, port: pod });
          const anew = frameworkFor(fresh);
          expect(answersOf(following, snapshot, incoming)).toEqual(answersOf(anew, fresh, incoming));
          expect(scoresOf(following, snapshot, incoming)).toEqual(scoresOf(anew, fresh, incoming));
        }
      }
    }),
    { numRuns: 200 },
  );
});
