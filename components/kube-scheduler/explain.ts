import type { QueuedPodInfo, QueueStep } from './backend/queue/queued-pod-info.ts';
import { FitError } from './framework/fit-error.ts';
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
  /** What the pod's condition says when it was not scheduled. */
  readonly message?: string;
  readonly nodes: { readonly evaluated: number; readonly feasible: number };
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

export function explainSuccess(pod: QueuedPodInfo, result: ScheduleResult): SchedulingDecision {
  return {
    outcome: 'scheduled',
    attempt: pod.attempts,
    node: result.suggestedHost,
    nodes: { evaluated: result.evaluatedNodes, feasible: result.feasibleNodes },
    refused: refusedNodes(result.refused),
    scores: result.scores ? scoredNodes(result.scores) : [],
    equals: result.equals.slice(0, SHOWN_NODES),
    queue: pod.steps.slice(),
  };
}

export function explainFailure(pod: QueuedPodInfo, failure: FitError | Status, nominatedNode: string | undefined): SchedulingDecision {
  const diagnosis = failure instanceof FitError ? failure.diagnosis : undefined;
  const refused = diagnosis?.nodeToStatus.byNode ?? new Map<string, Status>();
  const rejected = failure instanceof FitError || failure.isRejected;
  return {
    outcome: rejected ? 'unschedulable' : 'error',
    attempt: pod.attempts,
    message: failure.message,
    ...(nominatedNode ? { nominatedNode } : {}),
    ...(diagnosis?.preFilterMessage ? { preFilter: diagnosis.preFilterMessage } : {}),
    nodes: { evaluated: refused.size, feasible: 0 },
    refused: refusedNodes(refused),
    scores: [],
    equals: [],
    queue: pod.steps.slice(),
  };
}

function refusedNodes(statuses: ReadonlyMap<string, Status>): RefusedNode[] {
  const refused: RefusedNode[] = [];
  for (const [node, { plugin, code, reasons }] of statuses) {
    if (refused.length === SHOWN_NODES) break;
    refused.push({ node, plugin, code, reasons });
  }
  return refused;
}

function scoredNodes({ nodes, totals, plugins }: NodePluginScores): ScoredNode[] {
  return bestFirst(totals).map((i) => ({
    node: nodes[i]?.name ?? '',
    total: totals[i] ?? 0,
    plugins: plugins.map(({ name, weight, raw, normalized }) => {
      const score = normalized[i] ?? 0;
      return { plugin: name, raw: raw[i] ?? 0, normalized: score, weight, score: score * weight };
    }),
  }));
}

/** Places of the highest totals. In a large cluster only those with the very highest, so that nothing needs to be sorted. */
function bestFirst(totals: readonly number[]): number[] {
  const places = [...totals.keys()];
  if (places.length <= SHOWN_NODES) return places.sort((a, b) => (totals[b] ?? 0) - (totals[a] ?? 0) || a - b);
  let best = 0;
  for (const total of totals) if (total > best) best = total;
  return places.filter((i) => totals[i] === best).slice(0, SHOWN_EQUALS);
}

const SHOWN_EQUALS = 5;
