import { isConditionTrue } from '../../../../src/api/conditions.ts';
import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type { Job, JobStatus } from '../../../../src/api/kinds/batch-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { parseTime } from '../../../../src/api/time.ts';
import { duplicate, invalid, invalidPrinted, required } from '../../../../src/api/validation/field.ts';
import { nonNegative } from '../validation.ts';
import { firstSharedIndex, parseIndexes } from './completion-indexes.ts';

const CONDITIONS = 'status.conditions';

/** An update of a status, with what it changes: most rules hold only for what changes, so that a status from before a rule can still be written. */
class StatusUpdate {
  readonly job: Job;
  readonly status: JobStatus;
  readonly before: JobStatus;
  readonly errors: FieldError[] = [];

  constructor(job: Job, old: Job) {
    this.job = job;
    this.status = job.status ?? {};
    this.before = old.status ?? {};
  }

  holds(type: string): boolean {
    return isConditionTrue(this.status.conditions, type);
  }

  get finished(): boolean {
    return this.holds('Complete') || this.holds('Failed');
  }

  /** One of these conditions holds now and did not before, or the other way round. */
  turns(...types: readonly string[]): boolean {
    return types.some((type) => isConditionTrue(this.status.conditions, type) !== isConditionTrue(this.before.conditions, type));
  }

  changes(...fields: readonly (keyof JobStatus)[]): boolean {
    return fields.some((field) => !semanticDeepEqual(this.status[field], this.before[field]));
  }

  refuseConditions(message: string): void {
    this.errors.push(invalidPrinted(CONDITIONS, message, ''));
  }

  refuse(field: keyof JobStatus, message: string, absent: unknown = ''): void {
    this.errors.push(invalid(`status.${field}`, this.status[field] ?? absent, message));
  }
}

/** kubernetes pkg/apis/batch/validation ValidateJobUpdateStatus, with pkg/registry/batch/job getStatusValidationOptions */
export function validateJobStatusUpdate(job: Job, old: Job): FieldError[] {
  const update = new StatusUpdate(job, old);
  for (const name of ['active', 'succeeded', 'failed', 'ready', 'terminating'] as const)
    nonNegative(update.errors, `status.${name}`, update.status[name]);
  validateUncounted(update);
  if (update.changes('ready', 'active') && (update.status.ready ?? 0) > (update.status.active ?? 0))
    update.refuse('ready', 'cannot set more ready pods than active', 0);
  validateConditions(update);
  validateFinished(update);
  validateIndexes(update);
  validateTransition(update);
  return update.errors;
}

function validateUncounted({ status, errors }: StatusUpdate): void {
  const seen = new Set<string>();
  for (const list of ['succeeded', 'failed'] as const) {
    for (const [index, uid] of (status.uncountedTerminatedPods?.[list] ?? []).entries()) {
      const path = `status.uncountedTerminatedPods.${list}[${index}]`;
      if (uid === '') errors.push(invalid(path, uid, 'must not be empty'));
      else if (seen.has(uid)) errors.push(duplicate(path, uid));
      seen.add(uid);
    }
  }
}

