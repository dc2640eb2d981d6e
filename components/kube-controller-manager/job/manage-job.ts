import type { Pod, PodTemplateSpec } from '../../../src/api/kinds/core-v1.ts';
import { newControllerRef } from '../../../src/api/meta.ts';
import { isNamespaceTerminating, isNotFound } from '../../../src/api/status-error.ts';
import { sortActivePods } from '../controller/active-pods-order.ts';
import { isPodReady, isPodTerminating } from '../controller/controller-utils.ts';
import { slowStartBatch } from '../controller/slow-start.ts';
import { getFinishedTime, getRemainingTime } from './backoff-utils.ts';
import {
  addCompletionIndexEnvVariables,
  completionsOf,
  getIndexAbsoluteFailureCount,
  getIndexes,
  indexedPod,
  splitDuplicatedIndexPods,
} from './indexed-job-utils.ts';
import type { JobSync } from './job-sync.ts';
import {
  hasBackoffLimitPerIndex,
  hasJobTrackingFinalizer,
  isIndexedJob,
  JOB,
  jobSuspended,
  onlyReplaceFailedPods,
  REMOVE_TRACKING_FINALIZER_PATCH,
  TRACKING_FINALIZER,
} from './job-utils.ts';

/** At most so many pods are created or deleted in one sync: pkg/controller/job/job_controller.go MaxPodCreateDeletePerSync */
const MAX_POD_CREATE_DELETE_PER_SYNC = 500;
/** Syncs that pods cause wait for others of their kind: pkg/controller/job/job_controller.go SyncJobBatchPeriod */
export const SYNC_JOB_BATCH_PERIOD_MS = 1000;

/** How many pods are active afterwards, and what went wrong. */
export interface Managed {
  readonly active: number;
  readonly error?: unknown;
}

/** Creates or deletes pods until as many are active as should be: pkg/controller/job/job_controller.go manageJob */
export async function manageJob(sync: JobSync): Promise<Managed> {
  const { job, activePods } = sync;
  const active = activePods.length;
  if (jobSuspended(job)) return removePods(sync, activePodsForRemoval(sync, active), 'the Job is suspended');
  const wanted = wantActive(sync);
  const surplus = activePodsForRemoval(sync, Math.max(0, active - wanted)).slice(0, MAX_POD_CREATE_DELETE_PER_SYNC);
  if (surplus.length > 0) return removePods(sync, surplus, `${wanted} pods wanted, ${active} active`);
  const terminating = onlyReplaceFailedPods(job) ? sync.terminating : 0;
  const missing = wanted - terminating - active;
  return missing > 0 ? createMissing(sync, Math.min(missing, MAX_POD_CREATE_DELETE_PER_SYNC), wanted) : { active };
}

function wantActive({ job, activePods, succeeded }: JobSync): number {
  const parallelism = job.spec?.parallelism ?? 1;
  const { completions } = job.spec ?? {};
  // Without a number of completions the first success ends the creation of pods, and those that run may go on.
  if (completions === undefined) return succeeded > 0 ? activePods.length : parallelism;
  return Math.max(0, Math.min(completions - succeeded, parallelism));
}

/** pkg/controller/job/job_controller.go activePodsForRemoval */
function activePodsForRemoval({ job, activePods }: JobSync, atLeast: number): Pod[] {
  const { remove, left } = isIndexedJob(job) ? splitDuplicatedIndexPods(job, activePods) : { remove: [], left: activePods };
  const more = atLeast - remove.length;
  return more > 0 ? [...remove, ...sortActivePods(left).slice(0, more)] : remove;
}

async function removePods(sync: JobSync, pods: readonly Pod[], why: string): Promise<Managed> {
  if (pods.length > 0) sync.decide(`${why}: delete ${pods.length}`);
  sync.services.expectations.expectDeletions(sync.key, pods.length);
  const { deleted, error } = await deletePods(sync, pods, async (pod) => {
    const { namespace = '', name = '' } = pod.metadata;
    // Without the finalizer nobody counts the pod as failed.
    if (hasJobTrackingFinalizer(pod)) await sync.services.podControl.patchPod(namespace, name, REMOVE_TRACKING_FINALIZER_PATCH);
  });
  return { active: sync.activePods.length - deleted, error };
}

/** Deletes what still runs when the Job ends; finalizers stay. pkg/controller/job/job_controller.go deleteActivePods */
export async function deleteActivePods(sync: JobSync): Promise<Managed> {
  const { activePods } = sync;
  if (activePods.length > 0) sync.decide(`the Job ends (${sync.finishedCondition?.reason}): delete its ${activePods.length} active pods`);
  const { deleted, error } = await deletePods(sync, activePods);
  return { active: activePods.length - deleted, error };
}

