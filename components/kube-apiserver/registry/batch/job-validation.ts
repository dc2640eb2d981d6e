import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type { Job, JobSpec } from '../../../../src/api/kinds/batch-v1.ts';
import type { PodTemplateSpec } from '../../../../src/api/kinds/core-v1.ts';
import { labelSelectorAsSelector } from '../../../../src/api/label-selector.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1123Label } from '../../../../src/api/validation/content.ts';
import { invalid, notSupported, required, tooLong } from '../../../../src/api/validation/field.ts';
import { validatePodTemplate } from '../core/pod-spec-validation.ts';
import { domainPrefixedPath, isUsableSelector, labelSelector, nonNegative, oneOf } from '../validation.ts';
import { SELECTOR_MISMATCH, shownLabels } from '../workload-validation.ts';
import { validatePodFailurePolicy, validateSuccessPolicy } from './job-policies-validation.ts';

const MAX_INDEXED_PARALLELISM = 100_000;
const MAX_FAILED_INDEXES = 100_000;
const MANY_COMPLETIONS = 100_000;
const MAX_OF_MANY = 10_000;
const IMMUTABLE = 'field is immutable';

/** kubernetes pkg/apis/batch/validation ValidateJob */
export function validateJob(job: Job): FieldError[] {
  const { spec, metadata } = job;
  if (!spec) return [required('spec.selector'), required('spec.template.spec.containers')];
  const errors = validateJobSpec(spec);
  validateGeneratedSelector(errors, job);
  if (spec.completionMode === 'Indexed' && (spec.completions ?? 0) > 0 && metadata.name) {
    const podName = `${metadata.name}-${(spec.completions ?? 1) - 1}`;
    if (isDNS1123Label(podName).length > 0)
      errors.push(invalid('metadata.name', metadata.name, `will not able to create pod with invalid DNS label: ${podName}`));
  }
  return errors;
}

function validateJobSpec(spec: JobSpec): FieldError[] {
  const errors: FieldError[] = [];
  validateJobSpecParts(errors, 'spec', spec);
  const { selector } = spec;
  if (!selector) errors.push(required('spec.selector'));
  else labelSelector(errors, 'spec.selector', selector);
  const labels = spec.template.metadata?.labels;
  const matches = selector ? !isUsableSelector(selector) || labelSelectorAsSelector(selector).matches(labels) : false;
  if (!matches) errors.push(invalid('spec.template.metadata.labels', shownLabels(spec.template), SELECTOR_MISMATCH));
  return errors;
}

/** kubernetes pkg/apis/batch/validation validateGeneratedSelector; the misspelt path is the real one's. */
function validateGeneratedSelector(errors: FieldError[], { metadata, spec }: Job): void {
  if (!spec || spec.manualSelector) return;
  if (!metadata.uid) return;
  const labels = spec.template.metadata?.labels ?? {};
  const expected: [string, string][] = [
    ['controller-uid', metadata.uid],
    ['batch.kubernetes.io/controller-uid', metadata.uid],
    ['job-name', metadata.name ?? ''],
    ['batch.kubernetes.io/job-name', metadata.name ?? ''],
  ];
  for (const [key, value] of expected)
    if (labels[key] !== value) errors.push(invalid(`spec.template.metadata.labels[${key}]`, labels, `must be '${value}'`));
  const selector = spec.selector;
  if (!selector) return;
  const generated = { matchLabels: { 'batch.kubernetes.io/controller-uid': metadata.uid } };
  const legacy = { matchLabels: { 'controller-uid': metadata.uid } };
  if (!semanticDeepEqual(selector, generated) && !semanticDeepEqual(selector, legacy))
    errors.push(invalid('spec.selector', selector, '`selector` not auto-generated'));
}

/** kubernetes pkg/apis/batch/validation validateJobSpec: also the spec of a CronJob's template. */
export function validateJobSpecParts(errors: FieldError[], path: string, spec: JobSpec): void {
  for (const name of [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ] as const) {
    nonNegative(errors, `${path}.${name}`, spec[name]);
  }
  validateIndexed(errors, path, spec);
  validatePodFailurePolicy(errors, path, spec);
  validateSuccessPolicy(errors, path, spec);
  validateTemplate(errors, `${path}.template`, spec);
  if (spec.managedBy !== undefined) {
    domainPrefixedPath(errors, `${path}.managedBy`, spec.managedBy);
    if (spec.managedBy.length > 63) errors.push(tooLong(`${path}.managedBy`, 63));
  }
  if (spec.podReplacementPolicy !== undefined) {
    const supported = spec.podFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
    oneOf(errors, { path: `${path}.podReplacementPolicy`, value: spec.podReplacementPolicy }, supported);
  }
}

