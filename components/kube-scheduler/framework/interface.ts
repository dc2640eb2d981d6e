import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { Client } from '../../../src/client/client.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import type { Random } from '../../../src/sim/random.ts';
import type { Snapshot } from '../backend/cache/snapshot.ts';
import type { CycleState } from './cycle-state.ts';
import type { ClusterEvent, ClusterEventWithHint } from './events.ts';
import type { Listers } from './listers.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';
import type { Candidate } from './preemption/candidate.ts';
import type { WaitingPods } from './runtime/waiting-pods-map.ts';
import type { Status } from './status.ts';

/** The highest score that a plugin may give after normalising: framework.MaxNodeScore. */
export const MAX_NODE_SCORE = 100;

/** A pod in the queue, with what ordering needs: framework.QueuedPodInfo. */
export interface QueuedPod {
  readonly podInfo: PodInfo;
  /** Virtual milliseconds; when the pod came to the queue this time. */
  readonly timestamp: number;
}

export interface PreFilterResult {
  /** The only nodes worth looking at; all of them if absent. */
  readonly nodeNames?: ReadonlySet<string>;
}

export interface NodeScore {
  readonly name: string;
  score: number;
}

/** What PostFilter achieved: framework.NominatingInfo. `''` takes a nomination back; absent leaves it as it is. */
export interface PostFilterResult {
  readonly nominatedNodeName?: string;
  /** Pods that go so that this one fits, as `namespace/name`; for explaining the decision. */
  readonly victims?: readonly string[];
}

export interface PostFilterOutcome {
  readonly result?: PostFilterResult;
  readonly status?: Status;
}

/** Why nodes were refused, by name; framework.NodeToStatus. Nodes that are not named were not looked at and have `absent`. */
export interface NodeToStatus {
  readonly byNode: ReadonlyMap<string, Status>;
  readonly absent: Status;
}

/** Decides whether a pod may enter the queue. */
interface PreEnqueuePlugin {
  preEnqueue(pod: Pod): Status | undefined;
}

/** Orders the queue. */
interface QueueSortPlugin {
  less(a: QueuedPod, b: QueuedPod): boolean;
}

/** Says which events may make a pod schedulable that this plugin refused. */
interface EnqueueExtensions {
  eventsToRegister(): readonly ClusterEventWithHint[];
}

/** Works out once per cycle what Filter needs; `Skip` spares Filter. */
interface PreFilterPlugin {
  preFilter(state: CycleState, pod: Pod, snapshot: Snapshot): { result?: PreFilterResult; status?: Status } | undefined;
  /** How a pod that comes to a node, or goes, changes what PreFilter worked out. */
  addPod?(state: CycleState, pod: Pod, change: { readonly pod: PodInfo; readonly nodeInfo: NodeInfo }): Status | undefined;
  removePod?(state: CycleState, pod: Pod, change: { readonly pod: PodInfo; readonly nodeInfo: NodeInfo }): Status | undefined;
}

/** Refuses nodes. Called for each node: nothing is returned for a node that is fine. */
interface FilterPlugin {
  filter(state: CycleState, pod: Pod, nodeInfo: NodeInfo): Status | undefined;
  /**
   * Names all that the answer depends on besides the node: for pods with the same key a node that passed is not asked again until it changes. Absent when answers
   * depend on other nodes too. Not upstream, and nothing but speed depends on it.
   */
  filterKey?(pod: Pod): string | undefined;
}

/** Spares a search in a large cluster nodes that the plugin's filter is sure to refuse. Not upstream, and nothing but speed depends on it. */
interface CandidatesPlugin {
  /** Where the nodes are in the snapshot's list that may pass, in rising order; absent when it cannot say, or there are `limit` of them. */
  candidatePlaces(state: CycleState, limit: number): readonly number[] | undefined;
}

/** Called when no node is left. A status that is absent means success. */
interface PostFilterPlugin {
  /** A promise only where somebody outside has to be asked. */
  postFilter(state: CycleState, pod: Pod, statuses: NodeToStatus): PostFilterOutcome | Promise<PostFilterOutcome>;
}

/** Works out once per cycle what Score needs; `Skip` spares Score. */
interface PreScorePlugin {
  preScore(state: CycleState, pod: Pod, nodes: readonly NodeInfo[]): Status | undefined;
}

/** Weighs the nodes that are left. */
interface ScorePlugin {
  score(state: CycleState, pod: Pod, nodeInfo: NodeInfo): number;
  /**
   * Names all that a score depends on besides the node: for pods with the same key each node is scored once, until it changes. Absent when scores depend on other nodes
   * too. Not upstream, and nothing but speed depends on it.
   */
  scoreKey?(pod: Pod): string | undefined;
  /** Brings all scores into 0 to 100. */
  normalizeScore?(state: CycleState, pod: Pod, scores: readonly NodeScore[]): void;
}

