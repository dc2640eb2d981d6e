import type { Pod } from '../../../../src/api/kinds/core-v1.ts';
import { invariant } from '../../../../src/sim/invariant.ts';
import type { CompletedConfiguration } from '../../apis/config/kube-scheduler-configuration.ts';
import type { CycleState } from '../cycle-state.ts';
import type { ClusterEventWithHint } from '../events.ts';
import type {
  Handle,
  NodeToStatus,
  Plugin,
  PluginFactory,
  PluginRunner,
  PodNominator,
  PostFilterOutcome,
  PostFilterResult,
  PreFilterResult,
  QueuedPod,
} from '../interface.ts';
import type { NodeInfo } from '../node-info.ts';
import { type NodeMemo, NodeMemos } from '../node-memo.ts';
import type { PodInfo } from '../pod-info.ts';
import { asStatus, Status } from '../status.ts';
import { type NodePluginScores, NodeScorer, runNodeScorers } from './node-scores.ts';
import { Permit } from './permit.ts';
import { type ExtensionPoint, expandMultiPointPlugins, pluginsNeeded } from './plugin-set.ts';

type Having<K extends keyof Plugin> = Plugin & Required<Pick<Plugin, K>>;
type Change = { readonly pod: PodInfo; readonly nodeInfo: NodeInfo };

/** The filters of one pod. */
interface Filters {
  readonly pod: Pod;
  readonly skipped: ReadonlySet<string>;
  readonly all: readonly Having<'filter'>[];
  /** Those whose answers are not remembered. */
  readonly others: readonly Having<'filter'>[];
  /** Whether a node passes all but the others: 1 or 0. */
  readonly passes: (nodeInfo: NodeInfo) => number;
  readonly passed: NodeMemo;
}

/** The plugins of one profile at their extension points: frameworkImpl (pkg/scheduler/framework/runtime/framework.go). */
export class Framework implements PluginRunner {
  readonly profileName: string;
  readonly percentageOfNodesToScore: number | undefined;
  readonly #handle: Handle;
  readonly #nominator: PodNominator;
  readonly #plugins = new Map<string, Plugin>();
  readonly #preEnqueue: readonly Having<'preEnqueue'>[];
  readonly #queueSort: readonly Having<'less'>[];
  readonly #preFilter: readonly Having<'preFilter'>[];
  readonly #filter: readonly Having<'filter'>[];
  readonly #postFilter: readonly Having<'postFilter'>[];
  readonly #preScore: readonly Having<'preScore'>[];
  readonly #score: readonly NodeScorer[];
  readonly #reserve: readonly Having<'reserve' | 'unreserve'>[];
  readonly #permit: Permit;
  readonly #preBind: readonly Having<'preBind' | 'preBindPreFlight'>[];
  readonly #bind: readonly Having<'bind'>[];
  readonly #postBind: readonly Having<'postBind'>[];
  #filters: Filters | undefined;
  /** Nodes that passed, by what was asked of them. */
  readonly #passed = new NodeMemos();

