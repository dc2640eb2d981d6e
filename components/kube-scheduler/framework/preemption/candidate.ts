import type { Pod } from '../../../../src/api/kinds/core-v1.ts';
import { parseTime } from '../../../../src/api/time.ts';
import type { Random } from '../../../../src/sim/random.ts';

/** A node on which a pod would fit if others went: framework/preemption Candidate. */
export interface Candidate {
  readonly nodeName: string;
  /** From the most to the least important. */
  readonly victims: readonly Pod[];
  /** How many of them a PodDisruptionBudget guards. */
  readonly numPDBViolations: number;
}

const PRIORITY_OFFSET = 2 ** 31;

function priorityOf(pod: Pod | undefined): number {
  return pod?.spec?.priority ?? 0;
}

/** pkg/scheduler/util MoreImportantPod, as a comparison: the higher priority, then the earlier start. */
export function compareImportance(now: number): (a: Pod, b: Pod) => number {
  const startOf = (pod: Pod): number => parseTime(pod.status?.startTime) ?? now;
  return (a, b) => priorityOf(b) - priorityOf(a) || startOf(a) - startOf(b);
}

/** pkg/scheduler/util GetEarliestPodStartTime: of the most important ones. */
function earliestStart(pods: readonly Pod[], now: number): number {
  const highest = Math.max(...pods.map(priorityOf));
  return Math.min(...pods.filter((pod) => priorityOf(pod) === highest).map((pod) => parseTime(pod.status?.startTime) ?? now));
}

/** What makes a candidate better, the first thing first: the higher value wins (pickOneNodeForPreemption). */
const CRITERIA: readonly ((candidate: Candidate, now: number) => number)[] = [
  ({ numPDBViolations }) => -numPDBViolations,
  ({ victims }) => -priorityOf(victims[0]),
  ({ victims }) => -victims.reduce((sum, pod) => sum + priorityOf(pod) + PRIORITY_OFFSET, 0),
  ({ victims }) => -victims.length,
  ({ victims }, now) => earliestStart(victims, now),
];

/** The candidates that are equally good, and better than all others. */
export function bestCandidates(candidates: readonly Candidate[], now: number): readonly Candidate[] {
  let best = candidates;
  for (const criterion of CRITERIA) {
    if (best.length <= 1) break;
    const values = best.map((candidate) => criterion(candidate, now));
    const highest = Math.max(...values);
    best = best.filter((_, i) => values[i] === highest);
  }
  return best;
}

/** framework/preemption Evaluator.SelectCandidate: chance decides among equals. */
export function selectCandidate(candidates: readonly Candidate[], now: number, random: Random): Candidate | undefined {
  const best = bestCandidates(candidates, now);
  return best.length > 1 ? random.pick(best) : best[0];
}
