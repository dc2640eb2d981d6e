import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { Snapshot } from '../backend/cache/snapshot.ts';
import { type CycleState, type StateData, StateKey } from '../framework/cycle-state.ts';
import type { ClusterEventWithHint } from '../framework/events.ts';
import { type Handle, MAX_NODE_SCORE, type NodeScore, type Plugin } from '../framework/interface.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { type PodInfo, podInfoOf } from '../framework/pod-info.ts';
import { Status } from '../framework/status.ts';
import { joinPlaces } from './helper/join-places.ts';
import { SnapshotTables } from './helper/snapshot-tables.ts';
import { matchesAll, type NamespaceLabels, PreferredScores, RequiredCounts, type TopologyCounts } from './inter-pod-affinity-counts.ts';
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

interface PreScoreState extends StateData {
  readonly scores: TopologyCounts;
}

const PRE_FILTER = new StateKey<RequiredCounts>(`PreFilter${NAME}`);
const PRE_SCORE = new StateKey<PreScoreState>(`PreScore${NAME}`);

/** Pods near to or away from other pods: pkg/scheduler/framework/plugins/interpodaffinity InterPodAffinity. */
export class InterPodAffinity implements Plugin {
  readonly name = NAME;
  readonly #handle: Pick<Handle, 'snapshot' | 'listers'>;
  readonly #hardWeight: number;
  readonly #ignoreExisting: boolean;
  readonly #labelsOf: NamespaceLabels;
  readonly #required: SnapshotTables<RequiredCounts>;
  readonly #preferred: SnapshotTables<PreferredScores>;

  constructor(args: InterPodAffinityArgs = {}, handle: Pick<Handle, 'snapshot' | 'listers'>) {
    this.#handle = handle;
    this.#required = new SnapshotTables(handle.snapshot);
    this.#preferred = new SnapshotTables(handle.snapshot);
    this.#hardWeight = args.hardPodAffinityWeight ?? 1;
    this.#ignoreExisting = args.ignorePreferredTermsOfExistingPods ?? false;
    this.#labelsOf = (namespace) => handle.listers.namespaces.get(namespace)?.metadata.labels;
  }

  preFilter(state: CycleState, pod: Pod, snapshot: Snapshot): { status?: Status } {
    const info = podInfoOf(pod);
    const ownTerms = info.requiredAffinityTerms.length + info.requiredAntiAffinityTerms.length > 0;
    const nodes = ownTerms ? snapshot.list : snapshot.havePodsWithRequiredAntiAffinity;
    if (nodes.length === 0) return { status: SKIP };
    const data = this.#required.of(info.affinityClass, () => new RequiredCounts(info, this.#labelsOf), nodes);
    if (!ownTerms && data.existingAntiAffinity.isEmpty) return { status: SKIP };
    state.write(PRE_FILTER, data);
    return {};
  }

  addPod(state: CycleState, _pod: Pod, { pod, nodeInfo }: { readonly pod: PodInfo; readonly nodeInfo: NodeInfo }): undefined {
    if (nodeInfo.node) state.read(PRE_FILTER)?.updateWithPod(pod, nodeInfo.node, 1);
  }

  removePod(state: CycleState, _pod: Pod, { pod, nodeInfo }: { readonly pod: PodInfo; readonly nodeInfo: NodeInfo }): undefined {
    if (nodeInfo.node) state.read(PRE_FILTER)?.updateWithPod(pod, nodeInfo.node, -1);
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

  #satisfiesPodAffinity({ info, affinity }: RequiredCounts, labels: Readonly<Record<string, string>>): boolean {
    let podsExist = true;
    for (const { topologyKey } of info.requiredAffinityTerms) {
      const value = labels[topologyKey];
      if (value === undefined) return false;
      if (affinity.get(topologyKey, value) <= 0) podsExist = false;
    }
    // The first pod of a group that wants to be with its own kind.
    return podsExist || (affinity.isEmpty && matchesAll(info.requiredAffinityTerms, info.pod, this.#labelsOf));
  }

  /** With pods there that the first term wants, nodes that share its topology with them; those of other terms are a choice from these. */
  candidatePlaces(state: CycleState, limit: number): readonly number[] | undefined {
    const data = state.read(PRE_FILTER);
    const [term] = data?.info.requiredAffinityTerms ?? [];
    if (!data || !term || data.affinity.isEmpty) return undefined;
    const places = this.#handle.snapshot.placesByLabel(term.topologyKey);
    return joinPlaces(
      [...places].flatMap(([value, of]) => (data.affinity.get(term.topologyKey, value) > 0 ? [of] : [])),
      limit,
    );
  }

  preScore(state: CycleState, pod: Pod): Status | undefined {
    const info = podInfoOf(pod);
    const ownTerms = info.preferredAffinityTerms.length + info.preferredAntiAffinityTerms.length > 0;
    if (this.#ignoreExisting && !ownTerms) return SKIP;
    const { snapshot } = this.#handle;
    const nodes = ownTerms ? snapshot.list : snapshot.havePodsWithAffinity;
    if (nodes.length === 0) return SKIP;
    const { scores } = this.#preferred.of(info.affinityClass, () => new PreferredScores(info, this.#labelsOf, this.#hardWeight), nodes);
    if (scores.isEmpty) return SKIP;
    const data: PreScoreState = { scores, clone: () => data };
    state.write(PRE_SCORE, data);
    return undefined;
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
