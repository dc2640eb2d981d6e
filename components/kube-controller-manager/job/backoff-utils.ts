import { getCondition } from '../../../src/api/conditions.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { parseTime } from '../../../src/api/time.ts';

/** pkg/controller/job/job_controller.go DefaultJobPodFailureBackOff */
const DEFAULT_BACKOFF_MS = 10_000;
/** pkg/controller/job/job_controller.go MaxJobPodFailureBackOff */
const MAX_BACKOFF_MS = 10 * 60_000;
const SECOND = 1000;

/** pkg/controller/job/backoff_utils.go backoffRecord */
export interface BackoffRecord {
  readonly failuresAfterLastSuccess: number;
  /** Milliseconds since 1970. */
  readonly lastFailureTime: number | undefined;
}

const NO_FAILURES: BackoffRecord = { failuresAfterLastSuccess: 0, lastFailureTime: undefined };

/** How often the pods of each Job have failed in a row; lost when the process restarts. pkg/controller/job/backoff_utils.go backoffStore */
export class BackoffStore {
  readonly #records = new Map<string, BackoffRecord>();

  /** The record as it will be when these pods are counted: pkg/controller/job/backoff_utils.go newBackoffRecord */
  newBackoffRecord(key: string, newSucceededPods: readonly Pod[], newFailedPods: readonly Pod[]): BackoffRecord {
    const failures = newFailedPods.map(getFinishedTime).sort((a, b) => a - b);
    if (newSucceededPods.length === 0) {
      const old = this.#records.get(key) ?? NO_FAILURES;
      if (failures.length === 0) return old;
      return { failuresAfterLastSuccess: old.failuresAfterLastSuccess + failures.length, lastFailureTime: failures.at(-1) };
    }
    const lastSuccess = Math.max(...newSucceededPods.map(getFinishedTime));
    const later = failures.filter((time) => time > lastSuccess);
    return { failuresAfterLastSuccess: later.length, lastFailureTime: later.at(-1) };
  }

  update(key: string, record: BackoffRecord): void {
    this.#records.set(key, record);
  }

  remove(key: string): void {
    this.#records.delete(key);
  }
}

/** pkg/controller/job/backoff_utils.go getRemainingTime */
export function getRemainingTime({ failuresAfterLastSuccess, lastFailureTime }: BackoffRecord, now: number): number {
  if (failuresAfterLastSuccess === 0 || lastFailureTime === undefined) return 0;
  const backoff = Math.min(DEFAULT_BACKOFF_MS * 2 ** (failuresAfterLastSuccess - 1), MAX_BACKOFF_MS);
  return Math.max(0, backoff - (now - lastFailureTime));
}

/** In milliseconds since 1970: pkg/controller/job/backoff_utils.go getFinishedTime */
export function getFinishedTime(pod: Pod): number {
  return (
    finishTimeFromContainers(pod) ??
    finishTimeFromReadyCondition(pod) ??
    finishTimeFromDeletionTimestamp(pod) ??
    parseTime(pod.metadata.creationTimestamp) ??
    0
  );
}

function finishTimeFromContainers(pod: Pod): number | undefined {
  let latest: number | undefined;
  for (const { state } of pod.status?.containerStatuses ?? []) {
    const finishedAt = parseTime(state?.terminated?.finishedAt);
    if (finishedAt === undefined) return undefined;
    latest = Math.max(latest ?? finishedAt, finishedAt);
  }
  return latest;
}

function finishTimeFromReadyCondition(pod: Pod): number | undefined {
  const ready = getCondition(pod.status?.conditions, 'Ready');
  return ready?.status === 'False' ? parseTime(ready.lastTransitionTime) : undefined;
}

function finishTimeFromDeletionTimestamp({ metadata }: Pod): number | undefined {
  const deletionTime = parseTime(metadata.deletionTimestamp);
  return deletionTime === undefined ? undefined : deletionTime - (metadata.deletionGracePeriodSeconds ?? 0) * SECOND;
}