  constructor(options: {
    profile: CompletedConfiguration['profiles'][number];
    registry: ReadonlyMap<string, PluginFactory>;
    handle: Omit<Handle, 'framework'>;
  }) {
    const { profile, registry } = options;
    this.profileName = profile.schedulerName;
    this.percentageOfNodesToScore = profile.percentageOfNodesToScore;
    this.#nominator = options.handle.nominator;
    this.#handle = Object.assign(Object.create(options.handle) as Omit<Handle, 'framework'>, { framework: this });
    const args = new Map((profile.pluginConfig ?? []).map((one) => [one.name, one.args]));
    for (const name of pluginsNeeded(profile)) {
      const factory = registry.get(name);
      invariant(factory, `plugin ${name} is registered`);

      this.#plugins.set(name, factory(args.get(name), this.#handle));
    }
    const at = (point: ExtensionPoint) => expandMultiPointPlugins(profile, point, this.#plugins);
    const only = <K extends keyof Plugin>(point: ExtensionPoint) => at(point).map((one) => one.plugin as Having<K>);
    this.#preEnqueue = only<'preEnqueue'>('preEnqueue');
    this.#queueSort = only<'less'>('queueSort');
    this.#preFilter = only<'preFilter'>('preFilter');
    this.#filter = only<'filter'>('filter');
    this.#postFilter = only<'postFilter'>('postFilter');
    this.#preScore = only<'preScore'>('preScore');
    this.#score = at('score').map(({ plugin, weight }) => new NodeScorer(plugin as Having<'score'>, weight));
    this.#reserve = only<'reserve' | 'unreserve'>('reserve');
    this.#permit = new Permit(options.handle.actor, only<'permit'>('permit'), options.handle.waitingPods);
    this.#preBind = only<'preBind' | 'preBindPreFlight'>('preBind');
    this.#bind = only<'bind'>('bind');
    this.#postBind = only<'postBind'>('postBind');
  }

  get hasScorePlugins(): boolean {
    return this.#score.length > 0;
  }

  getPlugin(name: string): Plugin | undefined {
    return this.#plugins.get(name);
  }

  /** Which events each plugin waits for (fillEnqueueExtensions and scheduler.go buildQueueingHintMap). */
  eventsToRegister(): ReadonlyMap<string, readonly ClusterEventWithHint[]> {
    return new Map([...this.#plugins.values()].map((plugin) => [plugin.name, plugin.eventsToRegister?.() ?? []]));
  }

  less(a: QueuedPod, b: QueuedPod): boolean {
    return this.#queueSort[0]?.less(a, b) ?? a.timestamp < b.timestamp;
  }

  /** The first plugin that keeps the pod out of the queue. */
  runPreEnqueuePlugins(pod: Pod): Status | undefined {
    for (const plugin of this.#preEnqueue) {
      const status = plugin.preEnqueue(pod);
      if (status) return status.withPlugin(plugin.name);
    }
    return undefined;
  }

  /** frameworkImpl.RunPreFilterPlugins. `plugins`: those that named nodes. */
  runPreFilterPlugins(state: CycleState, pod: Pod): { result?: PreFilterResult; status?: Status; plugins: ReadonlySet<string> } {
    const skipped = new Set<string>();
    state.skipFilterPlugins = skipped;
    const naming = new Set<string>();
    let nodeNames: ReadonlySet<string> | undefined;
    let rejection: Status | undefined;
    for (const plugin of this.#preFilter) {
      const { result, status } = plugin.preFilter(state, pod, this.#handle.snapshot) ?? {};
      if (status?.code === 'Skip') {
        skipped.add(plugin.name);
        continue;
      }
      if (status && !status.isRejected) {
        return { status: asStatus(`running PreFilter plugin "${plugin.name}": ${status.message}`, plugin.name), plugins: naming };
      }
      if (status?.code === 'UnschedulableAndUnresolvable') return { status: status.withPlugin(plugin.name), plugins: naming };
      if (status) rejection = status.withPlugin(plugin.name);
      if (!result?.nodeNames) continue;
      naming.add(plugin.name);
      nodeNames = intersect(nodeNames, result.nodeNames);
      if (nodeNames.size === 0)
        return { status: new Status('UnschedulableAndUnresolvable', [emptyPreFilterMessage(naming)]), plugins: naming };
    }
    return { ...(nodeNames ? { result: { nodeNames } } : {}), ...(rejection ? { status: rejection } : {}), plugins: naming };
  }

  runPreFilterExtensionAddPod(state: CycleState, pod: Pod, change: Change): Status | undefined {
    for (const plugin of this.#preFilter) {
      if (!plugin.addPod || state.skipFilterPlugins.has(plugin.name)) continue;
      const status = plugin.addPod(state, pod, change);
      if (status) return status;
    }
    return undefined;
  }

  runPreFilterExtensionRemovePod(state: CycleState, pod: Pod, change: Change): Status | undefined {
    for (const plugin of this.#preFilter) {
      if (!plugin.removePod || state.skipFilterPlugins.has(plugin.name)) continue;
      const status = plugin.removePod(state, pod, change);
      if (status) return status;
    }
    return undefined;
  }

  /** The filters that a cycle needs; worked out once, since every node asks. */
  #filtersFor(state: CycleState, pod: Pod): Filters {
    const { skipFilterPlugins } = state;
    if (this.#filters?.skipped !== skipFilterPlugins || this.#filters.pod !== pod) {
      const all = this.#filter.filter((plugin) => !skipFilterPlugins.has(plugin.name));
      const keys = all.map((plugin) => plugin.filterKey?.(pod));
      const remembered = all.filter((_, i) => keys[i] !== undefined);
      this.#filters = {
        skipped: skipFilterPlugins,
        pod,
        all,
        others: all.filter((_, i) => keys[i] === undefined),
        passed: this.#passed.get(JSON.stringify([remembered.map(({ name }) => name), keys])),
        passes: (nodeInfo) => (remembered.some((plugin) => plugin.filter(state, pod, nodeInfo)) ? 0 : 1),
      };
    }
    return this.#filters;
  }

  /** The smallest choice of nodes that a filter offers; absent when none is smaller than `limit`. */
  candidatePlaces(state: CycleState, limit: number): readonly number[] | undefined {
    let best: readonly number[] | undefined;
    for (const plugin of this.#filter) {
      if (!plugin.candidatePlaces || state.skipFilterPlugins.has(plugin.name)) continue;
      const places = plugin.candidatePlaces(state, limit);
      if (places && places.length < (best?.length ?? limit)) best = places;
    }
    return best;
  }

  runFilterPlugins(state: CycleState, pod: Pod, nodeInfo: NodeInfo): Status | undefined {
    const { all, others, passed, passes } = this.#filtersFor(state, pod);
    // Who refuses first is for all to tell, in order.
    const filters = nodeInfo.generation !== 0 && passed.of(nodeInfo, passes) === 1 ? others : all;
    for (let i = 0; i < filters.length; i++) {
      const plugin = filters[i] as Having<'filter'>;
      const status = plugin.filter(state, pod, nodeInfo);
      if (!status) continue;
      return status.isRejected
        ? status.withPlugin(plugin.name)
        : asStatus(`running "${plugin.name}" filter plugin: ${status.message}`, plugin.name);
    }
    return undefined;
  }

  /**
   * frameworkImpl.RunFilterPluginsWithNominatedPods: pods that wait for this node and are at least as important count as being there, and also as
   * not being there: both must do.
   */
  runFilterPluginsWithNominatedPods(state: CycleState, pod: Pod, nodeInfo: NodeInfo): Status | undefined {
    const status = this.#nominator.isEmpty ? undefined : this.#filterWithNominated(state, pod, nodeInfo);
    return status ?? this.runFilterPlugins(state, pod, nodeInfo);
  }

  #filterWithNominated(state: CycleState, pod: Pod, nodeInfo: NodeInfo): Status | undefined {
    const priority = pod.spec?.priority ?? 0;
    const nominated = this.#nominator.nominatedPodsForNode(nodeInfo.name);
    const others = nominated.filter((one) => (one.pod.spec?.priority ?? 0) >= priority && one.pod.metadata.uid !== pod.metadata.uid);
    if (others.length === 0) return undefined;
    const withThem = { state: state.clone(), nodeInfo: nodeInfo.clone() };
    for (const other of others) {
      withThem.nodeInfo.addPodInfo(other);
      const status = this.runPreFilterExtensionAddPod(withThem.state, pod, { pod: other, nodeInfo: withThem.nodeInfo });
      if (status) return status;
    }
    return this.runFilterPlugins(withThem.state, pod, withThem.nodeInfo);
  }

  /** frameworkImpl.RunPostFilterPlugins: until one succeeds; the reasons of all that do not are joined. */
  runPostFilterPlugins(state: CycleState, pod: Pod, statuses: NodeToStatus): PostFilterOutcome | Promise<PostFilterOutcome> {
    const outcomes: PostFilterOutcome[] = [];
    for (const [index, plugin] of this.#postFilter.entries()) {
      const outcome = plugin.postFilter(state, pod, statuses);
      if (outcome instanceof Promise) return this.#awaitPostFilters({ state, pod, statuses }, { outcomes, outcome, index });
      outcomes.push(outcome);
      if (!outcome.status?.isRejected || outcome.status.code === 'UnschedulableAndUnresolvable') break;
    }
    return this.#joinPostFilters(outcomes);
  }

  /** The same from the first plugin on that has to ask somebody outside. */
  async #awaitPostFilters(
    { state, pod, statuses }: { readonly state: CycleState; readonly pod: Pod; readonly statuses: NodeToStatus },
    from: { readonly outcomes: PostFilterOutcome[]; readonly outcome: Promise<PostFilterOutcome>; readonly index: number },
  ): Promise<PostFilterOutcome> {
    const { outcomes } = from;
    for (let at = from.index; at < this.#postFilter.length; at++) {
      const outcome = await (at === from.index ? from.outcome : this.#postFilter[at]?.postFilter(state, pod, statuses));
      if (outcome) outcomes.push(outcome);
      if (!outcome?.status?.isRejected || outcome.status.code === 'UnschedulableAndUnresolvable') break;
    }
    return this.#joinPostFilters(outcomes);
  }

  #joinPostFilters(outcomes: readonly PostFilterOutcome[]): PostFilterOutcome {
    const reasons: string[] = [];
    let kept: PostFilterResult | undefined;
    let rejector = '';
    for (const [index, { result, status }] of outcomes.entries()) {
      const plugin = this.#postFilter[index] as Having<'postFilter'>;
      if (!status) return result ? { result } : {};
      if (status.code === 'UnschedulableAndUnresolvable') return { ...(result ? { result } : {}), status: status.withPlugin(plugin.name) };
      if (!status.isRejected) return { status: asStatus(status.message, plugin.name) };
      if (result?.nominatedNodeName !== undefined) kept = result;
      reasons.push(...status.reasons);
      rejector ||= plugin.name;
    }
    return { ...(kept ? { result: kept } : {}), status: new Status('Unschedulable', reasons, rejector) };
  }

