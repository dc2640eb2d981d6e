import type { Node, Pod } from '../../../src/api/kinds/core-v1.ts';
import type { Snapshot } from '../backend/cache/snapshot.ts';
import type { AffinityTerm } from '../framework/affinity-term.ts';
import { type CycleState, type StateData, StateKey } from '../framework/cycle-state.ts';
import type { ClusterEventWithHint } from '../framework/events.ts';
import { type Handle, MAX_NODE_SCORE, type NodeScore, type Plugin } from '../framework/interface.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { type PodInfo, podInfoOf } from '../framework/pod-info.ts';
import { Status } from '../framework/status.ts';
import { interPodAffinityEvents } from './inter-pod-affinity-hints.ts';

const NAME = 'InterPodAffinity';
const SKIP = new Status('Skip');
const AFFINITY = new Status('UnschedulableAndUnresolvable', ["node(s) didn't match pod affinity rules"], NAME);
const ANTI_AFFINITY = new Status('Unschedulable', ["node(s) didn't match pod anti-affinity rules"], NAME);
const EXISTING_ANTI_AFFINITY = new Status('Unschedulable', ["node(s) didn't satisfy existing pods anti-affinity rules"], NAME);

/** kubescheduler.config.k8s.io/v1 InterPodAffinityArgs */
export interface InterPodAffinityArgs {
  readonly hardPodAffinityWeight?: number;
  readonly ignorePreferredTermsOfExistingPods?: boolean;
}

type NamespaceLabels = (namespace: string) => Readonly<Record<string, string>> | undefined;

/** How many pods there are by topology key and value: topologyToMatchedTermCount. */
class TopologyCounts {
  readonly #counts: Map<string, Map<string, number>>;
  /** Weights that cancel each other out are still weights. */
  readonly #keepsZero: boolean;