/** pkg/controller/job/job_controller.go deleteJobPods */
async function deletePods(
  sync: JobSync,
  pods: readonly Pod[],
  prepare?: (pod: Pod) => Promise<void>,
): Promise<{ deleted: number; error?: unknown }> {
  const errors: unknown[] = [];
  let deleted = pods.length;
  const remove = async (pod: Pod): Promise<void> => {
    const { namespace = '', name = '' } = pod.metadata;
    try {
      await prepare?.(pod);
      await sync.services.podControl.deletePod(namespace, name, sync.job);
      if (isPodReady(pod)) sync.ready--;
    } catch (error) {
      // Nobody will observe this deletion.
      if (prepare) sync.services.expectations.deletionObserved(sync.key);
      if (isNotFound(error)) return;
      deleted--;
      errors.push(error);
    }
  };
  await Promise.all(pods.map(remove));
  sync.terminating += deleted;
  return { deleted, error: errors[0] };
}

async function createMissing(sync: JobSync, missing: number, wanted: number): Promise<Managed> {
  const { job } = sync;
  const isPerIndex = hasBackoffLimitPerIndex(job);
  const remaining = isPerIndex ? 0 : getRemainingTime(sync.newBackoffRecord, sync.now);
  if (remaining > 0) return waitForBackoff(sync, remaining);
  if (!isIndexedJob(job)) return createPods(sync, { count: missing, wanted });
  const pending = firstPendingIndexes(sync, missing);
  const waits = pending.map((index) => (isPerIndex ? remainingTimePerIndex(sync, index) : 0));
  const indexes = pending.filter((_, place) => waits[place] === 0);
  if (indexes.length === 0 && pending.length > 0) return waitForBackoff(sync, Math.min(...waits));
  return createPods(sync, { count: indexes.length, wanted, indexes });
}

/** The status says that no pod is active, even when others are. */
function waitForBackoff(sync: JobSync, remaining: number): Managed {
  sync.decide(`pods have failed: wait ${Math.ceil(remaining / 1000)} s before the next one`);
  sync.services.queue.addAfter(sync.key, Math.max(remaining, SYNC_JOB_BATCH_PERIOD_MS));
  return { active: 0 };
}

/** pkg/controller/job/indexed_job_utils.go firstPendingIndexes */
function firstPendingIndexes({ job, pods, activePods, succeededIndexes, failedIndexes }: JobSync, count: number): number[] {
  const terminating = onlyReplaceFailedPods(job) ? getIndexes(pods.filter(isPodTerminating)) : [];
  const taken = succeededIndexes.with([...getIndexes(activePods), ...terminating]);
  return (failedIndexes ? taken.merge(failedIndexes) : taken).firstMissing(count, completionsOf(job));
}

/** pkg/controller/job/backoff_utils.go getRemainingTimePerIndex */
function remainingTimePerIndex({ podsWithDelayedDeletionPerIndex, now }: JobSync, index: number): number {
  const last = podsWithDelayedDeletionPerIndex.get(index);
  if (!last) return 0;
  return getRemainingTime(
    { failuresAfterLastSuccess: getIndexAbsoluteFailureCount(last) + 1, lastFailureTime: getFinishedTime(last) },
    now,
  );
}

async function createPods(
  sync: JobSync,
  { count, wanted, indexes = [] }: { count: number; wanted: number; indexes?: readonly number[] },
): Promise<Managed> {
  const { job, key, activePods } = sync;
  const { expectations, podControl } = sync.services;
  if (count > 0) sync.decide(`${wanted} pods wanted, ${activePods.length} active: create ${count}`);
  expectations.expectCreations(key, count);
  const template = podTemplate(sync);
  const shared = { namespace: job.metadata.namespace ?? '', controller: job, controllerRef: newControllerRef(job, JOB) };
  const { successes, error } = await slowStartBatch(count, async (place) => {
    const index = indexes[place];
    const replaced = index === undefined ? undefined : sync.podsWithDelayedDeletionPerIndex.get(index);
    const made = index === undefined ? { template } : indexedPod(job, { template, index, replaced });
    try {
      await podControl.createPod({ ...shared, ...made });
    } catch (failure) {
      // In a namespace that is being deleted there is nothing to try again.
      if (!isNamespaceTerminating(failure)) throw failure;
    }
  });
  for (let skipped = count - successes; skipped > 0; skipped--) expectations.creationObserved(key);
  return { active: activePods.length + successes, error };
}

function podTemplate({ job }: JobSync): PodTemplateSpec {
  const template = job.spec?.template ?? {};
  const finalizers = template.metadata?.finalizers ?? [];
  const tracked = finalizers.includes(TRACKING_FINALIZER) ? finalizers : [...finalizers, TRACKING_FINALIZER];
  const withFinalizer = { ...template, metadata: { ...template.metadata, finalizers: tracked } };
  return isIndexedJob(job) ? addCompletionIndexEnvVariables(withFinalizer) : withFinalizer;
}
