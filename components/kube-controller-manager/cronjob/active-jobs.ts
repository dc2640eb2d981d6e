import type { Job } from '../../../src/api/kinds/batch-v1.ts';
import { isNotFound } from '../../../src/api/status-error.ts';
import { parseTime } from '../../../src/api/time.ts';
import { finishedCondition, isJobFinished } from '../job/job-utils.ts';
import type { CronJobSync } from './cronjob-sync.ts';

/** Deletes the oldest Jobs beyond the history limits: pkg/controller/cronjob/cronjob_controllerv2.go cleanupFinishedJobs */
export async function cleanupFinishedJobs(sync: CronJobSync): Promise<void> {
  const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = sync.cronJob.spec ?? {};
  const ended = (type: string): Job[] => sync.jobs.filter((job) => finishedCondition(job)?.type === type);
  await removeOldestJobs(sync, ended('Complete'), successfulJobsHistoryLimit);
  await removeOldestJobs(sync, ended('Failed'), failedJobsHistoryLimit);
}

/** pkg/controller/cronjob/cronjob_controllerv2.go removeOldestJobs */
async function removeOldestJobs(sync: CronJobSync, jobs: readonly Job[], limit: number | undefined): Promise<void> {
  if (limit === undefined || jobs.length <= limit) return;
  const oldest = [...jobs].sort(byStartTime).slice(0, jobs.length - limit);
  sync.decide(`${jobs.length} finished Jobs of a kind, ${limit} are kept: delete ${oldest.length}`);
  for (const job of oldest) await sync.deleteJob(job);
}

/** pkg/controller/cronjob/utils.go byJobStartTime */
function byStartTime(a: Job, b: Job): number {
  const [left, right] = [a, b].map(({ status }) => parseTime(status?.startTime) ?? Number.POSITIVE_INFINITY) as [number, number];
  if (left !== right) return left - right;
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}

/** Brings the list of active Jobs up to date: pkg/controller/cronjob/cronjob_controllerv2.go syncCronJob */
export async function updateActiveJobs(sync: CronJobSync): Promise<void> {
  for (const job of sync.jobs) {
    if (!isJobFinished(job)) await checkUnexpected(sync, job);
    else if (sync.isActive(job)) {
      sync.deleteFromActiveList(job.metadata.uid);
      const condition = finishedCondition(job)?.type;
      sync.event('Normal', 'SawCompletedJob', `Saw completed job: ${job.metadata.name}, condition: ${condition}`);
    }
    noteSuccess(sync, job);
  }
  await forgetMissing(sync);
}

async function checkUnexpected(sync: CronJobSync, job: Job): Promise<void> {
  if (sync.isActive(job)) return;
  const { namespace, name = '' } = sync.cronJob.metadata;
  const live = await sync.services.cronJobs.get({ namespace, name });
  if (live.status?.active?.some(({ uid }) => uid === job.metadata.uid)) sync.cronJob = live;
  else sync.event('Warning', 'UnexpectedJob', `Saw a job that the controller did not create or forgot: ${job.metadata.name}`);
}

function noteSuccess(sync: CronJobSync, job: Job): void {
  if (finishedCondition(job)?.type !== 'Complete') return;
  const { completionTime } = job.status ?? {};
  const completed = parseTime(completionTime);
  const last = parseTime(sync.cronJob.status?.lastSuccessfulTime);
  if (completionTime === undefined || completed === undefined || (last !== undefined && completed <= last)) return;
  sync.setStatus({ lastSuccessfulTime: completionTime });
}

async function forgetMissing(sync: CronJobSync): Promise<void> {
  const known = new Set(sync.jobs.map((job) => job.metadata.uid));
  for (const { namespace, name = '', uid } of sync.active) {
    if (known.has(uid)) continue;
    try {
      // The cache may not show a new Job yet.
      await sync.services.jobs.get({ namespace, name });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      sync.event('Normal', 'MissingJob', `Active job went missing: ${name}`);
      sync.deleteFromActiveList(uid);
    }
  }
}
