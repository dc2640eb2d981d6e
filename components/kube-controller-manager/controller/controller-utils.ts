import { getCondition } from '../../../src/api/conditions.ts';
import type { Pod, PodCondition } from '../../../src/api/kinds/core-v1.ts';
import { parseTime } from '../../../src/api/time.ts';

const SECOND = 1000;

/** Neither ended nor being deleted: pkg/controller/controller_utils.go IsPodActive */
export function isPodActive(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp === undefined && !isPodTerminal(pod);
}

/** pkg/controller/controller_utils.go IsPodTerminating */
export function isPodTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined && !isPodTerminal(pod);
}

/** pkg/api/v1/pod/util.go IsPodTerminal */
export function isPodTerminal(pod: Pod): boolean {
  const phase = pod.status?.phase;
  return phase === 'Succeeded' || phase === 'Failed';
}

/** pkg/controller/controller_utils.go FilterActivePods */
export function filterActivePods(pods: readonly Pod[]): Pod[] {
  return pods.filter(isPodActive);
}

/** pkg/api/v1/pod/util.go GetPodReadyCondition */
export function getPodReadyCondition(pod: Pod): PodCondition | undefined {
  return getCondition(pod.status?.conditions, 'Ready');
}

/** pkg/api/v1/pod/util.go IsPodReady */
export function isPodReady(pod: Pod): boolean {
  return getPodReadyCondition(pod)?.status === 'True';
}

/** Since when the pod is ready, in milliseconds since 1970; undefined when it is not, or does not say: pkg/controller/controller_utils.go podReadyTime */
export function podReadyTime(pod: Pod): number | undefined {
  const condition = getPodReadyCondition(pod);
  return condition?.status === 'True' ? parseTime(condition.lastTransitionTime) : undefined;
}

/** pkg/api/v1/pod/util.go IsPodAvailable */
export function isPodAvailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  if (!isPodReady(pod)) return false;
  if (minReadySeconds === 0) return true;
  const since = podReadyTime(pod);
  return since !== undefined && since + minReadySeconds * SECOND <= now;
}

/**
 * In how many milliseconds the next ready pod turns available; undefined when none is on its way.
 * pkg/controller/controller_utils.go FindMinNextPodAvailabilityCheck
 */
export function findMinNextPodAvailabilityCheck(pods: readonly Pod[], minReadySeconds: number, now: number): number | undefined {
  if (minReadySeconds <= 0) return undefined;
  let next: number | undefined;
  for (const pod of pods) {
    const since = podReadyTime(pod);
    if (since === undefined) continue;
    const wait = since + minReadySeconds * SECOND - now;
    if (wait > 0 && (next === undefined || wait < next)) next = wait;
  }
  return next;
}
