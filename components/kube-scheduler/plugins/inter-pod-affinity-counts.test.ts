import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Pod, PodAffinityTerm } from '../../../src/api/kinds/core-v1.ts';
import { Cache } from '../backend/cache/cache.ts';
import { Snapshot } from '../backend/cache/snapshot.ts';
import { podInfoOf } from '../framework/pod-info.ts';
import { SnapshotTables } from './helper/snapshot-tables.ts';
import { PreferredScores, RequiredCounts } from './inter-pod-affinity-counts.ts';

// Goal: counts that follow the snapshot are those that a walk over all nodes gives.
// Method: random nodes, pods and namespace labels come and go; tables that follow are compared with those that begin anew.

const ZONE = 'topology.kubernetes.io/zone';
const ZONES = ['a', 'b'];
let team = 'x';
const labelsOf = () => ({ team });

const term = (app: string, byNamespace = false): PodAffinityTerm => ({
  topologyKey: ZONE,
  labelSelector: { matchLabels: { app } },
  ...(byNamespace ? { namespaceSelector: { matchLabels: { team: 'x' } } } : {}),
});

function podOf(name: string, app: string, kind: number, nodeName = ''): Pod {
  const required = [term('a', kind === 3)];
  const affinities = [
    {},
    { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
    {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: required,
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 5, podAffinityTerm: term('b') }],
      },
    },
    {
      podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required },
      podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 5, podAffinityTerm: term('b', true) }] },
    },
  ];
  return {
    metadata: { name, uid: name, namespace: kind === 3 ? 'other' : 'default', labels: { app } },
    spec: { nodeName, containers: [], affinity: affinities[kind] ?? {} },
  };
}

const step = fc.record({
  node: fc.integer({ min: 0, max: 4 }),
  pod: fc.integer({ min: 0, max: 9 }),
  kind: fc.integer({ min: 0, max: 3 }),
  zone: fc.constantFrom('a', 'b', undefined),
  what: fc.constantFrom('node', 'no node', 'pod', 'pod', 'no pod', 'team', 'look', 'look'),
  app: fc.constantFrom('a', 'b'),
});

it('counts as a walk over all nodes does', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const cache = new Cache();
      const snapshot = new Snapshot();
      const tables = { required: new SnapshotTables<RequiredCounts>(snapshot), preferred: new SnapshotTables<PreferredScores>(snapshot) };
      const pods = new Map<number, Pod>();
      team = 'x';
      const look = ({ required, preferred }: typeof tables, pod: Pod): unknown => {
        const info = podInfoOf(pod);
        const counts = required.of(info.affinityClass, () => new RequiredCounts(info, labelsOf), snapshot.list);
        const { scores } = preferred.of(info.affinityClass, () => new PreferredScores(info, labelsOf, 1), snapshot.list);
        return [counts.existingAntiAffinity, counts.affinity, counts.antiAffinity, scores].map((one) => [
          one.isEmpty,
          ZONES.map((zone) => one.get(ZONE, zone)),
        ]);
      };
      for (const { node, pod, kind, zone, what, app } of steps) {
        const metadata = { name: `n${node}`, labels: zone ? { [ZONE]: zone } : {} };
        if (what === 'node') cache.addNode({ metadata });
        if (what === 'no node') cache.removeNode({ metadata });
        if (what === 'team') team = team === 'x' ? 'y' : 'x';
        if (what === 'pod') {
          const made = podOf(`p${pod}`, app, kind, pods.get(pod)?.spec?.nodeName ?? `n${node}`);
          pods.set(pod, made);
          cache.updatePod(made);
        }
        const gone = pods.get(pod);
        if (what === 'no pod' && gone) {
          pods.delete(pod);
          cache.removePod(gone);
        }
        if (what !== 'look') continue;
        cache.updateSnapshot(snapshot);
        const anew = { required: new SnapshotTables<RequiredCounts>(snapshot), preferred: new SnapshotTables<PreferredScores>(snapshot) };
        const incoming = podOf('incoming', app, kind);
        expect(look(tables, incoming)).toEqual(look(anew, incoming));
      }
    }),
    { numRuns: 300 },
  );
});
