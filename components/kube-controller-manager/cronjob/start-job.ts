import type { CronJob, Job } from '../../../src/api/kinds/batch-v1.ts';
import { isControlledBy, newControllerRef } from '../../../src/api/meta.ts';
import { isAlreadyExists, isNamespaceTerminating } from '../../../src/api/status-error.ts';
import { formatTime } from '../../../src/api/time.ts';
import { messageOf, SyncError } from '../controller/sync-error.ts';
import type { CronJobSync } from './cronjob-sync.ts';
import { mostRecentScheduleTime, nextScheduleTimeDuration } from './missed-schedules.ts';
import { parseSchedule, type Schedule } from './schedule.ts';
import { formatRfc1123z, TimeZone } from './time-zone.ts';

/** pkg/controller/cronjob/cronjob_controllerv2.go controllerKind */
export const CRON_JOB = { apiVersion: 'batch/v1', kind: 'CronJob' };

const SCHEDULED_TIMESTAMP_ANNOTATION = 'batch.kubernetes.io/cronjob-scheduled-timestamp';
const DEFAULT_TIME_ZONE = 'Etc/UTC';
const SECOND = 1000;
const MINUTE = 60_000;
const MANY_MISSED = 100;

/** In how many milliseconds to look again; undefined when there is nothing to wait for. */
type RequeueAfter = number | undefined;

/** The schedule in the CronJob's zone: pkg/controller/cronjob/utils.go formatSchedule */
export function scheduleOf({ spec }: CronJob): Schedule {
  return parseSchedule(spec?.schedule ?? '', spec?.timeZone ?? DEFAULT_TIME_ZONE);
}

/** Starts the run whose time has come, if there is one: pkg/controller/cronjob/cronjob_controllerv2.go syncCronJob */
export async function startDueJob(sync: CronJobSync): Promise<RequeueAfter> {
  const { metadata, spec } = sync.cronJob;
  if (metadata.deletionTimestamp !== undefined) return undefined;
  if (!hasKnownTimeZone(sync) || spec?.suspend) return undefined;
  const schedule = readSchedule(sync);
  if (!schedule) return undefined;
  const scheduled = nextScheduleTime(sync, schedule);
  if (scheduled === 'invalid') return undefined;
  const next = (): RequeueAfter => nextScheduleTimeDuration(sync.cronJob, schedule, sync.now);
  if (scheduled === undefined || !(await mayStart(sync, scheduled))) return next();
  return (await createJob(sync, scheduled)) ? next() : undefined;
}

function hasKnownTimeZone(sync: CronJobSync): boolean {
  const { timeZone } = sync.cronJob.spec ?? {};
  try {
    new TimeZone(timeZone ?? DEFAULT_TIME_ZONE);
    return true;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    sync.event('Warning', 'UnknownTimeZone', `invalid timeZone: "${timeZone}": unknown time zone ${timeZone}`);
    return false;
  }
}

function readSchedule(sync: CronJobSync): Schedule | undefined {
  const { schedule = '' } = sync.cronJob.spec ?? {};
  if (schedule.includes('TZ')) {
    const more = 'see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details';
    sync.event('Warning', 'UnsupportedSchedule', `CRON_TZ or TZ used in schedule "${schedule}" is not officially supported, ${more}`);
  }
  try {
    return scheduleOf(sync.cronJob);
  } catch (error) {
    // Validation lets no such schedule pass; an object may be older than the rule.
    sync.event('Warning', 'UnparseableSchedule', `unparseable schedule: "${schedule}" : ${messageOf(error)}`);
    return undefined;
  }
}

/** The last time that has come and was not used yet: pkg/controller/cronjob/utils.go nextScheduleTime */
function nextScheduleTime(sync: CronJobSync, schedule: Schedule): number | undefined | 'invalid' {
  try {
    const { time, missed } = mostRecentScheduleTime(sync.cronJob, schedule, { now: sync.now, includeStartingDeadline: true });
    if (time !== undefined && missed > MANY_MISSED) {
      const advice = 'Set or decrease .spec.startingDeadlineSeconds or check clock skew';
      sync.event('Warning', 'TooManyMissedTimes', `too many missed start times. ${advice}`);
    }
    return time;
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    sync.event('Warning', 'InvalidSchedule', `invalid schedule: ${sync.cronJob.spec?.schedule} : ${error.message}`);
    return 'invalid';
  }
}

