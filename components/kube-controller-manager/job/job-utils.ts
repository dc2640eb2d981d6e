import { getCondition } from '../../../src/api/conditions.ts';
import type { Job, JobCondition } from '../../../src/api/kinds/batch-v1.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { formatTime } from '../../../src/api/time.ts';

/** pkg/controller/job/job_controller.go controllerKind */
export const JOB = { apiVersion: 'batch/v1', kind: 'Job' };
/** batch/v1 JobTrackingFinalizer */
export const TRACKING_FINALIZER = 'batch.kubernetes.io/job-tracking';

const JOB_CONTROLLER_NAME = 'kubernetes.io/job-controller';

/** pkg/controller/job/util/utils.go IsJobFinished */
export function isJobFinished(job: Job): boolean {
  return finishedCondition(job) !== undefined;
}

/** The condition that says that the Job has completed or failed: pkg/controller/job/utils.go FinishedCondition */
export function finishedCondition(job: Job): JobCondition | undefined {
  return job.status?.conditions?.find(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True');
}

/** pkg/controller/job/job_controller.go managedByExternalController */
export function isManagedElsewhere(job: Job): boolean {
  return job.spec?.managedBy !== undefined && job.spec.managedBy !== JOB_CONTROLLER_NAME;
}

/** pkg/controller/job/job_controller.go jobSuspended */
export function jobSuspended(job: Job): boolean {
  return job.spec?.suspend === true;
}

/** pkg/controller/job/job_controller.go isIndexedJob */
export function isIndexedJob(job: Job): boolean {
  return job.spec?.completionMode === 'Indexed';
}

/** pkg/controller/job/indexed_job_utils.go hasBackoffLimitPerIndex */
export function hasBackoffLimitPerIndex(job: Job): boolean {
  return job.spec?.backoffLimitPerIndex !== undefined;
}

/** A pod that is being deleted gets a successor only when it has ended: pkg/controller/job/job_controller.go onlyReplaceFailedPods */
export function onlyReplaceFailedPods(job: Job): boolean {
  return job.spec?.podReplacementPolicy === 'Failed' || job.spec?.podFailurePolicy !== undefined;
}

/** pkg/controller/job/tracking_utils.go hasJobTrackingFinalizer */
export function hasJobTrackingFinalizer(pod: Pod): boolean {
  return pod.metadata.finalizers?.includes(TRACKING_FINALIZER) ?? false;
}

/** pkg/controller/job/job_controller.go removeTrackingFinalizerPatch */
export const REMOVE_TRACKING_FINALIZER_PATCH = { metadata: { '$deleteFromPrimitiveList/finalizers': [TRACKING_FINALIZER] } };

/** pkg/controller/job/job_controller.go isPodFailed */
export function isPodFailed(pod: Pod, job: Job): boolean {
  if (pod.status?.phase === 'Failed') return true;
  if (onlyReplaceFailedPods(job)) return false;
  // A pod that is deleted without ever ending counts as failed, too.
  return pod.metadata.deletionTimestamp !== undefined && pod.status?.phase !== 'Succeeded';
}

export function isPodSucceeded(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded';
}

/** What to say in a condition. */
export interface ConditionText {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/** pkg/controller/job/job_controller.go newCondition */
export function newCondition({ type, reason, message }: ConditionText, now: number, status = 'True'): JobCondition {
  const time = formatTime(now);
  return { type, status, lastProbeTime: time, lastTransitionTime: time, reason, message };
}

/** The list with the condition in this status, or the same list when it says so already: pkg/controller/job/job_controller.go ensureJobConditionStatus */
export function ensureJobConditionStatus(
  conditions: readonly JobCondition[],
  condition: JobCondition,
): { readonly conditions: readonly JobCondition[]; readonly updated: boolean } {
  const old = getCondition(conditions, condition.type);
  if (!old)
    return condition.status === 'False' ? { conditions, updated: false } : { conditions: [...conditions, condition], updated: true };
  const { status, reason, message } = condition;
  if (old.status === status && old.reason === reason && old.message === message) return { conditions, updated: false };
  return { conditions: conditions.map((other) => (other === old ? condition : other)), updated: true };
}
