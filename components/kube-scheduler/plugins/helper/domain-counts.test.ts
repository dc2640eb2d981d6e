import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Pod } from '../../../../src/api/kinds/core-v1.ts';
import { labelSelectorAsSelector } from '../../../../src/api/label-selector.ts';
import { Cache } from '../../backend/cache/cache.ts';
import { Snapshot } from '../../backend/cache/snapshot.ts';
import { TopologySpreadConstraint } from '../pod-topology-spread-constraint.ts';
import { DomainCounts } from './domain-counts.ts';

// Goal: counts that follow the snapshot are those that a walk over all nodes gives.
// Method: random nodes and pods come and go; counts of one that follows are compared with those of one that begins anew.

const ZONE = 'topology.kubernetes.io/zone';

function constraint(): TopologySpreadConstraint {
  const pod: Pod = { metadata: { name: 'incoming', namespace: 'default', labels: { app: 'a' } }, spec: { containers: [] } };
  const selector = labelSelectorAsSelector({ matchLabels: { app: 'a' } });
  return new TopologySpreadConstraint(pod, { topologyKey: ZONE, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }, selector);
}

const step = fc.record({
  node: fc.integer({ min: 0, max: 4 }),
  pod: fc.integer({ min: 0, max: 9 }),
  zone: fc.constantFrom('a', 'b', undefined),
  what: fc.constantFrom('node', 'no node', 'pod', 'no pod', 'look'),
  app: fc.constantFrom('a', 'b'),
});

it('counts as a walk over all nodes does', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const cache = new Cache();
      const snapshot = new Snapshot();
      const following = new DomainCounts(snapshot);
      const pods = new Map<number, Pod>();
      for (const { node, pod, zone, what, app } of steps) {
        const metadata = { name: `n${node}`, labels: zone ? { [ZONE]: zone } : {} };
        if (what === 'node') cache.addNode({ metadata });
        if (what === 'no node') cache.removeNode({ metadata });
        if (what === 'pod') {
          const before = pods.get(pod);
          const made: Pod = {
            metadata: { name: `p${pod}`, uid: `p${pod}`, namespace: 'default', labels: { app } },
            spec: { nodeName: before?.spec?.nodeName ?? `n${node}`, containers: [] },
          };
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
        for (const keys of [[], [ZONE]]) {
          const where = { keys, affinity: undefined };
          const counts = (from: DomainCounts) => [...from.podsByValue(constraint(), where)].sort();
          expect(counts(following)).toEqual(counts(new DomainCounts(snapshot)));
        }
      }
    }),
    { numRuns: 300 },
  );
});
