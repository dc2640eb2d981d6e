import type { Pod } from '../../src/api/kinds/core-v1.ts';
import type { Random } from '../../src/sim/random.ts';
import type { Snapshot } from './backend/cache/snapshot.ts';
import type { CycleState } from './framework/cycle-state.ts';
import { type Diagnosis, FitError } from './framework/fit-error.ts';
import type { PreFilterResult } from './framework/interface.ts';
import type { NodeInfo } from './framework/node-info.ts';
import type { Framework } from './framework/runtime/framework.ts';
import type { NodePluginScores } from './framework/runtime/node-scores.ts';
import { Status } from './framework/status.ts';

/** What the choice of a node needs besides the pod. */
export interface Algorithm {
  readonly snapshot: Snapshot;
  readonly random: Random;
  readonly percentageOfNodesToScore: number;
  /** Where the next search begins, so that all nodes get their turn. */
  nextStartNodeIndex: number;
}

/** scheduler.ErrNoNodesAvailable */
const ERR_NO_NODES_AVAILABLE = 'no nodes available to schedule pods';

/** A node was found: ScheduleResult. */
export interface ScheduleResult {
  readonly suggestedHost: string;
  /** How many nodes were looked at. */
  readonly evaluatedNodes: number;
  readonly feasibleNodes: number;
  readonly refused: RefusedNodes;
  /** Absent when only one node was left. */
  readonly scores?: NodePluginScores;
  /** Nodes that share the highest score. */
  readonly equals: readonly string[];
}

/** What the search found out so far. */
export interface Search {
  readonly refused: Map<string, Status>;
  readonly unschedulablePlugins: Set<string>;
  readonly pendingPlugins: Set<string>;
  absent: Status;
  preFilterMessage: string;
  /** Nodes that nobody has to look at, as some plugin is sure to refuse them. */
  skipped: { readonly count: number; readonly nodes: () => Iterable<NodeInfo> };
}

const NONE_SKIPPED: Search['skipped'] = { count: 0, nodes: () => [] };
const ABSENT = new Status('UnschedulableAndUnresolvable');
/** With fewer nodes all are looked at: minFeasibleNodesToFind. */
const MIN_FEASIBLE_NODES_TO_FIND = 100;
const MIN_FEASIBLE_NODES_PERCENTAGE_TO_FIND = 5;

/** A pod on its way through its profile's plugins. */
export interface SchedulingCycle {
  readonly fwk: Framework;
  readonly state: CycleState;
  readonly pod: Pod;
}

/** pkg/scheduler/schedule_one.go schedulePod: the node for the pod, or why there is none. */
export function schedulePod(algorithm: Algorithm, cycle: SchedulingCycle): ScheduleResult | FitError | Status {
  const { snapshot } = algorithm;
  if (snapshot.list.length === 0) return noNodes();
  const search = newSearch();
  const feasible = findNodesThatFitPod(algorithm, { ...cycle, search });
  if (feasible instanceof Status) return feasible;
  if (feasible.length === 0) return new FitError(snapshot.list.length, diagnosisOf(search));
  const refused = refusedNodes(search, cycle);
  const found = { evaluatedNodes: feasible.length + search.refused.size + search.skipped.count, feasibleNodes: feasible.length, refused };
  const only = feasible[0];
  if (only && feasible.length === 1) return { ...found, suggestedHost: only.name, equals: [only.name] };
  const scores = prioritizeNodes(cycle, feasible);
  if (scores instanceof Status) return scores;
  return { ...found, ...selectHost(scores, algorithm.random), scores };
}

export function noNodes(): Status {
  return new Status('UnschedulableAndUnresolvable', [ERR_NO_NODES_AVAILABLE]);
}

export function newSearch(): Search {
  return {
    refused: new Map(),
    unschedulablePlugins: new Set(),
    pendingPlugins: new Set(),
    absent: ABSENT,
    preFilterMessage: '',
    skipped: NONE_SKIPPED,
  };
}

/** Up to so many of the nodes that were refused, each with the reason. */
export type RefusedNodes = (limit: number) => ReadonlyMap<string, Status>;

