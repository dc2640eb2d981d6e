import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { isNotFound } from '../../../src/api/status-error.ts';
import { messageOf, SyncError } from '../controller/sync-error.ts';
import { newFailedCondition } from './finish-decision.ts';
import { getCompletionIndex, isValidIndex } from './indexed-job-utils.ts';
import { type JobSync, uidOf } from './job-sync.ts';
import {
  ensureJobConditionStatus,
  isIndexedJob,
  isPodFailed,
  isPodSucceeded,
  newCondition,
  REMOVE_TRACKING_FINALIZER_PATCH,
} from './job-utils.ts';
import { matchPodFailurePolicy } from './pod-failure-policy.ts';

/** pkg/controller/job/job_controller.go MaxUncountedPods */
const MAX_UNCOUNTED_PODS = 500;

/**
 * Accounts for pods that have ended so that none is counted twice or forgotten: their UIDs go into the status, then their finalizers go, then the counters
 * rise. pkg/controller/job/job_controller.go trackJobStatusAndRemoveFinalizers
 */
export async function trackJobStatusAndRemoveFinalizers(sync: JobSync, needsFlush: boolean): Promise<void> {
  const withFinalizer = new Set(sync.pods.filter((pod) => sync.isTracked(pod)).map(uidOf));
  const cleaned = cleanUncountedPodsWithoutFinalizers(sync, withFinalizer);
  const collected = collectEndedPods(sync);
  const indexed = updateIndexes(sync, collected.newSucceededIndexes);
  const interim = addInterimCondition(sync);
  if (needsFlush || cleaned || collected.needsFlush || indexed || interim) await flush(sync, 'adding uncounted pods to status');
  const removalError = await removeTrackingFinalizers(sync, collected.podsToRemoveFinalizer, withFinalizer);
  const counted = cleanUncountedPodsWithoutFinalizers(sync, withFinalizer);
  if (removalError !== undefined) {
    if (counted) await updateStatus(sync, 'removing uncounted pods from status');
    throw removalError;
  }
  const finished = !collected.reachedMaxUncountedPods && enactJobFinished(sync);
  if (!counted && !finished) return;
  await updateStatus(sync, 'removing uncounted pods from status');
  if (finished) recordJobFinished(sync);
}

async function flush(sync: JobSync, what: string): Promise<void> {
  await updateStatus(sync, what);
  sync.services.backoffStore.update(sync.key, sync.newBackoffRecord);
}

async function updateStatus(sync: JobSync, what: string): Promise<void> {
  try {
    await sync.updateStatus();
  } catch (error) {
    throw new SyncError(`tracking status: ${what}: ${messageOf(error)}`, { cause: error });
  }
}

interface EndedPods {
  readonly podsToRemoveFinalizer: readonly Pod[];
  readonly newSucceededIndexes: readonly number[];
  readonly needsFlush: boolean;
  readonly reachedMaxUncountedPods: boolean;
}

/** Puts the pods that have ended into the draft of the status. */
function collectEndedPods(sync: JobSync): EndedPods {
  const podsToRemoveFinalizer: Pod[] = [];
  const newSucceededIndexes: number[] = [];
  const [succeeded, failed] = [[...sync.status.uncounted.succeeded], [...sync.status.uncounted.failed]];
  const before = succeeded.length + failed.length;
  let reachedMaxUncountedPods = false;
  const pods = isIndexedJob(sync.job) ? [...sync.pods].sort((a, b) => getCompletionIndex(a) - getCompletionIndex(b)) : sync.pods;
  for (const pod of pods) {
    if (!sync.isTracked(pod) || !canRemoveFinalizer(sync, pod)) continue;
    podsToRemoveFinalizer.push(pod);
    const outcome = outcomeOf(sync, pod);
    if (outcome === 'index-succeeded') newSucceededIndexes.push(getCompletionIndex(pod));
    if (outcome === 'succeeded') succeeded.push(uidOf(pod));
    if (outcome === 'failed') failed.push(uidOf(pod));
    reachedMaxUncountedPods = newSucceededIndexes.length + succeeded.length + failed.length >= MAX_UNCOUNTED_PODS;
    if (reachedMaxUncountedPods) break;
  }
  sync.status.uncounted = { succeeded, failed };
  const needsFlush = newSucceededIndexes.length > 0 || succeeded.length + failed.length > before;
  return { podsToRemoveFinalizer, newSucceededIndexes, needsFlush, reachedMaxUncountedPods };
}

/** pkg/controller/job/job_controller.go canRemoveFinalizer */
function canRemoveFinalizer({ job, finishedCondition, podsWithDelayedDeletionPerIndex }: JobSync, pod: Pod): boolean {
  if (job.metadata.deletionTimestamp !== undefined || finishedCondition || isPodSucceeded(pod)) return true;
  return isPodFailed(pod, job) && podsWithDelayedDeletionPerIndex.get(getCompletionIndex(pod))?.metadata.uid !== pod.metadata.uid;
}

