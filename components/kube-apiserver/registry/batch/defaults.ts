import type { CronJob, Job, JobSpec } from '../../../../src/api/kinds/batch-v1.ts';
import { setDefaultsPodTemplate } from '../core/pod-defaults.ts';

const MAX_INT32 = 2_147_483_647;

/** kubernetes pkg/apis/batch/v1 SetDefaults_Job */
export function setDefaultsJob(job: Job): void {
  const { spec } = job;
  if (!spec) return;
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : MAX_INT32;
  const { labels } = spec.template.metadata ?? {};
  // The same map, as in the real one: labels that creation adds to the template are then the job's too.
  if (labels && !job.metadata.labels) job.metadata.labels = labels;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  defaultJobSpecParts(spec);
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed';
  spec.manualSelector ??= false;
}

/** Defaults that a Job gets inside a CronJob as well. */
function defaultJobSpecParts(spec: JobSpec): void {
  for (const rule of spec.podFailurePolicy?.rules ?? []) for (const condition of rule.onPodConditions ?? []) condition.status ||= 'True';
  setDefaultsPodTemplate(spec.template);
}

/** kubernetes pkg/apis/batch/v1 SetDefaults_CronJob */
export function setDefaultsCronJob({ spec }: CronJob): void {
  if (!spec) return;
  spec.concurrencyPolicy ??= 'Allow';
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
  if (spec.jobTemplate?.spec) defaultJobSpecParts(spec.jobTemplate.spec);
}