function validateConditions(update: StatusUpdate): void {
  const [complete, failed, target, met] = ['Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet'].map((type) => update.holds(type));
  const { startTime, completionTime } = update.status;
  if (complete && failed && update.turns('Complete', 'Failed'))
    update.refuseConditions('cannot set Complete=True and Failed=true conditions');
  if (complete && target && update.turns('Complete', 'FailureTarget'))
    update.refuseConditions('cannot set Complete=True and FailureTarget=true conditions');
  if (update.turns('Complete') || update.changes('completionTime')) {
    if (completionTime && !complete) update.refuse('completionTime', 'cannot set completionTime when there is no Complete=True condition');
    if (!completionTime && complete) update.errors.push(required('status.completionTime', 'completionTime is required for Complete jobs'));
  }
  if (
    update.changes('startTime', 'completionTime') &&
    startTime &&
    completionTime &&
    (parseTime(completionTime) ?? 0) < (parseTime(startTime) ?? 0)
  )
    update.refuse('completionTime', 'completionTime cannot be set before startTime');
  if (failed && !target && update.turns('Failed', 'FailureTarget'))
    update.refuseConditions('cannot set Failed=True condition without the FailureTarget=true condition');
  if (complete && !met && update.turns('Complete', 'SuccessCriteriaMet'))
    update.refuseConditions('cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  if (met && failed) update.refuseConditions('cannot set Failed=True and SuccessCriteriaMet=true conditions');
  if (met && target) update.refuseConditions('cannot set SuccessCriteriaMet=true and FailureTarget=true conditions');
}

/** What a job that has ended must have, and must not have any more. */
function validateFinished(update: StatusUpdate): void {
  const { status } = update;
  if (!update.finished) return;
  const turns = update.turns('Complete', 'Failed');
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  if ((status.active ?? 0) > 0 && (turns || update.changes('active'))) update.refuse('active', 'active>0 is invalid for finished job');
  if ((status.terminating ?? 0) > 0 && (turns || update.changes('terminating')))
    update.refuse('terminating', 'terminating>0 is invalid for finished job');
  if (!status.startTime && (turns || update.changes('startTime')))
    update.errors.push(required('status.startTime', 'startTime is required for finished job'));
  if (succeeded.length + failed.length > 0 && (turns || update.changes('uncountedTerminatedPods')))
    update.refuse('uncountedTerminatedPods', 'uncountedTerminatedPods needs to be empty for finished job');
}

function validateIndexes(update: StatusUpdate): void {
  const { completions, completionMode, backoffLimitPerIndex } = update.job.spec ?? {};
  const { completedIndexes = '', failedIndexes } = update.status;
  const [newCompleted, newFailed] = [update.changes('completedIndexes'), update.changes('failedIndexes')];
  const completed = completions === undefined ? [] : parseIndexes(completedIndexes, completions);
  const failed = completions === undefined ? [] : parseIndexes(failedIndexes ?? '', completions);
  if (newCompleted && typeof completed === 'string') update.refuse('completedIndexes', `error parsing completedIndexes: ${completed}`);
  if (newFailed && backoffLimitPerIndex !== undefined && typeof failed === 'string')
    update.refuse('failedIndexes', `error parsing failedIndexes: ${failed}`);
  if (newCompleted && completedIndexes !== '' && completionMode !== 'Indexed')
    update.refuse('completedIndexes', 'cannot set non-empty completedIndexes when non-indexed completion mode');
  if (newFailed && failedIndexes !== undefined && backoffLimitPerIndex === undefined)
    update.refuse('failedIndexes', 'cannot set non-null failedIndexes when backoffLimitPerIndex is null');
  if (!(newCompleted || newFailed) || typeof completed === 'string' || typeof failed === 'string') return;
  const shared = firstSharedIndex(completed, failed);
  if (shared !== undefined) update.refuse('failedIndexes', `failedIndexes and completedIndexes overlap at index: ${shared}`);
}

/** What must not be taken back. */
function validateTransition(update: StatusUpdate): void {
  const { job, status, before, errors } = update;
  for (const type of ['Failed', 'Complete', 'FailureTarget'])
    if (isConditionTrue(before.conditions, type) && !isConditionTrue(status.conditions, type))
      update.refuseConditions(`cannot disable the terminal ${type}=True condition`);
  if ((status.failed ?? 0) < (before.failed ?? 0)) update.refuse('failed', 'cannot decrease the failed counter', 0);
  if ((status.succeeded ?? 0) < (before.succeeded ?? 0) && !mayLoseSuccesses(job))
    update.refuse('succeeded', 'cannot decrease the succeeded counter', 0);
  if (status.completionTime && before.completionTime && update.changes('completionTime'))
    update.refuse('completionTime', 'completionTime cannot be mutated');
  if (before.startTime && !status.startTime && !job.spec?.suspend)
    errors.push(required('status.startTime', 'startTime cannot be removed for unsuspended job'));
}

/** An Indexed Job as parallel as it has completions can be scaled down, and then has fewer successes. */
function mayLoseSuccesses({ spec }: Job): boolean {
  return spec?.completionMode === 'Indexed' && spec.completions === spec.parallelism;
}