/** Keeps things for the pod on the node that was chosen; `unreserve` gives them back. */
interface ReservePlugin {
  reserve(state: CycleState, pod: Pod, nodeName: string): Status | undefined;
  unreserve(state: CycleState, pod: Pod, nodeName: string): void;
}

/** May hold the pod back (status `Wait`) for at most `timeoutMs`. */
export interface PermitPlugin {
  permit(state: CycleState, pod: Pod, nodeName: string): { status?: Status; timeoutMs?: number };
}

/** Prepares things that must be there before the pod is bound. */
interface PreBindPlugin {
  /** `Skip` when there is nothing to do. */
  preBindPreFlight(state: CycleState, pod: Pod, nodeName: string): Status | undefined;
  preBind(state: CycleState, pod: Pod, nodeName: string): Promise<Status | undefined>;
}

/** Binds the pod; `Skip` leaves it to the next one. */
interface BindPlugin {
  bind(state: CycleState, pod: Pod, nodeName: string): Promise<Status | undefined>;
}

/** Told after the pod is bound. */
interface PostBindPlugin {
  postBind(state: CycleState, pod: Pod, nodeName: string): void;
}

/** A plugin takes part at each extension point whose methods it has. */
export interface Plugin
  extends Partial<PreEnqueuePlugin>,
    Partial<QueueSortPlugin>,
    Partial<EnqueueExtensions>,
    Partial<PreFilterPlugin>,
    Partial<FilterPlugin>,
    Partial<CandidatesPlugin>,
    Partial<PostFilterPlugin>,
    Partial<PreScorePlugin>,
    Partial<ScorePlugin>,
    Partial<ReservePlugin>,
    Partial<PermitPlugin>,
    Partial<PreBindPlugin>,
    Partial<BindPlugin>,
    Partial<PostBindPlugin> {
  readonly name: string;
}

/** Tells of what the scheduler did, as events of events.k8s.io. */
export interface Recorder {
  event(
    regarding: Pod,
    event: {
      readonly type: 'Normal' | 'Warning';
      readonly reason: string;
      readonly action: string;
      readonly note: string;
      readonly related?: Pod;
    },
  ): void;
}

/** Pods that wait for a nominated node to become free: framework.PodNominator. */
export interface PodNominator {
  /** Nothing is promised to anybody, as most of the time. */
  readonly isEmpty: boolean;
  addNominatedPod(info: PodInfo, nodeName: string): void;
  deleteNominatedPodIfExists(pod: Pod): void;
  nominatedPodsForNode(nodeName: string): readonly PodInfo[];
}

/** What plugins may use: framework.Handle. */
export interface Handle {
  readonly actor: Actor;
  readonly client: Client;
  readonly random: Random;
  readonly snapshot: Snapshot;
  readonly listers: Listers;
  readonly recorder: Recorder;
  readonly nominator: PodNominator;
  /** Lets processes outside choose among candidates for preemption, where there are some: Handle.Extenders. */
  readonly callExtenders?: ((pod: Pod, candidates: readonly Candidate[]) => Promise<readonly Candidate[] | Status>) | undefined;
  /** The profile's framework, for plugins that run others. */
  readonly framework: PluginRunner;
  /** Pods that Permit plugins hold back, to be allowed or refused: Handle.GetWaitingPod and IterateOverWaitingPods. */
  readonly waitingPods: WaitingPods;
  /** Lets pending pods be tried again that wait for them: PodActivator and the queue's `Activate`. */
  activate(pods: readonly Pod[]): void;
  /** Moves pods out of the unschedulable pool, as for an event of the cluster. */
  moveAllToActiveOrBackoffQueue(event: ClusterEvent, oldObject: Pod | undefined): void;
}

/** The part of a framework that plugins may call. */
export interface PluginRunner {
  readonly profileName: string;
  runFilterPluginsWithNominatedPods(state: CycleState, pod: Pod, nodeInfo: NodeInfo): Status | undefined;
  runPreFilterExtensionAddPod(
    state: CycleState,
    pod: Pod,
    change: { readonly pod: PodInfo; readonly nodeInfo: NodeInfo },
  ): Status | undefined;
  runPreFilterExtensionRemovePod(
    state: CycleState,
    pod: Pod,
    change: { readonly pod: PodInfo; readonly nodeInfo: NodeInfo },
  ): Status | undefined;
  /** Refuses a pod that waits for permission; says whether it did wait. */
  rejectWaitingPod(uid: string): boolean;
}

/** Makes a plugin for one profile. `args` is what the configuration says for it, checked by the factory. */
export type PluginFactory = (args: unknown, handle: Handle) => Plugin;
