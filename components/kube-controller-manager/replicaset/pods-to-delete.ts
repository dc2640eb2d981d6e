import type { ReplicaSet } from '../../../src/api/kinds/apps-v1.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { getControllerOf } from '../../../src/api/meta.ts';
import { firstActivePodsWithRanks } from '../controller/active-pods-order.ts';
import type { OwnedPods } from './owned-pods.ts';

export interface ScaleDown {
  readonly rs: ReplicaSet;
  /** The set's active pods. */
  readonly pods: readonly Pod[];
  /** How many of them go. */
  readonly count: number;
  /** All sets of the namespace. */
  readonly sets: readonly ReplicaSet[];
  readonly owned: OwnedPods;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Which pods a scale-down takes: pkg/controller/replicaset/replica_set.go getPodsToDelete */
export function getPodsToDelete({ rs, pods, count, sets, owned, now }: ScaleDown): readonly Pod[] {
  if (count >= pods.length) return pods;
  return firstActivePodsWithRanks(pods, count, { rankOf: owned.ranksOf(setsOfSameController(rs, sets)), now });
}

/**
 * E.g. all revisions of one Deployment: where two of their pods share a node, one of them is likelier to go.
 * pkg/controller/replicaset/replica_set.go getReplicaSetsWithSameController
 */
function setsOfSameController(rs: ReplicaSet, sets: readonly ReplicaSet[]): ReplicaSet[] {
  const controller = getControllerOf(rs)?.uid;
  return controller ? sets.filter((other) => getControllerOf(other)?.uid === controller) : [];
}
