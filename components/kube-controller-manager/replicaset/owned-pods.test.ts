import { describe, expect, it } from 'vitest';
import type { ReplicaSet } from '../../../src/api/kinds/apps-v1.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { getControllerOf } from '../../../src/api/meta.ts';
import { keyOf } from '../../../src/api/object.ts';
import { ObjectIndexer } from '../../../src/client/indexer.ts';
import { Random } from '../../../src/sim/random.ts';
import { filterActivePods } from '../controller/controller-utils.ts';
import { countPods, OwnedPods } from './owned-pods.ts';

const STATUSES = [
  { phase: 'Pending' },
  { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  { phase: 'Running' },
  { phase: 'Failed' },
];
const LABELS: Record<string, string>[] = [{ app: 'web' }, { app: 'web', version: '2' }, { app: 'other' }];

function replicaSet(uid: string, labels: Record<string, string>): ReplicaSet {
  return { metadata: { name: uid, uid }, spec: { selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels } } } };
}

function randomPod(random: Random): Pod {
  const owner = random.pick(['a', 'b', undefined]);
  const ownerReferences = owner ? [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, uid: owner, controller: true }] : [];
  const deleted = random.integer(8) === 0 ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {};
  const status = random.pick(STATUSES) ?? {};
  const spec = { containers: [], ...(random.integer(2) ? { nodeName: 'n1' } : {}) };
  return {
    metadata: { name: `p${random.integer(20)}`, namespace: 'x', labels: random.pick(LABELS) ?? {}, ownerReferences, ...deleted },
    spec,
    status,
  };
}

describe('OwnedPods', () => {
  it.each(['1', '2', '3'])('counts as a recount from scratch does (seed %s)', (seed) => {
    const random = new Random(seed);
    const store = new ObjectIndexer<Pod>({ controllerUID: (pod) => [getControllerOf(pod)?.uid ?? ''] });
    const owned = new OwnedPods(store);
    let sets = [replicaSet('a', { app: 'web' }), replicaSet('b', { app: 'web', version: '2' })];
    for (let step = 0; step < 500; step++) {
      const pod = randomPod(random);
      if (random.integer(4) === 0) {
        // A deletion may tell of another state than the cache has.
        const last = store.delete(keyOf(pod));
        if (last) owned.delete({ ...last, status: { phase: 'Failed' } });
      } else owned.put(pod, store.put(pod));
      if (step === 250) sets = [replicaSet('a', { app: 'web', version: '2' }), replicaSet('b', { app: 'web' })];
      for (const rs of sets) {
        const active = filterActivePods(store.byIndex('controllerUID', rs.metadata.uid ?? ''));
        const matched = active.filter(({ metadata }) => metadata.labels?.app === 'web');
        const onNode = matched.filter(({ spec }) => spec?.nodeName === 'n1').length;
        expect(owned.ranksOf([rs])({ metadata: {}, spec: { containers: [], nodeName: 'n1' } })).toBe(onNode);
        const { replicas, fullyLabeled, ready, unmatched } = owned.countsOf(rs);
        expect({ replicas, fullyLabeled, ready, unmatched }).toEqual({
          ...countPods(rs, matched),
          unmatched: active.length - matched.length,
        });
      }
    }
  });
});
