import type { Affinity, NodeSelectorTerm, PodAffinityTerm, PreferredSchedulingTerm } from '../../../../src/api/kinds/core-v1.ts';
import type { LabelSelector } from '../../../../src/api/kinds/meta-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1123Label, isDNS1123Subdomain, isQualifiedName, isValidLabelValue } from '../../../../src/api/validation/content.ts';
import { forbidden, invalid, required } from '../../../../src/api/validation/field.ts';
import { labelSelector, report } from '../validation.ts';

const NO_OPERATOR = 'not a valid selector operator';

/** kubernetes pkg/apis/core/validation validateAffinity */
export function validateAffinity(errors: FieldError[], path: string, affinity: Affinity | undefined): void {
  if (!affinity) return;
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  if (nodeAffinity) {
    const at = `${path}.nodeAffinity`;
    const needed = nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution;
    if (needed) validateNodeSelector(errors, `${at}.requiredDuringSchedulingIgnoredDuringExecution`, needed.nodeSelectorTerms);
    for (const [index, term] of (nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution ?? []).entries()) {
      preferredTerm(errors, `${at}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`, term);
    }
  }
  for (const [name, part] of [
    ['podAffinity', podAffinity],
    ['podAntiAffinity', podAntiAffinity],
  ] as const) {
    if (!part) continue;
    const at = `${path}.${name}`;
    for (const [index, term] of (part.requiredDuringSchedulingIgnoredDuringExecution ?? []).entries())
      podTerm(errors, `${at}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`, term);
    for (const [index, { weight, podAffinityTerm }] of (part.preferredDuringSchedulingIgnoredDuringExecution ?? []).entries()) {
      const place = `${at}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`;
      inWeightRange(errors, `${place}.weight`, weight);
      podTerm(errors, `${place}.podAffinityTerm`, podAffinityTerm);
    }
  }
}

function inWeightRange(errors: FieldError[], path: string, weight: number): void {
  if (weight <= 0 || weight > 100) errors.push(invalid(path, weight, 'must be in the range 1-100'));
}

function preferredTerm(errors: FieldError[], path: string, { weight, preference }: PreferredSchedulingTerm): void {
  inWeightRange(errors, `${path}.weight`, weight);
  nodeTerm(errors, `${path}.preference`, preference);
}

/** kubernetes pkg/apis/core/validation ValidateNodeSelector */
export function validateNodeSelector(errors: FieldError[], path: string, terms: readonly NodeSelectorTerm[] | undefined): void {
  if (!terms?.length) errors.push(required(`${path}.nodeSelectorTerms`, 'must have at least one node selector term'));
  for (const [index, term] of (terms ?? []).entries()) nodeTerm(errors, `${path}.nodeSelectorTerms[${index}]`, term);
}

/** kubernetes pkg/apis/core/validation ValidateNodeSelectorTerm */
function nodeTerm(errors: FieldError[], path: string, { matchExpressions, matchFields }: NodeSelectorTerm): void {
  for (const [index, { key, operator, values }] of (matchExpressions ?? []).entries()) {
    const at = `${path}.matchExpressions[${index}]`;
    nodeOperator(errors, at, { operator, values });
    report(errors, { path: `${at}.key`, value: key }, isQualifiedName(key ?? ''));
    for (const [position, value] of (values ?? []).entries())
      report(errors, { path: `${at}.values[${position}]`, value }, isValidLabelValue(value));
  }
  for (const [index, { key, operator, values }] of (matchFields ?? []).entries()) {
    const at = `${path}.matchFields[${index}]`;
    if (operator !== 'In' && operator !== 'NotIn') errors.push(invalid(`${at}.operator`, operator, NO_OPERATOR));
    else if (values?.length !== 1)
      errors.push(required(`${at}.values`, "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"));
    if (key !== 'metadata.name') errors.push(invalid(`${at}.key`, key, 'not a valid field selector key'));
    else
      for (const [position, value] of (values ?? []).entries())
        report(errors, { path: `${at}.values[${position}]`, value }, isDNS1123Subdomain(value));
  }
}

function nodeOperator(
  errors: FieldError[],
  path: string,
  { operator, values }: { operator: string; values: readonly string[] | undefined },
): void {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (!values?.length) errors.push(required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values?.length) errors.push(forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
      break;
    case 'Gt':
    case 'Lt':
      if (values?.length !== 1) errors.push(required(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
      break;
    default:
      errors.push(invalid(`${path}.operator`, operator, NO_OPERATOR));
  }
}

/** kubernetes pkg/apis/core/validation validatePodAffinityTerm */
function podTerm(errors: FieldError[], path: string, term: PodAffinityTerm): void {
  labelSelector(errors, `${path}.labelSelector`, term.labelSelector);
  labelSelector(errors, `${path}.namespaceSelector`, term.namespaceSelector);
  for (const name of term.namespaces ?? []) report(errors, { path: `${path}.namespace`, value: name }, isDNS1123Label(name));
  if (!term.topologyKey) errors.push(required(`${path}.topologyKey`, 'can not be empty'));
  report(errors, { path: `${path}.topologyKey`, value: term.topologyKey ?? '' }, isQualifiedName(term.topologyKey ?? ''));
  matchLabelKeys(errors, path, { keys: term.matchLabelKeys, other: term.mismatchLabelKeys, selector: term.labelSelector });
}

interface Keys {
  readonly keys: readonly string[] | undefined;
  readonly other: readonly string[] | undefined;
  readonly selector: LabelSelector | undefined;
}

/** kubernetes pkg/apis/core/validation validateMatchLabelKeysAndMismatchLabelKeys */
function matchLabelKeys(errors: FieldError[], path: string, { keys, other, selector }: Keys): void {
  for (const [name, list] of [
    ['matchLabelKeys', keys],
    ['mismatchLabelKeys', other],
  ] as const) {
    if (!list?.length) continue;
    if (!selector) errors.push(forbidden(`${path}.${name}`, 'must not be specified when labelSelector is not set'));
    for (const [index, key] of list.entries()) report(errors, { path: `${path}.${name}[${index}]`, value: key }, isQualifiedName(key));
  }
  for (const [index, key] of (keys ?? []).entries())
    if (other?.includes(key))
      errors.push(invalid(`${path}.matchLabelKeys[${index}]`, key, 'exists in both matchLabelKeys and mismatchLabelKeys'));
}
