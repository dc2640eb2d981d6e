import { getCondition } from '../../../src/api/conditions.ts';
import type { Job, JobCondition } from '../../../src/api/kinds/batch-v1.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { parseTime } from '../../../src/api/time.ts';
import { urgencyOf } from '../controller/patience.ts';
import { completionsOf } from './indexed-job-utils.ts';
import type { JobSync } from './job-sync.ts';
import { isIndexedJob, jobSuspended, newCondition } from './job-utils.ts';
import { getFailJobMessage } from './pod-failure-policy.ts';
import { matchSuccessPolicy } from './success-policy.ts';

const SECOND = 1000;

/** Why the Job ends now, if it does, besides by enough successes: pkg/controller/job/job_controller.go syncJob */
export function findFinishedCondition(sync: JobSync): JobCondition | undefined {
  const { job, pods, now } = sync;
  const conditions = job.status?.conditions;
  const criteriaMet = getCondition(conditions, 'SuccessCriteriaMet');
  if (criteriaMet?.status === 'True') return criteriaMet;
  const failureTarget = getCondition(conditions, 'FailureTarget');
  if (failureTarget?.status === 'True') return newFailedCondition(failureTarget, now);
  const failJob = getFailJobMessage(job, pods);
  if (failJob !== undefined) return failure(sync, 'PodFailurePolicy', failJob);
  if (sync.failed > (job.spec?.backoffLimit ?? 6) || pastBackoffLimitOnFailure(job, pods)) {
    return failure(sync, 'BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  }
  return pastActiveDeadline(sync) ?? indexesDecide(sync);
}

/** pkg/controller/job/job_controller.go newFailedConditionForFailureTarget */
export function newFailedCondition({ reason = '', message = '' }: JobCondition, now: number): JobCondition {
  return newCondition({ type: 'Failed', reason, message }, now);
}

/** pkg/controller/job/job_controller.go newFailureCondition */
function failure({ now }: JobSync, reason: string, message: string): JobCondition {
  return newCondition({ type: 'FailureTarget', reason, message }, now);
}

/** pkg/controller/job/job_controller.go pastBackoffLimitOnFailure */
function pastBackoffLimitOnFailure({ spec }: Job, pods: readonly Pod[]): boolean {
  if (spec?.template?.spec?.restartPolicy !== 'OnFailure') return false;
  let restarts = 0;
  for (const { status } of pods) {
    if (status?.phase !== 'Running' && status?.phase !== 'Pending') continue;
    for (const { restartCount } of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]) restarts += restartCount;
  }
  const limit = spec.backoffLimit ?? 6;
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

/** Comes again when the deadline passes, if it has not: pkg/controller/job/job_controller.go pastActiveDeadline */
function pastActiveDeadline(sync: JobSync): JobCondition | undefined {
  const { activeDeadlineSeconds } = sync.job.spec ?? {};
  const startTime = parseTime(sync.status.startTime);
  if (activeDeadlineSeconds === undefined || startTime === undefined || jobSuspended(sync.job)) return undefined;
  // The API keeps whole seconds; a Job that starts in this sync counts from now.
  const started = sync.job.status?.startTime === undefined ? sync.now : startTime;
  const remaining = started + activeDeadlineSeconds * SECOND - sync.now;
  if (remaining <= 0) return failure(sync, 'DeadlineExceeded', 'Job was active longer than specified deadline');
  sync.services.queue.addAfter(sync.key, remaining, urgencyOf(remaining));
  return undefined;
}

function indexesDecide(sync: JobSync): JobCondition | undefined {
  const { job, failedIndexes, succeededIndexes } = sync;
  if (!isIndexedJob(job)) return undefined;
  const { maxFailedIndexes } = job.spec ?? {};
  const failed = failedIndexes?.total ?? 0;
  if (maxFailedIndexes !== undefined && failed > maxFailedIndexes) {
    return failure(sync, 'MaxFailedIndexesExceeded', 'Job has exceeded the specified maximal number of failed indexes');
  }
  if (failed > 0 && failed + succeededIndexes.total >= completionsOf(job)) return failure(sync, 'FailedIndexes', 'Job has failed indexes');
  const message = matchSuccessPolicy(job, succeededIndexes);
  return message === undefined ? undefined : newCondition({ type: 'SuccessCriteriaMet', reason: 'SuccessPolicy', message }, sync.now);
}
