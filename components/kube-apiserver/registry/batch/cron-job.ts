import { CronSyntaxError, parseCron } from '../../../../src/api/cron.ts';
import type { CronJob, CronJobSpec } from '../../../../src/api/kinds/batch-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { invalid, notSupported, required } from '../../../../src/api/validation/field.ts';
import { dropDisabledTemplateFields } from '../core/pod-disabled-fields.ts';
import { podTemplateWarnings, workloadNameWarning } from '../core/pod-warnings.ts';
import type { KindRules } from '../kind-strategy.ts';
import { nonNegative, requiredOneOf } from '../validation.ts';
import { setDefaultsCronJob } from './defaults.ts';
import { validateJobSpecParts } from './job-validation.ts';

const MAX_NAME = 52;

/** kubernetes pkg/registry/batch/cronjob cronJobStrategy */
export const cronJobRules: KindRules<CronJob> = {
  defaults: setDefaultsCronJob,
  hasStatus: true,
  dropDisabledFields: (cronJob) => {
    const { spec } = cronJob;
    const jobTemplate = spec?.jobTemplate && dropDisabledTemplateFields(spec.jobTemplate);
    return spec && jobTemplate && jobTemplate !== spec.jobTemplate ? { ...cronJob, spec: { ...spec, jobTemplate } } : cronJob;
  },
  generation: true,
  validate: ({ metadata, spec }) => {
    const errors = validateCronJobSpec(spec, undefined);
    if ((metadata.name ?? '').length > MAX_NAME)
      errors.push(invalid('metadata.name', metadata.name, `must be no more than ${MAX_NAME} characters`));
    return errors;
  },
  validateUpdate: ({ spec }, old) => validateCronJobSpec(spec, old.spec),
  warnings: ({ metadata, spec }, old) => [
    ...(old ? [] : workloadNameWarning(metadata.name)),
    ...podTemplateWarnings('spec.jobTemplate.spec.template', spec?.jobTemplate?.spec?.template, old?.spec?.jobTemplate?.spec?.template),
    ...(/^(?:CRON_)?TZ=/.test(spec?.schedule ?? '')
      ? [`spec.schedule: cannot use TZ or CRON_TZ in schedule, use timeZone field instead`]
      : []),
  ],
};

/** kubernetes pkg/apis/batch/validation validateCronJobSpec */
function validateCronJobSpec(spec: CronJobSpec | undefined, old: CronJobSpec | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const schedule = spec?.schedule ?? '';
  if (!schedule) errors.push(required('spec.schedule'));
  else validateSchedule(errors, { schedule, timeZone: spec?.timeZone, allowed: old?.schedule.includes('TZ') ?? false });
  nonNegative(errors, 'spec.startingDeadlineSeconds', spec?.startingDeadlineSeconds);
  if (spec?.timeZone !== undefined && spec.timeZone !== old?.timeZone) validateTimeZone(errors, spec.timeZone);
  requiredOneOf(errors, { path: 'spec.concurrencyPolicy', value: spec?.concurrencyPolicy }, ['Allow', 'Forbid', 'Replace']);
  const template = spec?.jobTemplate?.spec;
  if (template?.selector) errors.push(invalid('spec.jobTemplate.spec.selector', template.selector, '`selector` will be auto-generated'));
  if (template?.manualSelector) errors.push(notSupported('spec.jobTemplate.spec.manualSelector', true, ['nil', 'false']));
  validateJobSpecParts(errors, 'spec.jobTemplate.spec', template ?? { template: {} });
  nonNegative(errors, 'spec.successfulJobsHistoryLimit', spec?.successfulJobsHistoryLimit);
  nonNegative(errors, 'spec.failedJobsHistoryLimit', spec?.failedJobsHistoryLimit);
  return errors;
}

function validateSchedule(
  errors: FieldError[],
  { schedule, timeZone, allowed }: { schedule: string; timeZone: string | undefined; allowed: boolean },
): void {
  try {
    parseCron(schedule);
  } catch (error) {
    if (!(error instanceof CronSyntaxError)) throw error;
    errors.push(invalid('spec.schedule', schedule, error.message));
  }
  if (!schedule.includes('TZ')) return;
  if (!allowed) errors.push(invalid('spec.schedule', schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'));
  else if (timeZone !== undefined)
    errors.push(invalid('spec.schedule', schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule'));
}

/** kubernetes pkg/apis/batch/validation validateTimeZone */
function validateTimeZone(errors: FieldError[], timeZone: string): void {
  const path = 'spec.timeZone';
  if (timeZone === '') errors.push(invalid(path, timeZone, 'timeZone must be nil or non-empty string'));
  else if (/^local$/i.test(timeZone))
    errors.push(invalid(path, timeZone, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'));
  else if (!isTimeZone(timeZone)) errors.push(invalid(path, timeZone, `unknown time zone ${timeZone}`));
}

/** The names of the time zone database are case-sensitive, those of Intl are not. */
function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch {
    return false;
  }
  return (
    !/^[+-]/.test(timeZone) &&
    (/^(?:UTC|GMT|[A-Z]{3}(?:\d[A-Z]{3})?)$/.test(timeZone) || /^[A-Z]/.test(timeZone)) &&
    !/\/[a-z]/.test(timeZone)
  );
}
