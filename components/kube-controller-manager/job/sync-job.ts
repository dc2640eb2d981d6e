import { formatTime } from '../../../src/api/time.ts';
import { findFinishedCondition } from './finish-decision.ts';
import type { JobSync } from './job-sync.ts';
import { ensureJobConditionStatus, jobSuspended, newCondition } from './job-utils.ts';
import { deleteActivePods, manageJob } from './manage-job.ts';
import { trackJobStatusAndRemoveFinalizers } from './tracking.ts';

/**
 * Ends the Job when there is a reason to; else creates and deletes pods. Then accounts for pods that have ended. pkg/controller/job/job_controller.go syncJob
 * @param satisfied nothing that was asked for before is still to come
 */
export async function syncJob(sync: JobSync, satisfied: boolean): Promise<void> {
  sync.finishedCondition = findFinishedCondition(sync);
  const { active, suspendChanged, error } = sync.finishedCondition ? await finish(sync, satisfied) : await proceed(sync, satisfied);
  const { status } = sync;
  const changed = active !== status.active || sync.ready !== status.ready || sync.terminating !== status.terminating;
  status.active = active;
  status.ready = sync.ready;
  status.terminating = sync.terminating;
  await trackJobStatusAndRemoveFinalizers(sync, changed || suspendChanged);
  if (error !== undefined) throw error;
}

interface Outcome {
  readonly active: number;
  readonly suspendChanged: boolean;
  readonly error?: unknown;
}

async function finish(sync: JobSync, satisfied: boolean): Promise<Outcome> {
  const { active, error } = await deleteActivePods(sync);
  // Pods that are left, or that the cache does not show yet, would keep their finalizers.
  if (active > 0 || !satisfied) sync.finishedCondition = undefined;
  return { active, suspendChanged: false, error };
}

async function proceed(sync: JobSync, satisfied: boolean): Promise<Outcome> {
  const { job } = sync;
  const mayManage = satisfied && job.metadata.deletionTimestamp === undefined;
  const { active, error } = mayManage ? await manageJob(sync) : { active: sync.activePods.length, error: undefined };
  if (active === 0 && isComplete(sync)) {
    const message = 'Reached expected number of succeeded pods';
    sync.finishedCondition = newCondition({ type: 'SuccessCriteriaMet', reason: 'CompletionsReached', message }, sync.now);
    return { active, suspendChanged: false, error };
  }
  return { active, suspendChanged: mayManage && updateSuspended(sync), error };
}

function isComplete({ job, succeeded }: JobSync): boolean {
  const { completions } = job.spec ?? {};
  return completions === undefined ? succeeded > 0 : succeeded >= completions;
}

/** Whether the condition changed. */
function updateSuspended(sync: JobSync): boolean {
  const { status, now } = sync;
  const suspended = jobSuspended(sync.job);
  const [reason, message] = suspended ? ['JobSuspended', 'Job suspended'] : ['JobResumed', 'Job resumed'];
  const condition = newCondition({ type: 'Suspended', reason, message }, now, suspended ? 'True' : 'False');
  const { conditions, updated } = ensureJobConditionStatus(status.conditions, condition);
  if (!updated) return false;
  status.conditions = conditions;
  if (!suspended) status.startTime = formatTime(now);
  sync.event('Normal', suspended ? 'Suspended' : 'Resumed', message);
  return true;
}
