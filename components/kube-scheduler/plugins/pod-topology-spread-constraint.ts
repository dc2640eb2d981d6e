import type { TopologySpreadConstraint as ConstraintSpec, Node, Pod } from '../../../src/api/kinds/core-v1.ts';
import { labelSelectorAsSelector, newSelector, type Selector } from '../../../src/api/label-selector.ts';
import { findMatchingUntoleratedTaint } from '../../../src/api/taints.ts';
import type { Listers } from '../framework/listers.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { defaultSelector } from './helper/spread.ts';

export type UnsatisfiableAction = 'DoNotSchedule' | 'ScheduleAnyway';

/** One constraint of a pod, ready for use: plugins/podtopologyspread topologySpreadConstraint. */
export class TopologySpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly selector: Selector;
  readonly #honorsAffinity: boolean;
  /** Nodes with taints that the pod does not tolerate are no places. */
  readonly honorsTaints: boolean;
  readonly pod: Pod;
  /** Names what is counted, for nodes to remember the count by. */
  readonly countKey: string;

  constructor(pod: Pod, spec: ConstraintSpec, selector: Selector) {
    this.pod = pod;
    this.topologyKey = spec.topologyKey;
    this.maxSkew = spec.maxSkew;
    this.minDomains = spec.minDomains ?? 1;
    this.selector = selector;
    this.#honorsAffinity = (spec.nodeAffinityPolicy ?? 'Honor') === 'Honor';
    this.honorsTaints = spec.nodeTaintsPolicy === 'Honor';
    this.countKey = `${pod.metadata.namespace}/${selector}`;
  }

  /** Whether a node counts has nothing to do with the pod. */
  includesAll(affinity: ((node: Node) => boolean) | undefined): boolean {
    return !this.honorsTaints && !(this.#honorsAffinity && affinity);
  }

  /** matchNodeInclusionPolicies: does the node count as a place where the pod could go? */
  includes(node: Node, affinity: ((node: Node) => boolean) | undefined): boolean {
    if (this.#honorsAffinity && affinity && !affinity(node)) return false;
    return (
      !this.honorsTaints ||
      !findMatchingUntoleratedTaint(node.spec?.taints, this.pod.spec?.tolerations, (taint) => taint.effect !== 'PreferNoSchedule')
    );
  }

  /** countPodsMatchSelector. A selector that selects everything counts nothing, as upstream. */
  count(nodeInfo: NodeInfo): number {
    if (this.selector.empty || nodeInfo.pods.length === 0) return 0;
    return nodeInfo.countPods(this.countKey, (pod) => this.counts(pod));
  }

  /** Terminating pods do not count. */
  counts(pod: Pod): boolean {
    return !this.selector.empty && !pod.metadata.deletionTimestamp && this.selects(pod);
  }

  selects(pod: Pod): boolean {
    return pod.metadata.namespace === this.pod.metadata.namespace && this.selector.matches(pod.metadata.labels);
  }
}

/** nodeLabelsMatchSpreadConstraints: the node has all keys. */
export function hasAllKeys(node: Node, constraints: readonly TopologySpreadConstraint[]): boolean {
  for (const { topologyKey } of constraints) if (node.metadata.labels?.[topologyKey] === undefined) return false;
  return true;
}

/** The pod's own constraints, or the default ones if it has none and something selects it: getConstraints and buildDefaultConstraints. */
export function constraintsOf(
  pod: Pod,
  action: UnsatisfiableAction,
  defaults: { readonly constraints: readonly ConstraintSpec[]; readonly listers: Listers },
): readonly TopologySpreadConstraint[] {
  const own = pod.spec?.topologySpreadConstraints ?? [];
  if (own.length)
    return own.filter((one) => one.whenUnsatisfiable === action).map((one) => new TopologySpreadConstraint(pod, one, selectorOf(pod, one)));
  const wanted = defaults.constraints.filter((one) => one.whenUnsatisfiable === action);
  if (wanted.length === 0) return [];
  const selector = defaultSelector(pod, defaults.listers);
  return selector.empty ? [] : wanted.map((one) => new TopologySpreadConstraint(pod, one, selector));
}

/** kube-apiserver merges `matchLabelKeys` into the selector; to do so again changes nothing. */
function selectorOf(pod: Pod, spec: ConstraintSpec): Selector {
  const selector = labelSelectorAsSelector(spec.labelSelector);
  const keys = (spec.matchLabelKeys ?? []).filter((key) => pod.metadata.labels?.[key] !== undefined);
  if (keys.length === 0 || !spec.labelSelector) return selector;
  const more = keys.map((key) => ({ key, operator: 'in' as const, values: [pod.metadata.labels?.[key] ?? ''] }));
  return newSelector([...selector.requirements, ...more]);
}