/** How a pod is to be counted that was not counted before. */
function outcomeOf(sync: JobSync, pod: Pod): 'index-succeeded' | 'succeeded' | 'failed' | undefined {
  const { job, finishedCondition, uncounted } = sync;
  const uid = uidOf(pod);
  const index = getCompletionIndex(pod);
  const isIndexed = isIndexedJob(job);
  if (isPodSucceeded(pod) && !uncounted.failed.has(uid)) {
    if (isIndexed) return isValidIndex(job, index) && !sync.prevSucceededIndexes.has(index) ? 'index-succeeded' : undefined;
    return uncounted.succeeded.has(uid) ? undefined : 'succeeded';
  }
  // When the Job has failed, every pod that has not ended counts as failed.
  const endsByFailure = finishedCondition !== undefined && finishedCondition.type !== 'SuccessCriteriaMet';
  if (!isPodFailed(pod, job) && !endsByFailure) return undefined;
  if (uncounted.failed.has(uid) || (isIndexed && !isValidIndex(job, index))) return undefined;
  return matchPodFailurePolicy(job, pod).countFailed ? 'failed' : undefined;
}

/** Whether the status says something new about indexes. */
function updateIndexes(sync: JobSync, newSucceededIndexes: readonly number[]): boolean {
  if (!isIndexedJob(sync.job)) return false;
  const { status } = sync;
  const before = [status.completedIndexes, status.failedIndexes];
  sync.succeededIndexes = sync.prevSucceededIndexes.with(newSucceededIndexes);
  status.succeeded = sync.succeededIndexes.total;
  status.completedIndexes = sync.succeededIndexes.toString();
  status.failedIndexes = sync.failedIndexes?.toString();
  return before[0] !== status.completedIndexes || before[1] !== status.failedIndexes;
}

/** Says that the Job is going to end before finalizers go, and turns the condition into the final one. Whether the status changed. */
function addInterimCondition(sync: JobSync): boolean {
  const { finishedCondition: condition, status, now } = sync;
  if (condition?.type === 'FailureTarget') {
    status.conditions = [...status.conditions, condition];
    sync.finishedCondition = newFailedCondition(condition, now);
    return true;
  }
  if (condition?.type !== 'SuccessCriteriaMet') return false;
  const isNew = !status.conditions.some(({ type, status: value }) => type === 'SuccessCriteriaMet' && value === 'True');
  if (isNew) status.conditions = [...status.conditions, condition];
  const { reason = '', message = '' } = condition;
  sync.finishedCondition = newCondition({ type: 'Complete', reason, message }, now);
  return isNew;
}

/** Counts those whose finalizer has gone: pkg/controller/job/job_controller.go cleanUncountedPodsWithoutFinalizers */
function cleanUncountedPodsWithoutFinalizers({ status }: JobSync, withFinalizer: ReadonlySet<string>): boolean {
  const succeeded = status.uncounted.succeeded.filter((uid) => withFinalizer.has(uid));
  const failed = status.uncounted.failed.filter((uid) => withFinalizer.has(uid));
  const newSucceeded = status.uncounted.succeeded.length - succeeded.length;
  const newFailed = status.uncounted.failed.length - failed.length;
  if (newSucceeded + newFailed === 0) return false;
  status.uncounted = { succeeded, failed };
  status.succeeded += newSucceeded;
  status.failed += newFailed;
  return true;
}

/** Returns what went wrong. pkg/controller/job/job_controller.go removeTrackingFinalizerFromPods */
async function removeTrackingFinalizers({ services, key }: JobSync, pods: readonly Pod[], withFinalizer: Set<string>): Promise<unknown> {
  const errors: unknown[] = [];
  services.finalizerExpectations.expectFinalizersRemoved(key, pods.map(uidOf));
  await Promise.all(
    pods.map(async (pod) => {
      const { namespace = '', name = '' } = pod.metadata;
      try {
        await services.podControl.patchPod(namespace, name, REMOVE_TRACKING_FINALIZER_PATCH);
      } catch (error) {
        // Nobody will observe this removal.
        services.finalizerExpectations.finalizerRemovalObserved(key, uidOf(pod));
        if (!isNotFound(error)) {
          errors.push(error);
          return;
        }
      }
      withFinalizer.delete(uidOf(pod));
    }),
  );
  return errors[0];
}

/** pkg/controller/job/job_controller.go enactJobFinished */
function enactJobFinished(sync: JobSync): boolean {
  const { finishedCondition: condition, status, now } = sync;
  if (!condition || status.uncounted.succeeded.length + status.uncounted.failed.length > 0 || sync.terminating > 0) return false;
  const { type, reason = '', message = '' } = condition;
  status.conditions = ensureJobConditionStatus(status.conditions, newCondition({ type, reason, message }, now)).conditions;
  if (type === 'Complete') status.completionTime = condition.lastTransitionTime;
  return true;
}

/** pkg/controller/job/job_controller.go recordJobFinished */
function recordJobFinished(sync: JobSync): void {
  const { finishedCondition: condition, job, status } = sync;
  if (condition?.type !== 'Complete') {
    sync.event('Warning', condition?.reason ?? '', condition?.message ?? '');
    return;
  }
  const { completions } = job.spec ?? {};
  if (completions !== undefined && status.succeeded > completions) {
    sync.event('Warning', 'TooManySucceededPods', 'Too many succeeded pods running after completion count reached');
  }
  sync.event('Normal', 'Completed', 'Job completed');
}
