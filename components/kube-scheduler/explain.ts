import type { QueuedPodInfo, QueueStep } from './backend/queue/queued-pod-info.ts';
import { FitError } from './framework/fit-error.ts';
import type { PostFilterResult } from './framework/interface.ts';
import type { NodePluginScores } from './framework/runtime/node-scores.ts';
import type { Status } from './framework/status.ts';
import type { ScheduleResult } from './schedule-pod.ts';

/** One node that was refused, and the first plugin that did. */
interface RefusedNode {
  readonly node: string;
  readonly plugin: string;
  readonly code: string;
  readonly reasons: readonly string[];
}

/** One node's scores. */
interface ScoredNode {
  readonly node: string;
  readonly total: number;
  readonly plugins: readonly {
    readonly plugin: string;
    readonly raw: number;
    readonly normalized: number;
    readonly weight: number;
    readonly score: number;
  }[];
}

/** Why a pod went where it went, or nowhere: the details of kube-scheduler's `decision` entries in the trace. */
export interface SchedulingDecision {
  readonly outcome: 'scheduled' | 'unschedulable' | 'error';
  readonly attempt: number;
  readonly node?: string;
  readonly nominatedNode?: string;
  /** Pods that are deleted to make room there, as `namespace/name`. */
  readonly victims?: readonly string[];
  /** What the pod's condition says when it was not scheduled. */
  readonly message?: string;
  readonly nodes: {
    readonly evaluated: number;
    readonly feasible: number;
    /** How many share the highest score, where `equals` does not name them all. */
    readonly equal?: number;
  };
  /** The pod was refused before any node was looked at. */
  readonly preFilter?: string;
  /** At most `SHOWN_NODES` of them. */
  readonly refused: readonly RefusedNode[];
  /** Best first, at most `SHOWN_NODES`; empty when there was no choice. */
  readonly scores: readonly ScoredNode[];
  /** Nodes with the highest score, among which chance decided. */
  readonly equals: readonly string[];
  /** How the pod came here: where it waited and what moved it. */
  readonly queue: readonly QueueStep[];
}

/** More nodes than this are not explained one by one. */
const SHOWN_NODES = 50;
/** How many of the best nodes of a larger cluster are. */
const SHOWN_OF_MANY = 5;

/** Works the long parts out only when somebody looks: most decisions are never asked about. To readers they are fields like the others. */
function decision(
  short: Omit<SchedulingDecision, 'refused' | 'scores'>,
  long: { readonly refused: ReadonlyMap<string, Status>; readonly scores: ScoreTable | undefined },
): SchedulingDecision {
  const kept = firstOf(long.refused);
  const { scores } = long;
  return {
    ...short,
    get refused() {
      return [...kept].map(([node, { plugin, code, reasons }]) => ({ node, plugin, code, reasons }));
    },
    get scores() {
      return scores ? scoredNodes(scores) : [];
    },
  };
}

/** A decision is kept for long, so it must not hold on to a status for each node of a large cluster. */
function firstOf(refused: ReadonlyMap<string, Status>): ReadonlyMap<string, Status> {
  if (refused.size <= SHOWN_NODES) return refused;
  const first = new Map<string, Status>();
  for (const [node, status] of refused) {
    if (first.size === SHOWN_NODES) break;
    first.set(node, status);
  }
  return first;
}

/** Scores along `names`. */
interface ScoreTable {
  readonly names: readonly string[];
  readonly totals: readonly number[];
  readonly plugins: NodePluginScores['plugins'];
}

export function explainSuccess(pod: QueuedPodInfo, result: ScheduleResult): SchedulingDecision {
  return decision(
    {
      outcome: 'scheduled',
      attempt: pod.attempts,
      node: result.suggestedHost,
      nodes: {
        evaluated: result.evaluatedNodes,
        feasible: result.feasibleNodes,
        ...(result.equals.length > SHOWN_NODES ? { equal: result.equals.length } : {}),
      },
      equals: result.equals.slice(0, SHOWN_NODES),
      queue: pod.steps.slice(),
    },
    { refused: result.refused(SHOWN_NODES), scores: result.scores && scoreTable(result.scores) },
  );
}

export function explainFailure(pod: QueuedPodInfo, failure: FitError | Status, nominating: PostFilterResult): SchedulingDecision {
  const { nominatedNodeName: nominatedNode, victims } = nominating;
  const diagnosis = failure instanceof FitError ? failure.diagnosis : undefined;
  const refused = diagnosis?.nodeToStatus.byNode ?? new Map<string, Status>();
  const rejected = failure instanceof FitError || failure.isRejected;
  return decision(
    {
      outcome: rejected ? 'unschedulable' : 'error',
      attempt: pod.attempts,
      message: failure.message,
      ...(nominatedNode ? { nominatedNode } : {}),
      ...(victims?.length ? { victims } : {}),
      ...(diagnosis?.preFilterMessage ? { preFilter: diagnosis.preFilterMessage } : {}),
      nodes: { evaluated: refused.size, feasible: 0 },
      equals: [],
      queue: pod.steps.slice(),
    },
    { refused, scores: undefined },
  );
}

/** What is kept of the scores: names instead of nodes, and in a large cluster only some of the best. */
function scoreTable({ nodes, totals, plugins }: NodePluginScores): ScoreTable {
  if (nodes.length <= SHOWN_NODES) return { names: nodes.map((node) => node.name), totals, plugins };
  let best = 0;
  for (const total of totals) if (total > best) best = total;
  const places: number[] = [];
  for (let i = 0; i < totals.length && places.length < SHOWN_OF_MANY; i++) if (totals[i] === best) places.push(i);
  const pick = <T>(from: readonly T[]): T[] => places.flatMap((i) => from[i] ?? []);
  return {
    names: pick(nodes).map((node) => node.name),
    totals: pick(totals),
    plugins: plugins.map((one) => ({ ...one, raw: pick(one.raw), normalized: pick(one.normalized) })),
  };
}

function scoredNodes({ names, totals, plugins }: ScoreTable): ScoredNode[] {
  const bestFirst = [...names.keys()].sort((a, b) => (totals[b] ?? 0) - (totals[a] ?? 0) || a - b);
  return bestFirst.map((i) => ({
    node: names[i] ?? '',
    total: totals[i] ?? 0,
    plugins: plugins.map(({ name, weight, raw, normalized }) => {
      const score = normalized[i] ?? 0;
      return { plugin: name, raw: raw[i] ?? 0, normalized: score, weight, score: score * weight };
    }),
  }));
}