/** Why nodes were refused that nobody had to look at is worked out for who asks, which must be within the cycle. */
export function refusedNodes({ refused, skipped }: Search, { fwk, state, pod }: SchedulingCycle): RefusedNodes {
  return (limit) => {
    if (skipped.count === 0 && refused.size <= limit) return refused;
    const first = new Map([...refused].slice(0, limit));
    for (const node of skipped.nodes()) {
      if (first.size >= limit) break;
      const status = fwk.runFilterPluginsWithNominatedPods(state, pod, node);
      if (status) first.set(node.name, status);
    }
    return first;
  };
}

interface Attempt extends SchedulingCycle {
  readonly search: Search;
  /** Extenders have yet to choose: one node is not enough, even where no plugin scores; nor is the nominated one alone. */
  readonly all?: boolean;
  /** How many nodes there are, where only some are given. */
  readonly total?: number;
}

/** schedule_one.go findNodesThatFitPod: PreFilter, then the nominated node alone, then as many nodes as need be. */
export function findNodesThatFitPod(algorithm: Algorithm, attempt: Attempt): readonly NodeInfo[] | Status {
  const { fwk, state, pod, search } = attempt;
  const { snapshot } = algorithm;
  const preFilter = fwk.runPreFilterPlugins(state, pod);
  for (const plugin of preFilter.plugins) search.unschedulablePlugins.add(plugin);
  if (preFilter.status) {
    if (!preFilter.status.isRejected) return preFilter.status;
    search.absent = preFilter.status;
    search.preFilterMessage = preFilter.status.message;
    addPluginStatus(search, preFilter.status);
    return [];
  }
  const nominated = snapshot.get(pod.status?.nominatedNodeName ?? '');
  if (nominated && !attempt.all) {
    const feasible = findNodesThatPassFilters(algorithm, attempt, [nominated]);
    if (feasible instanceof Status || feasible.length) return feasible;
  }
  const nodes = nodesToCheck(snapshot, search, preFilter);
  const narrowed = nodes === snapshot.list && !attempt.all ? findAmongCandidates(algorithm, attempt) : undefined;
  const feasible = narrowed ?? findNodesThatPassFilters(algorithm, attempt, nodes);
  const processed = (feasible instanceof Status ? 0 : feasible.length) + search.refused.size + search.skipped.count;
  algorithm.nextStartNodeIndex = (algorithm.nextStartNodeIndex + processed) % snapshot.list.length;
  return feasible;
}

function nodesToCheck(
  snapshot: Snapshot,
  search: Search,
  { result, plugins }: { readonly result?: PreFilterResult; readonly plugins: ReadonlySet<string> },
): readonly NodeInfo[] {
  if (!result?.nodeNames) return snapshot.list;
  search.absent = new Status('UnschedulableAndUnresolvable', [`node(s) didn't satisfy plugin(s) [${[...plugins].sort().join(' ')}]`]);
  return [...result.nodeNames].flatMap((name) => snapshot.get(name) ?? []);
}

/**
 * The same search among the nodes alone that may pass, where plugins know which: it ends where the full one would, with the same nodes. Absent when it would not be
 * much shorter, or when it finds none, as all reasons are wanted then. Upstream looks at all nodes, with 16 threads.
 */
function findAmongCandidates(algorithm: Algorithm, attempt: Attempt): readonly NodeInfo[] | Status | undefined {
  const { snapshot, nextStartNodeIndex: start } = algorithm;
  const { list } = snapshot;
  if (list.length < MIN_FEASIBLE_NODES_TO_FIND) return undefined;
  const places = attempt.fwk.candidatePlaces(attempt.state, list.length / 2);
  if (!places) return undefined;
  const first = Math.max(
    0,
    places.findIndex((place) => place >= start),
  );
  const nodes = [...places.slice(first), ...places.slice(0, first)].flatMap((place) => list[place] ?? []);
  const search = newSearch();
  const feasible = findNodesThatPassFilters({ ...algorithm, nextStartNodeIndex: 0 }, { ...attempt, search, total: list.length }, nodes);
  if (feasible instanceof Status) return feasible;
  const last = feasible.at(-1);
  if (!last) return undefined;
  for (const [name, status] of search.refused) attempt.search.refused.set(name, status);
  const isEnough = feasible.length === wantedNodes(algorithm, attempt, list.length);
  const processed = isEnough ? ((last.place - start + list.length) % list.length) + 1 : list.length;
  attempt.search.skipped = {
    count: processed - feasible.length - search.refused.size,
    *nodes() {
      const looked = new Set(nodes);
      for (let i = 0; i < processed; i++) {
        const node = list[(start + i) % list.length] as NodeInfo;
        if (!looked.has(node)) yield node;
      }
    },
  };
  return feasible;
}

