import type { Job } from '../../../../src/api/kinds/batch-v1.ts';
import { dropDisabledTemplateFields } from '../core/pod-disabled-fields.ts';
import { workloadWarnings } from '../core/pod-warnings.ts';
import type { KindRules } from '../kind-strategy.ts';
import { setDefaultsJob } from './defaults.ts';
import { validateJobStatusUpdate } from './job-status-validation.ts';
import { validateJob, validateJobUpdate } from './job-validation.ts';

/** kubernetes pkg/registry/batch/job jobStrategy */
export const jobRules: KindRules<Job> = {
  defaults: setDefaultsJob,
  metaTwiceOnUpdate: true,
  hasStatus: true,
  dropDisabledFields: dropDisabledTemplateFields,
  generation: true,
  prepareForCreate: generateSelector,
  canonicalize: labelLikePods,
  validate: validateJob,
  validateUpdate: validateJobUpdate,
  validateStatusUpdate: validateJobStatusUpdate,
  warnings: (job, old) => [...workloadWarnings(job, old), ...(old ? [] : unlimitedWarnings(job.spec))],
};

/** kubernetes pkg/registry/batch/job generateSelector: the pods of a job carry its uid. */
function generateSelector(job: Job): Job {
  const { spec, metadata } = job;
  if (!spec || spec.manualSelector) return job;
  const uid = metadata.uid ?? '';
  const name = metadata.name ?? '';
  const own = spec.template.metadata?.labels ?? {};
  const labels: Record<string, string> = { ...own };
  for (const [key, value] of [
    ['controller-uid', uid],
    ['batch.kubernetes.io/controller-uid', uid],
    ['job-name', name],
    ['batch.kubernetes.io/job-name', name],
  ] as const)
    labels[key] ??= value;
  const selector = { ...spec.selector, matchLabels: { ...spec.selector?.matchLabels } };
  selector.matchLabels['batch.kubernetes.io/controller-uid'] ??= uid;
  const template = { ...spec.template, metadata: { ...spec.template.metadata, labels } };
  // Labels that come from defaulting are those of the template, one map for both.
  const shared = metadata.labels !== undefined && metadata.labels === spec.template.metadata?.labels;
  return { ...job, ...(shared ? { metadata: { ...metadata, labels } } : {}), spec: { ...spec, selector, template } };
}

/** Defaults are filled in again when the object comes back from etcd: without labels of its own a job gets those of its template. */
function labelLikePods(job: Job): Job {
  const labels = job.spec?.template.metadata?.labels;
  return job.metadata.labels || !labels ? job : { ...job, metadata: { ...job.metadata, labels } };
}

const WARN_COMPLETIONS = 100_000;
const WARN_PARALLELISM = 10_000;

/** kubernetes pkg/api/job WarningsForJobSpec */
function unlimitedWarnings(spec: Job['spec']): string[] {
  if (spec?.completionMode !== 'Indexed' || (spec.completions ?? 0) <= WARN_COMPLETIONS || (spec.parallelism ?? 0) <= WARN_PARALLELISM)
    return [];
  return [
    'spec: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail',
  ];
}
