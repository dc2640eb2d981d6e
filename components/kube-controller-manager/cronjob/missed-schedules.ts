import type { CronJob } from '../../../src/api/kinds/batch-v1.ts';
import { parseTime } from '../../../src/api/time.ts';
import { SyncError } from '../controller/sync-error.ts';
import type { Schedule } from './schedule.ts';

const SECOND = 1000;
/** By how much a run comes late rather than early: pkg/controller/cronjob/cronjob_controllerv2.go nextScheduleDelta */
const NEXT_SCHEDULE_DELTA_MS = 100;

/** The last time that has come. */
export interface MostRecent {
  readonly earliest: number;
  /** Undefined when no time has come since `earliest`. */
  readonly time: number | undefined;
  /** About how many times have come. */
  readonly missed: number;
}

/** pkg/controller/cronjob/utils.go mostRecentScheduleTime */
export function mostRecentScheduleTime(
  cronJob: CronJob,
  schedule: Schedule,
  { now, includeStartingDeadline }: { now: number; includeStartingDeadline: boolean },
): MostRecent {
  const earliest = earliestTime(cronJob, includeStartingDeadline ? now : undefined);
  const first = schedule.next(earliest);
  const second = first === undefined ? undefined : schedule.next(first);
  if (first !== undefined && now < first) return { earliest, time: undefined, missed: 0 };
  if (first !== undefined && second !== undefined && now < second) return { earliest, time: first, missed: 1 };
  const interval = Math.round(((second ?? 0) - (first ?? 0)) / SECOND);
  if (first === undefined || interval < 1) throw new SyncError('time difference between two schedules is less than 1 second');
  const missed = Math.floor(Math.floor((now - first) / SECOND) / interval) + 1;
  // Intervals differ, so the search begins one interval early.
  let time: number | undefined;
  const start = first + (missed - 2) * interval * SECOND;
  for (let next = schedule.next(start); next !== undefined && next <= now; next = schedule.next(next)) time = next;
  return { earliest, time, missed };
}

function earliestTime({ metadata, spec, status }: CronJob, now: number | undefined): number {
  const since = parseTime(status?.lastScheduleTime) ?? parseTime(metadata.creationTimestamp) ?? 0;
  const deadline = spec?.startingDeadlineSeconds;
  return now === undefined || deadline === undefined ? since : Math.max(since, now - deadline * SECOND);
}

/** In how many milliseconds the next time comes: pkg/controller/cronjob/utils.go nextScheduleTimeDuration */
export function nextScheduleTimeDuration(cronJob: CronJob, schedule: Schedule, now: number): number | undefined {
  let from: number;
  try {
    const { earliest, time } = mostRecentScheduleTime(cronJob, schedule, { now, includeStartingDeadline: false });
    from = time ?? earliest;
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    from = now;
  }
  const next = schedule.next(from);
  return next === undefined ? undefined : next + NEXT_SCHEDULE_DELTA_MS - now;
}
