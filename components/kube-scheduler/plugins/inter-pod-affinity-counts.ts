import type { Node, Pod } from '../../../src/api/kinds/core-v1.ts';
import type { AffinityTerm } from '../framework/affinity-term.ts';
import type { StateData } from '../framework/cycle-state.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { SnapshotTable } from './helper/snapshot-tables.ts';

/** The labels of a namespace, for terms that select namespaces. */
export type NamespaceLabels = (namespace: string) => Readonly<Record<string, string>> | undefined;

interface Tally {
  sum: number;
  /** How many pods are in the sum: weights that cancel each other out are still weights. */
  pods: number;
}

/** How many pods there are, or what they weigh, by topology key and value: topologyToMatchedTermCount, scoreMap. */
export class TopologyCounts {
  readonly #counts: Map<string, Map<string, Tally>>;

  constructor(counts: Map<string, Map<string, Tally>> = new Map()) {
    this.#counts = counts;
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  /** `pods` come to the node (or go, when negative), each of `weight`. */
  add(node: Node, key: string, { pods, weight = 1 }: { readonly pods: number; readonly weight?: number }): void {
    const value = node.metadata.labels?.[key];
    if (value === undefined) return;
    let byValue = this.#counts.get(key);
    if (!byValue) {
      byValue = new Map();
      this.#counts.set(key, byValue);
    }
    const tally = byValue.get(value) ?? { sum: 0, pods: 0 };
    tally.sum += pods * weight;
    tally.pods += pods;
    if (tally.pods === 0) byValue.delete(value);
    else byValue.set(value, tally);
    if (byValue.size === 0) this.#counts.delete(key);
  }

  get(key: string, value: string): number {
    return this.#counts.get(key)?.get(value)?.sum ?? 0;
  }

  /** The sum over all keys that the node has. */
  sum(labels: Readonly<Record<string, string>>): number {
    let sum = 0;
    for (const [key, byValue] of this.#counts) {
      const value = labels[key];
      if (value !== undefined) sum += byValue.get(value)?.sum ?? 0;
    }
    return sum;
  }

  hasAny(labels: Readonly<Record<string, string>>): boolean {
    for (const [key, byValue] of this.#counts) {
      const value = labels[key];
      if (value !== undefined && (byValue.get(value)?.sum ?? 0) > 0) return true;
    }
    return false;
  }

  clone(): TopologyCounts {
    const copyOf = (byValue: ReadonlyMap<string, Tally>) => new Map([...byValue].map(([value, tally]) => [value, { ...tally }]));
    return new TopologyCounts(new Map([...this.#counts].map(([key, byValue]) => [key, copyOf(byValue)])));
  }
}

/** Notes when a namespace's labels were looked at: they may change, and no node changes with them. */
class WatchedLabels {
  volatile = false;
  readonly labelsOf: NamespaceLabels;

  constructor(labelsOf: NamespaceLabels) {
    this.labelsOf = (namespace) => {
      this.volatile = true;
      return labelsOf(namespace);
    };
  }
}

/** Which pods matter to the required terms of a pod, and to which of theirs it does: preFilterState. */
export class RequiredCounts implements StateData, SnapshotTable {
  readonly info: PodInfo;
  readonly existingAntiAffinity: TopologyCounts;
  readonly affinity: TopologyCounts;
  readonly antiAffinity: TopologyCounts;
  readonly #labels: WatchedLabels;

  constructor(
    info: PodInfo,
    labelsOf: NamespaceLabels,
    counts = [new TopologyCounts(), new TopologyCounts(), new TopologyCounts()] as const,
  ) {
    this.info = info;
    this.#labels = new WatchedLabels(labelsOf);
    [this.existingAntiAffinity, this.affinity, this.antiAffinity] = counts;
  }

  get volatile(): boolean {
    return this.#labels.volatile;
  }

  update({ node, podClasses }: NodeInfo, sign: 1 | -1): void {
    if (node) for (const { info, count } of podClasses) this.updateWithPod(info, node, sign * count);
  }

  /** `pods` like this come to the node, or go. */
  updateWithPod(existing: PodInfo, node: Node, pods: number): void {
    const { requiredAffinityTerms, requiredAntiAffinityTerms, pod } = this.info;
    const { labelsOf } = this.#labels;
    for (const term of existing.requiredAntiAffinityTerms) {
      if (term.matches(pod, labelsOf)) this.existingAntiAffinity.add(node, term.topologyKey, { pods });
    }
    if (requiredAffinityTerms.length && matchesAll(requiredAffinityTerms, existing.pod, labelsOf)) {
      for (const term of requiredAffinityTerms) this.affinity.add(node, term.topologyKey, { pods });
    }
    for (const term of requiredAntiAffinityTerms) {
      if (term.matches(existing.pod, labelsOf)) this.antiAffinity.add(node, term.topologyKey, { pods });
    }
  }

  clone(): RequiredCounts {
    const counts = [this.existingAntiAffinity.clone(), this.affinity.clone(), this.antiAffinity.clone()] as const;
    return new RequiredCounts(this.info, this.#labels.labelsOf, counts);
  }
}

/** What each topology value weighs for a pod, by its preferred terms and those of the pods that are there: preScoreState. */
export class PreferredScores implements SnapshotTable {
  readonly scores = new TopologyCounts();
  readonly #info: PodInfo;
  readonly #labels: WatchedLabels;
  readonly #hardWeight: number;

  constructor(info: PodInfo, labelsOf: NamespaceLabels, hardWeight: number) {
    this.#info = info;
    this.#labels = new WatchedLabels(labelsOf);
    this.#hardWeight = hardWeight;
  }

  get volatile(): boolean {
    return this.#labels.volatile;
  }

  update({ node, podClasses }: NodeInfo, sign: 1 | -1): void {
    if (node) for (const { info, count } of podClasses) this.updateWithPod(info, node, sign * count);
  }

  /** scoring.go processExistingPod, for `pods` that are alike. */
  updateWithPod(existing: PodInfo, node: Node, pods: number): void {
    const info = this.#info;
    const weigh = (terms: readonly AffinityTerm[], pod: Pod, weightOf: (term: AffinityTerm) => number): void => {
      for (const term of terms) {
        if (term.matches(pod, this.#labels.labelsOf)) this.scores.add(node, term.topologyKey, { pods, weight: weightOf(term) });
      }
    };
    weigh(info.preferredAffinityTerms, existing.pod, (term) => term.weight);
    weigh(info.preferredAntiAffinityTerms, existing.pod, (term) => -term.weight);
    if (this.#hardWeight > 0) weigh(existing.requiredAffinityTerms, info.pod, () => this.#hardWeight);
    weigh(existing.preferredAffinityTerms, info.pod, (term) => term.weight);
    weigh(existing.preferredAntiAffinityTerms, info.pod, (term) => -term.weight);
  }
}

export function matchesAll(terms: readonly AffinityTerm[], pod: Pod, labelsOf: NamespaceLabels): boolean {
  for (const term of terms) if (!term.matches(pod, labelsOf)) return false;
  return terms.length > 0;
}