  constructor(counts: Map<string, Map<string, number>> = new Map(), keepsZero = false) {
    this.#counts = counts;
    this.#keepsZero = keepsZero;
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  add(node: Node, key: string, amount: number): void {
    const value = node.metadata.labels?.[key];
    if (value === undefined) return;
    const byValue = this.#counts.get(key) ?? new Map<string, number>();
    const count = (byValue.get(value) ?? 0) + amount;
    if (count === 0 && !this.#keepsZero) byValue.delete(value);
    else byValue.set(value, count);
    if (byValue.size === 0) this.#counts.delete(key);
    else this.#counts.set(key, byValue);
  }

  get(key: string, value: string): number {
    return this.#counts.get(key)?.get(value) ?? 0;
  }

  /** The sum over all keys that the node has. */
  sum(labels: Readonly<Record<string, string>>): number {
    let sum = 0;
    for (const [key, byValue] of this.#counts) {
      const value = labels[key];
      if (value !== undefined) sum += byValue.get(value) ?? 0;
    }
    return sum;
  }

  hasAny(labels: Readonly<Record<string, string>>): boolean {
    for (const [key, byValue] of this.#counts) {
      const value = labels[key];
      if (value !== undefined && (byValue.get(value) ?? 0) > 0) return true;
    }
    return false;
  }

  clone(): TopologyCounts {
    return new TopologyCounts(new Map([...this.#counts].map(([key, byValue]) => [key, new Map(byValue)])));
  }
}

class PreFilterState implements StateData {
  readonly info: PodInfo;
  readonly existingAntiAffinity: TopologyCounts;
  readonly affinity: TopologyCounts;
  readonly antiAffinity: TopologyCounts;

  readonly #labelsOf: NamespaceLabels;

  constructor(
    info: PodInfo,
    labelsOf: NamespaceLabels,
    counts = [new TopologyCounts(), new TopologyCounts(), new TopologyCounts()] as const,
  ) {
    this.info = info;
    this.#labelsOf = labelsOf;
    [this.existingAntiAffinity, this.affinity, this.antiAffinity] = counts;
  }

  /** `amount` pods like this come to the node, or go. */
  update(existing: PodInfo, node: Node, amount: number): void {
    const { requiredAffinityTerms, requiredAntiAffinityTerms, pod } = this.info;
    const labelsOf = this.#labelsOf;
    for (const term of existing.requiredAntiAffinityTerms) {
      if (term.matches(pod, labelsOf)) this.existingAntiAffinity.add(node, term.topologyKey, amount);
    }
    if (requiredAffinityTerms.length && matchesAll(requiredAffinityTerms, existing.pod, labelsOf)) {
      for (const term of requiredAffinityTerms) this.affinity.add(node, term.topologyKey, amount);
    }
    for (const term of requiredAntiAffinityTerms) {
      if (term.matches(existing.pod, labelsOf)) this.antiAffinity.add(node, term.topologyKey, amount);
    }
  }

  clone(): PreFilterState {
    return new PreFilterState(this.info, this.#labelsOf, [
      this.existingAntiAffinity.clone(),
      this.affinity.clone(),
      this.antiAffinity.clone(),
    ]);
  }
}

interface PreScoreState extends StateData {
  readonly scores: TopologyCounts;
}

const PRE_FILTER = new StateKey<PreFilterState>(`PreFilter${NAME}`);
const PRE_SCORE = new StateKey<PreScoreState>(`PreScore${NAME}`);

/** Pods near to or away from other pods: pkg/scheduler/framework/plugins/interpodaffinity InterPodAffinity. */
export class InterPodAffinity implements Plugin {
  readonly name = NAME;
  readonly #handle: Pick<Handle, 'snapshot' | 'listers'>;
  readonly #hardWeight: number;
  readonly #ignoreExisting: boolean;
  readonly #labelsOf: NamespaceLabels;

  constructor(args: InterPodAffinityArgs = {}, handle: Pick<Handle, 'snapshot' | 'listers'>) {
    this.#handle = handle;
    this.#hardWeight = args.hardPodAffinityWeight ?? 1;
    this.#ignoreExisting = args.ignorePreferredTermsOfExistingPods ?? false;
    this.#labelsOf = (namespace) => handle.listers.namespaces.get(namespace)?.metadata.labels;
  }

  preFilter(state: CycleState, pod: Pod, snapshot: Snapshot): { status?: Status } {
    const info = podInfoOf(pod);
    const data = new PreFilterState(info, this.#labelsOf);
    const ownTerms = info.requiredAffinityTerms.length + info.requiredAntiAffinityTerms.length > 0;
    if (ownTerms) {
      for (const { node, podClasses } of snapshot.list) if (node) for (const { info, count } of podClasses) data.update(info, node, count);
    } else {
      for (const { node, podClasses } of snapshot.havePodsWithRequiredAntiAffinity) {
        if (node) for (const { info, count } of podClasses) data.update(info, node, count);
      }
    }
    if (!ownTerms && data.existingAntiAffinity.isEmpty) return { status: SKIP };
    state.write(PRE_FILTER, data);
    return {};
  }

  addPod(state: CycleState, _pod: Pod, { pod, nodeInfo }: { readonly pod: PodInfo; readonly nodeInfo: NodeInfo }): undefined {
    if (nodeInfo.node) state.read(PRE_FILTER)?.update(pod, nodeInfo.node, 1);
  }

  removePod(state: CycleState, _pod: Pod, { pod, nodeInfo }: { readonly pod: PodInfo; readonly nodeInfo: NodeInfo }): undefined {
    if (nodeInfo.node) state.read(PRE_FILTER)?.update(pod, nodeInfo.node, -1);
  }

  filter(state: CycleState, _pod: Pod, nodeInfo: NodeInfo): Status | undefined {
    const data = state.read(PRE_FILTER);
    const labels = nodeInfo.node?.metadata.labels ?? {};
    if (!data) return undefined;
    if (!this.#satisfiesPodAffinity(data, labels)) return AFFINITY;
    for (const { topologyKey } of data.info.requiredAntiAffinityTerms) {
      const value = labels[topologyKey];
      if (value !== undefined && data.antiAffinity.get(topologyKey, value) > 0) return ANTI_AFFINITY;
    }
    return data.existingAntiAffinity.hasAny(labels) ? EXISTING_ANTI_AFFINITY : undefined;
  }

  #satisfiesPodAffinity({ info, affinity }: PreFilterState, labels: Readonly<Record<string, string>>): boolean {
    let podsExist = true;
    for (const { topologyKey } of info.requiredAffinityTerms) {
      const value = labels[topologyKey];
      if (value === undefined) return false;
      if (affinity.get(topologyKey, value) <= 0) podsExist = false;
    }
    // The first pod of a group that wants to be with its own kind.
    return podsExist || (affinity.isEmpty && matchesAll(info.requiredAffinityTerms, info.pod, this.#labelsOf));
  }

  preScore(state: CycleState, pod: Pod): Status | undefined {
    const info = podInfoOf(pod);
    const ownTerms = info.preferredAffinityTerms.length + info.preferredAntiAffinityTerms.length > 0;
    if (this.#ignoreExisting && !ownTerms) return SKIP;
    const scores = new TopologyCounts(new Map(), true);
    const { snapshot } = this.#handle;
    for (const nodeInfo of ownTerms ? snapshot.list : snapshot.havePodsWithAffinity) {
      const { node } = nodeInfo;
      if (!node) continue;
      for (const { info: existing, count } of nodeInfo.podClasses) {
        if (ownTerms || existing.hasAffinity) this.#processExistingPods(scores, { info, existing, node, count });
      }
    }
    if (scores.isEmpty) return SKIP;
    const data: PreScoreState = { scores, clone: () => data };
    state.write(PRE_SCORE, data);
    return undefined;
  }

  /** processExistingPod, for `count` pods that are alike. */
  #processExistingPods(scores: TopologyCounts, run: { info: PodInfo; existing: PodInfo; node: Node; count: number }): void {
    const { info, existing, node, count } = run;
    const weigh = (terms: readonly AffinityTerm[], pod: Pod, weightOf: (term: AffinityTerm) => number): void => {
      for (const term of terms) if (term.matches(pod, this.#labelsOf)) scores.add(node, term.topologyKey, count * weightOf(term));
    };
    weigh(info.preferredAffinityTerms, existing.pod, (term) => term.weight);
    weigh(info.preferredAntiAffinityTerms, existing.pod, (term) => -term.weight);
    if (this.#hardWeight > 0) weigh(existing.requiredAffinityTerms, info.pod, () => this.#hardWeight);
    weigh(existing.preferredAffinityTerms, info.pod, (term) => term.weight);
    weigh(existing.preferredAntiAffinityTerms, info.pod, (term) => -term.weight);
  }

  score(state: CycleState, _pod: Pod, nodeInfo: NodeInfo): number {
    return state.read(PRE_SCORE)?.scores.sum(nodeInfo.node?.metadata.labels ?? {}) ?? 0;
  }

  normalizeScore(_state: CycleState, _pod: Pod, scores: readonly NodeScore[]): void {
    let min = Number.POSITIVE_INFINITY;
    let max = Number.NEGATIVE_INFINITY;
    for (const { score } of scores) {
      min = Math.min(min, score);
      max = Math.max(max, score);
    }
    for (const one of scores) one.score = max > min ? Math.trunc(MAX_NODE_SCORE * ((one.score - min) / (max - min))) : 0;
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    return interPodAffinityEvents(this.#labelsOf);
  }
}

function matchesAll(terms: readonly AffinityTerm[], pod: Pod, labelsOf: NamespaceLabels): boolean {
  for (const term of terms) if (!term.matches(pod, labelsOf)) return false;
  return terms.length > 0;
}
