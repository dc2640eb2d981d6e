import type { JobSpec, PodFailurePolicyOnExitCodesRequirement, PodFailurePolicyRule } from '../../../../src/api/kinds/batch-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isQualifiedName } from '../../../../src/api/validation/content.ts';
import { duplicate, invalid, invalidPrinted, notSupported, required, tooMany } from '../../../../src/api/validation/field.ts';
import { nonNegative, report, requiredOneOf } from '../validation.ts';
import { parseIndexes } from './completion-indexes.ts';

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const MAX_RULES = 20;

/** kubernetes pkg/apis/batch/validation validatePodFailurePolicy */
export function validatePodFailurePolicy(errors: FieldError[], path: string, spec: JobSpec): void {
  const policy = spec.podFailurePolicy;
  if (!policy) return;
  const rules = policy.rules ?? [];
  if (rules.length > MAX_RULES) errors.push(tooMany(`${path}.podFailurePolicy.rules`, rules.length, MAX_RULES));
  const template = spec.template?.spec;
  const names = new Set([...(template?.containers ?? []), ...(template?.initContainers ?? [])].map(({ name }) => name));
  for (const [index, rule] of rules.entries()) validateRule(errors, `${path}.podFailurePolicy.rules[${index}]`, { rule, names, spec });
}

function validateRule(
  errors: FieldError[],
  path: string,
  { rule, names, spec }: { rule: PodFailurePolicyRule; names: ReadonlySet<string>; spec: JobSpec },
): void {
  requiredOneOf(errors, { path: `${path}.action`, value: rule.action }, ACTIONS);
  if (rule.action === 'FailIndex' && spec.backoffLimitPerIndex === undefined)
    errors.push(invalid(`${path}.action`, rule.action, 'requires the backoffLimitPerIndex to be set'));
  const conditions = rule.onPodConditions ?? [];
  if (rule.onExitCodes) validateExitCodes(errors, `${path}.onExitCodes`, { codes: rule.onExitCodes, names });
  if (conditions.length > MAX_RULES) errors.push(tooMany(`${path}.onPodConditions`, conditions.length, MAX_RULES));
  for (const [index, { type, status }] of conditions.entries()) {
    report(errors, { path: `${path}.onPodConditions[${index}].type`, value: type ?? '' }, isQualifiedName(type ?? ''));
    requiredOneOf(errors, { path: `${path}.onPodConditions[${index}].status`, value: status }, ['False', 'True', 'Unknown']);
  }
  if (rule.onExitCodes && conditions.length > 0)
    errors.push(invalidPrinted(path, 'specifying both OnExitCodes and OnPodConditions is not supported', ''));
  if (!rule.onExitCodes && conditions.length === 0)
    errors.push(invalidPrinted(path, 'specifying one of OnExitCodes and OnPodConditions is required', ''));
}

function validateExitCodes(
  errors: FieldError[],
  path: string,
  { codes, names }: { codes: PodFailurePolicyOnExitCodesRequirement; names: ReadonlySet<string> },
): void {
  const { operator, values = [], containerName } = codes;
  if (!operator) errors.push(required(`${path}.operator`));
  else if (operator !== 'In' && operator !== 'NotIn') errors.push(notSupported(`${path}.operator`, operator, ['In', 'NotIn']));
  if (containerName !== undefined && !names.has(containerName))
    errors.push(invalid(`${path}.containerName`, containerName, 'must be one of the container or initContainer names in the pod template'));
  if (values.length === 0) errors.push(invalid(`${path}.values`, values, 'at least one value is required'));
  else if (values.length > 255) errors.push(tooMany(`${path}.values`, values.length, 255));
  const seen = new Set<number>();
  let ordered = true;
  for (const [index, value] of values.entries()) {
    if (operator === 'In' && value === 0) errors.push(invalid(`${path}.values[${index}]`, value, 'must not be 0 for the In operator'));
    if (seen.has(value)) errors.push(duplicate(`${path}.values[${index}]`, value));
    if (index > 0 && value < (values[index - 1] ?? 0)) ordered = false;
    seen.add(value);
  }
  if (!ordered) errors.push(invalid(`${path}.values`, values, 'must be ordered'));
}

/** kubernetes pkg/apis/batch/validation validateSuccessPolicy */
export function validateSuccessPolicy(errors: FieldError[], path: string, spec: JobSpec): void {
  const policy = spec.successPolicy;
  if (!policy) return;
  const at = `${path}.successPolicy`;
  if (spec.completionMode !== 'Indexed') {
    errors.push(invalid(at, policy, 'requires indexed completion mode'));
    return;
  }
  const rules = policy.rules ?? [];
  if (rules.length === 0) errors.push(required(`${at}.rules`, 'at least one rules must be specified when the successPolicy is specified'));
  if (rules.length > MAX_RULES) errors.push(tooMany(`${at}.rules`, rules.length, MAX_RULES));
  const completions = spec.completions ?? 0;
  for (const [index, { succeededCount, succeededIndexes }] of rules.entries()) {
    const place = `${at}.rules[${index}]`;
    if (succeededCount === undefined && succeededIndexes === undefined)
      errors.push(required(place, 'at least one of succeededCount or succeededIndexes must be specified'));
    let indexes = completions;
    if (succeededIndexes !== undefined) {
      const parsed = parseIndexes(succeededIndexes, completions);
      if (typeof parsed === 'string')
        errors.push(invalid(`${place}.succeededIndexes`, succeededIndexes, `error parsing succeededIndexes: ${parsed}`));
      else indexes = parsed.reduce((total, [first, last]) => total + last - first + 1, 0);
    }
    validateCount(errors, `${place}.succeededCount`, { count: succeededCount, completions, indexes });
  }
}

function validateCount(
  errors: FieldError[],
  path: string,
  { count, completions, indexes }: { count: number | undefined; completions: number; indexes: number },
): void {
  if (count === undefined) return;
  nonNegative(errors, path, count);
  if (count > completions)
    errors.push(invalid(path, count, `must be less than or equal to ${completions} (the number of specified completions)`));
  else if (count > indexes)
    errors.push(
      invalid(path, count, `must be less than or equal to ${indexes} (the number of indexes in the specified succeededIndexes field)`),
    );
}
