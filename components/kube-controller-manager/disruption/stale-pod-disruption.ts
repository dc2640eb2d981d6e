import { getCondition } from '../../../src/api/conditions.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { formatTime, parseTime } from '../../../src/api/time.ts';
import { isPodTerminal } from '../controller/controller-utils.ts';

const STALE_POD_DISRUPTION_TIMEOUT_MS = 2 * 60_000;
const DISRUPTION_TARGET = 'DisruptionTarget';

/**
 * In how many milliseconds a pod that was to be disrupted, and was not, has to lose the condition that says so; undefined when it has none.
 * pkg/controller/disruption nonTerminatingPodHasStaleDisruptionCondition
 */
export function staleDisruptionDelay(pod: Pod, wallTime: number): number | undefined {
  const condition = getCondition(pod.status?.conditions, DISRUPTION_TARGET);
  if (condition?.status !== 'True' || condition.reason === 'TerminationByKubelet') return undefined;
  if (pod.metadata.deletionTimestamp || isPodTerminal(pod)) return undefined;
  return Math.max(0, (parseTime(condition.lastTransitionTime) ?? 0) + STALE_POD_DISRUPTION_TIMEOUT_MS - wallTime);
}

export function withoutDisruptionTarget(pod: Pod, wallTime: number): Pod {
  const { generation } = pod.metadata;
  const conditions = (pod.status?.conditions ?? []).map((condition) => {
    if (condition.type !== DISRUPTION_TARGET) return condition;
    const observed = generation === undefined ? {} : { observedGeneration: generation };
    return { type: DISRUPTION_TARGET, ...observed, status: 'False', lastTransitionTime: formatTime(wallTime) };
  });
  return { ...pod, status: { ...pod.status, conditions } };
}