  get hasPostFilterPlugins(): boolean {
    return this.#postFilter.length > 0;
  }

  runPreScorePlugins(state: CycleState, pod: Pod, nodes: readonly NodeInfo[]): Status | undefined {
    const skipped = new Set<string>();
    state.skipScorePlugins = skipped;
    for (const plugin of this.#preScore) {
      const status = plugin.preScore(state, pod, nodes);
      if (status?.code === 'Skip') skipped.add(plugin.name);
      else if (status) return asStatus(`running PreScore plugin "${plugin.name}": ${status.message}`, plugin.name);
    }
    return undefined;
  }

  runScorePlugins(state: CycleState, pod: Pod, nodes: readonly NodeInfo[]): NodePluginScores {
    const scorers = this.#score.filter(({ plugin }) => !state.skipScorePlugins.has(plugin.name));
    return runNodeScorers(scorers, { state, pod, nodes });
  }

  runReservePluginsReserve(state: CycleState, pod: Pod, nodeName: string): Status | undefined {
    for (const plugin of this.#reserve) {
      const status = plugin.reserve(state, pod, nodeName);
      if (!status) continue;
      return status.isRejected
        ? status.withPlugin(plugin.name)
        : asStatus(`running Reserve plugin "${plugin.name}": ${status.message}`, plugin.name);
    }
    return undefined;
  }