async function mayStart(sync: CronJobSync, scheduled: number): Promise<boolean> {
  const { startingDeadlineSeconds, concurrencyPolicy } = sync.cronJob.spec ?? {};
  if (startingDeadlineSeconds !== undefined && scheduled + startingDeadlineSeconds * SECOND < sync.now) {
    sync.event('Warning', 'MissSchedule', `Missed scheduled time to start a job: ${formatRfc1123z(scheduled)}`);
    return false;
  }
  const name = getJobName(sync.cronJob, scheduled);
  const isStarted = sync.active.some((reference) => reference.name === name);
  if (isStarted || sync.cronJob.status?.lastScheduleTime === formatTime(scheduled)) return false;
  if (concurrencyPolicy === 'Forbid' && sync.active.length > 0) {
    const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
    sync.event('Normal', 'JobAlreadyActive', message);
    return false;
  }
  if (concurrencyPolicy === 'Replace') await replaceActive(sync);
  return true;
}

async function replaceActive(sync: CronJobSync): Promise<void> {
  for (const { namespace = '', name = '' } of sync.active) {
    let job: Job;
    try {
      job = await sync.services.jobs.get({ namespace, name });
    } catch (error) {
      sync.event('Warning', 'FailedGet', `Get job: ${messageOf(error)}`);
      throw error;
    }
    if (!(await sync.deleteJob(job))) throw new SyncError(`could not replace job ${namespace}/${name}`);
  }
}

/** Whether the run is in the list of active Jobs now. */
async function createJob(sync: CronJobSync, scheduled: number): Promise<boolean> {
  const draft = getJobFromTemplate(sync.cronJob, scheduled);
  const { namespace, name = '' } = draft.metadata;
  sync.decide(`the time ${formatTime(scheduled)} has come: create Job ${name}`);
  let job: Job;
  try {
    job = await sync.services.jobs.create(draft);
    sync.event('Normal', 'SuccessfulCreate', `Created job ${name}`);
  } catch (error) {
    if (!isAlreadyExists(error)) {
      if (!isNamespaceTerminating(error)) sync.event('Warning', 'FailedCreate', `Error creating job: ${messageOf(error)}`);
      throw error;
    }
    // It may have been created by a sync that could not write the status.
    job = await sync.services.jobs.get({ namespace, name });
    if (!isControlledBy(job, sync.cronJob) || sync.isActive(job)) return false;
  }
  const { uid = '', resourceVersion = '' } = job.metadata;
  const reference = { kind: 'Job', namespace: namespace ?? '', name, uid, apiVersion: 'batch/v1', resourceVersion };
  sync.setStatus({ active: [...sync.active, reference], lastScheduleTime: formatTime(scheduled) });
  return true;
}

/** pkg/controller/cronjob/utils.go getJobName */
function getJobName({ metadata }: CronJob, scheduled: number): string {
  return `${metadata.name}-${Math.floor(scheduled / MINUTE)}`;
}

/** pkg/controller/cronjob/utils.go getJobFromTemplate2 */
function getJobFromTemplate(cronJob: CronJob, scheduled: number): Job {
  const { namespace = '' } = cronJob.metadata;
  const template = cronJob.spec?.jobTemplate;
  const { labels, annotations } = template?.metadata ?? {};
  const timestamp = new TimeZone(cronJob.spec?.timeZone ?? DEFAULT_TIME_ZONE).formatTime(scheduled);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: getJobName(cronJob, scheduled),
      namespace,
      ...(labels ? { labels } : {}),
      annotations: { ...annotations, [SCHEDULED_TIMESTAMP_ANNOTATION]: timestamp },
      ownerReferences: [newControllerRef(cronJob, CRON_JOB)],
    },
    ...(template?.spec ? { spec: template.spec } : {}),
  };
}
