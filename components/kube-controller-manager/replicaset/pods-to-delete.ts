import type { ReplicaSet } from '../../../src/api/kinds/apps-v1.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { labelSelectorAsSelector } from '../../../src/api/label-selector.ts';
import { getControllerOf } from '../../../src/api/meta.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import { firstActivePodsWithRanks, ranksByNode } from '../controller/active-pods-order.ts';
import { isPodActive } from '../controller/controller-utils.ts';

export interface ScaleDown {
  readonly rs: ReplicaSet;
  /** The set's active pods. */
  readonly pods: readonly Pod[];
  /** How many of them go. */
  readonly count: number;
  /** All sets of the namespace. */
  readonly sets: readonly ReplicaSet[];
  readonly podStore: Indexer<Pod>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Which pods a scale-down takes: pkg/controller/replicaset/replica_set.go getPodsToDelete */
export function getPodsToDelete(down: ScaleDown): readonly Pod[] {
  if (down.count >= down.pods.length) return down.pods;
  const rankOf = ranksByNode(getIndirectlyRelatedPods(down));
  return firstActivePodsWithRanks(down.pods, down.count, { rankOf, now: down.now });
}

/**
 * Active pods of all sets of the same controller, e.g. of all revisions of one Deployment: of two pods on one node one is likelier to go.
 * pkg/controller/replicaset/replica_set.go getIndirectlyRelatedPods
 */
function getIndirectlyRelatedPods({ rs, sets, podStore }: ScaleDown): Pod[] {
  const controller = getControllerOf(rs)?.uid;
  const related = controller ? sets.filter((other) => getControllerOf(other)?.uid === controller) : [];
  const selectors = related.map((other) => labelSelectorAsSelector(other.spec?.selector));
  const candidates = selectors.length ? podStore.listNamespace(rs.metadata.namespace ?? '') : [];
  return candidates.filter((pod) => isPodActive(pod) && selectors.some((selector) => selector.matches(pod.metadata.labels)));
}