/** How many nodes are enough. */
function wantedNodes({ percentageOfNodesToScore }: Algorithm, { fwk, all = false }: Attempt, total: number): number {
  return fwk.hasScorePlugins || all ? numFeasibleNodesToFind(fwk.percentageOfNodesToScore ?? percentageOfNodesToScore, total) : 1;
}

/** schedule_one.go findNodesThatPassFilters: begins where the last search ended, and stops when enough are found. */
function findNodesThatPassFilters(algorithm: Algorithm, attempt: Attempt, nodes: readonly NodeInfo[]): readonly NodeInfo[] | Status {
  const { fwk, state, pod, search, total = nodes.length } = attempt;
  const wanted = wantedNodes(algorithm, attempt, total);
  const feasible: NodeInfo[] = [];
  const start = algorithm.nextStartNodeIndex;
  for (let i = 0; i < nodes.length && feasible.length < wanted; i++) {
    const node = nodes[(start + i) % nodes.length] as NodeInfo;
    const status = fwk.runFilterPluginsWithNominatedPods(state, pod, node);
    if (!status) {
      feasible.push(node);
      continue;
    }
    if (!status.isRejected) return status;
    search.refused.set(node.name, status);
    addPluginStatus(search, status);
  }
  return feasible;
}

/** schedule_one.go numFeasibleNodesToFind: large clusters look at a part of their nodes only, the smaller the larger they are. */
export function numFeasibleNodesToFind(percentageOfNodesToScore: number, numAllNodes: number): number {
  if (numAllNodes < MIN_FEASIBLE_NODES_TO_FIND) return numAllNodes;
  const adaptive = Math.max(50 - Math.trunc(numAllNodes / 125), MIN_FEASIBLE_NODES_PERCENTAGE_TO_FIND);
  const wanted = Math.trunc((numAllNodes * (percentageOfNodesToScore || adaptive)) / 100);
  return Math.max(wanted, MIN_FEASIBLE_NODES_TO_FIND);
}

/** schedule_one.go prioritizeNodes */
export function prioritizeNodes({ fwk, state, pod }: SchedulingCycle, nodes: readonly NodeInfo[]): NodePluginScores | Status {
  if (!fwk.hasScorePlugins) return { nodes, totals: nodes.map(() => 1), plugins: [] };
  return fwk.runPreScorePlugins(state, pod, nodes) ?? fwk.runScorePlugins(state, pod, nodes);
}

/** schedule_one.go selectHost: the highest score; among equals each is as likely (reservoir sampling). */
export function selectHost({ nodes, totals }: NodePluginScores, random: Random): { suggestedHost: string; equals: readonly string[] } {
  let best = Number.NEGATIVE_INFINITY;
  let selected = '';
  let equals: string[] = [];
  for (let i = 0; i < nodes.length; i++) {
    const total = totals[i] ?? 0;
    const name = nodes[i]?.name ?? '';
    if (total > best) {
      best = total;
      selected = name;
      equals = [name];
    } else if (total === best) {
      equals.push(name);
      if (random.integer(equals.length) === 0) selected = name;
    }
  }
  return { suggestedHost: selected, equals };
}

/** framework.Diagnosis.AddPluginStatus */
function addPluginStatus(search: Search, status: Status): void {
  if (!status.plugin) return;
  if (status.code === 'Pending') search.pendingPlugins.add(status.plugin);
  else search.unschedulablePlugins.add(status.plugin);
}

export function diagnosisOf(search: Search): Diagnosis {
  const { refused, absent, unschedulablePlugins, pendingPlugins, preFilterMessage } = search;
  return { nodeToStatus: { byNode: refused, absent }, unschedulablePlugins, pendingPlugins, preFilterMessage, postFilterMessage: '' };
}