  runReservePluginsUnreserve(state: CycleState, pod: Pod, nodeName: string): void {
    for (const plugin of this.#reserve.toReversed()) plugin.unreserve(state, pod, nodeName);
  }

  runPermitPlugins(state: CycleState, pod: Pod, nodeName: string): Status | undefined {
    return this.#permit.run(state, pod, nodeName);
  }

  /** The pod's wait for permission, if it has to. */
  waitOnPermit(pod: Pod): Promise<Status | undefined> | undefined {
    return this.#permit.wait(pod);
  }

  rejectWaitingPod(uid: string): boolean {
    return this.#permit.reject(uid);
  }

  /** The plugins that have something to do before binding. */
  preBindsFor(state: CycleState, pod: Pod, nodeName: string): readonly Having<'preBind' | 'preBindPreFlight'>[] {
    return this.#preBind.filter((plugin) => plugin.preBindPreFlight(state, pod, nodeName)?.code !== 'Skip');
  }

  async runPreBindPlugins(state: CycleState, pod: Pod, nodeName: string): Promise<Status | undefined> {
    for (const plugin of this.preBindsFor(state, pod, nodeName)) {
      const status = await plugin.preBind(state, pod, nodeName);
      if (!status) continue;
      return status.isRejected
        ? status.withPlugin(plugin.name)
        : asStatus(`running PreBind plugin "${plugin.name}": ${status.message}`, plugin.name);
    }
    return undefined;
  }

  async runBindPlugins(state: CycleState, pod: Pod, nodeName: string): Promise<Status | undefined> {
    for (const plugin of this.#bind) {
      const status = await plugin.bind(state, pod, nodeName);
      if (status?.code === 'Skip') continue;
      if (!status || status.isRejected) return status?.withPlugin(plugin.name);
      return asStatus(`running Bind plugin "${plugin.name}": ${status.message}`, plugin.name);
    }
    return new Status('Skip', ['all bind plugins skipped']);
  }

  runPostBindPlugins(state: CycleState, pod: Pod, nodeName: string): void {
    for (const plugin of this.#postBind) plugin.postBind(state, pod, nodeName);
  }
}

function intersect(a: ReadonlySet<string> | undefined, b: ReadonlySet<string>): ReadonlySet<string> {
  return a ? new Set([...a].filter((name) => b.has(name))) : b;
}

function emptyPreFilterMessage(plugins: ReadonlySet<string>): string {
  const names = [...plugins].sort();
  return names.length === 1
    ? `node(s) didn't satisfy plugin ${names[0]}`
    : `node(s) didn't satisfy plugin(s) [${names.join(' ')}] simultaneously`;
}