function validateIndexed(errors: FieldError[], path: string, spec: JobSpec): void {
  if (spec.completionMode !== undefined)
    oneOf(errors, { path: `${path}.completionMode`, value: spec.completionMode }, ['NonIndexed', 'Indexed']);
  const indexed = spec.completionMode === 'Indexed';
  if (indexed) {
    if (spec.completions === undefined) errors.push(required(`${path}.completions`, 'when completion mode is Indexed'));
    if ((spec.parallelism ?? 0) > MAX_INDEXED_PARALLELISM) {
      errors.push(
        invalid(
          `${path}.parallelism`,
          spec.parallelism,
          `must be less than or equal to ${MAX_INDEXED_PARALLELISM} when completion mode is Indexed`,
        ),
      );
    }
  }
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined)
    errors.push(required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'));
  if (indexed) validateFailedIndexes(errors, path, spec);
  else
    for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes'] as const)
      if (spec[name] !== undefined) errors.push(invalid(`${path}.${name}`, spec[name], 'requires indexed completion mode'));
}

/** Jobs with many indexes that count failures of each may not run too many at once, nor remember too many failures. */
function validateFailedIndexes(errors: FieldError[], path: string, spec: JobSpec): void {
  const { completions = 0, maxFailedIndexes, parallelism = 0 } = spec;
  const at = `${path}.maxFailedIndexes`;
  if (maxFailedIndexes !== undefined) {
    if (spec.completions !== undefined && maxFailedIndexes > completions)
      errors.push(invalid(at, maxFailedIndexes, 'must be less than or equal to completions'));
    if (maxFailedIndexes > MAX_FAILED_INDEXES)
      errors.push(invalid(at, maxFailedIndexes, `must be less than or equal to ${MAX_FAILED_INDEXES}`));
  }
  if (completions <= MANY_COMPLETIONS || spec.backoffLimitPerIndex === undefined) return;
  const text = `must be less than or equal to ${MAX_OF_MANY} when completions are above ${MANY_COMPLETIONS} and used with backoff limit per index`;
  if (maxFailedIndexes === undefined) errors.push(required(at, `must be specified when completions is above ${MANY_COMPLETIONS}`));
  if (parallelism > MAX_OF_MANY) errors.push(invalid(`${path}.parallelism`, parallelism, text));
  if (maxFailedIndexes !== undefined && maxFailedIndexes > MAX_OF_MANY) errors.push(invalid(at, maxFailedIndexes, text));
}

function validateTemplate(errors: FieldError[], path: string, spec: JobSpec): void {
  validatePodTemplate(errors, path, spec.template ?? {});
  const policy = spec.template?.spec?.restartPolicy;
  const at = `${path}.spec.restartPolicy`;
  if (!policy || policy === 'Always') errors.push(required(at, 'valid values: "OnFailure", "Never"'));
  else if (policy !== 'OnFailure' && policy !== 'Never') errors.push(notSupported(at, policy, ['OnFailure', 'Never']));
  else if (spec.podFailurePolicy && policy !== 'Never')
    errors.push(invalid(at, policy, 'only "Never" is supported when podFailurePolicy is specified'));
}

/** kubernetes pkg/apis/batch/validation ValidateJobUpdate */
export function validateJobUpdate(job: Job, old: Job): FieldError[] {
  const spec = job.spec;
  const before = old.spec;
  if (!spec || !before) return validateJob(job);
  // The real one looks at the spec twice.
  const errors = [...validateJob(job), ...validateJobSpec(spec)];
  validateCompletions(errors, spec, before);
  const immutable = ['selector', 'completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'] as const;
  for (const name of immutable)
    if (!semanticDeepEqual(spec[name], before[name])) errors.push(invalid(`spec.${name}`, spec[name], IMMUTABLE));
  const template = mayReschedule(old) ? withScheduling(spec.template, before.template) : spec.template;
  if (!semanticDeepEqual(template, before.template)) errors.push(invalid('spec.template', spec.template, IMMUTABLE));
  return errors;
}

function validateCompletions(errors: FieldError[], spec: JobSpec, before: JobSpec): void {
  if (spec.completions === before.completions) return;
  if (spec.completionMode !== 'Indexed') errors.push(invalid('spec.completions', spec.completions, IMMUTABLE));
  else if (spec.completions !== spec.parallelism)
    errors.push(invalid('spec.completions', spec.completions, 'can only be modified in tandem with spec.parallelism'));
}

/** While suspended and not yet started, where the pods may run can still change. */
function mayReschedule({ spec, status }: Job): boolean {
  return spec?.suspend === true && !status?.startTime;
}

function withScheduling(template: PodTemplateSpec, old: PodTemplateSpec): PodTemplateSpec {
  const kept = old.spec;
  if (!kept || !template.spec) return template;
  const spec = { ...template.spec };
  for (const name of ['nodeSelector', 'affinity', 'tolerations', 'schedulingGates'] as const) {
    delete spec[name];
    if (kept[name] !== undefined) Object.assign(spec, { [name]: kept[name] });
  }
  return { ...template, ...(old.metadata ? { metadata: old.metadata } : {}), spec };
}
