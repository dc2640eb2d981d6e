// What Deployments, ReplicaSets, StatefulSets, DaemonSets, Jobs and ReplicationControllers check in common.
import { cameEmpty } from '../../../src/api/decode.ts';
import { semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { IntOrString } from '../../../src/api/intstr.ts';
import { parsePercent } from '../../../src/api/intstr.ts';
import type { PodTemplateSpec } from '../../../src/api/kinds/core-v1.ts';
import type { LabelSelector } from '../../../src/api/kinds/meta-v1.ts';
import { labelSelectorAsSelector } from '../../../src/api/label-selector.ts';
import type { FieldError } from '../../../src/api/status-error.ts';
import { regexError } from '../../../src/api/validation/content.ts';
import { forbidden, invalid, notSupported, required } from '../../../src/api/validation/field.ts';
import { validatePodTemplate } from './core/pod-spec-validation.ts';
import { isUsableSelector, labelSelector } from './validation.ts';

/** The labels of a template as messages show them. */
export function shownLabels({ metadata }: PodTemplateSpec): unknown {
  return metadata?.labels ?? (cameEmpty(metadata, 'labels') ? {} : undefined);
}

export const SELECTOR_MISMATCH = '`selector` does not match template `labels`';

/** The selector of a workload: there, not empty, usable. Whether it can be held against a template. */
export function validateWorkloadSelector(
  errors: FieldError[],
  selector: LabelSelector | undefined,
  { kind, unusable }: { kind: string; unusable?: string },
): boolean {
  if (!selector) {
    errors.push(required('spec.selector'));
    return true;
  }
  labelSelector(errors, 'spec.selector', selector);
  if (!selector.matchLabels && !selector.matchExpressions)
    errors.push(invalid('spec.selector', selector, `empty selector is invalid for ${kind}`));
  const usable = isUsableSelector(selector);
  if (!usable && unusable !== undefined) errors.push(invalid('spec.selector', selector, unusable));
  return usable;
}

interface TemplateRules {
  readonly selector: LabelSelector | undefined;
  /** How the kind is called in `activeDeadlineSeconds in … is not Supported`. */
  readonly kind: string;
}

/** kubernetes pkg/apis/apps/validation ValidatePodTemplateSpecForReplicaSet and its siblings. */
export function validateWorkloadTemplate(
  errors: FieldError[],
  template: PodTemplateSpec | undefined,
  { selector, kind }: TemplateRules,
): void {
  const path = 'spec.template';
  if (!template) {
    errors.push(required(path));
    return;
  }
  const labels = template.metadata?.labels;
  const mismatch = selector
    ? isUsableSelector(selector) && !isEmptySelector(selector) && !labelSelectorAsSelector(selector).matches(labels)
    : true;
  if (mismatch) {
    errors.push(invalid(`${path}.metadata.labels`, shownLabels(template), SELECTOR_MISMATCH));
  }
  validatePodTemplate(errors, path, template);
  alwaysRestarts(errors, template, kind);
}

/** Pods of a workload that lasts are restarted, and have no deadline. */
export function alwaysRestarts(errors: FieldError[], { spec }: PodTemplateSpec, kind: string): void {
  const path = 'spec.template';
  if (spec && spec.restartPolicy !== undefined && spec.restartPolicy !== 'Always')
    errors.push(notSupported(`${path}.spec.restartPolicy`, spec.restartPolicy, ['Always']));
  if (spec?.activeDeadlineSeconds !== undefined)
    errors.push(forbidden(`${path}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`));
}

export function isEmptySelector({ matchLabels, matchExpressions }: LabelSelector): boolean {
  return Object.keys(matchLabels ?? {}).length === 0 && (matchExpressions ?? []).length === 0;
}

const PERCENT_ERROR = regexError("a valid percent string must be a numeric string followed by an ending '%'", '[0-9]+%', '1%', '93%');

/** kubernetes pkg/apis/apps/validation ValidatePositiveIntOrPercent */
export function positiveIntOrPercent(errors: FieldError[], path: string, value: IntOrString | undefined): void {
  if (typeof value === 'string') {
    if (!/^[0-9]+%$/.test(value)) errors.push(invalid(path, value, PERCENT_ERROR));
  } else if (value !== undefined && value < 0) errors.push(invalid(path, value, 'must be greater than or equal to 0'));
}

/** kubernetes pkg/apis/apps/validation IsNotMoreThan100Percent */
export function notMoreThan100Percent(errors: FieldError[], path: string, value: IntOrString | undefined): void {
  if ((parsePercent(value) ?? 0) > 100) errors.push(invalid(path, value, 'must not be greater than 100%'));
}

/** Whether a count or percentage is nothing at all. */
export function isZero(value: IntOrString | undefined): boolean {
  return (typeof value === 'number' ? value : (parsePercent(value) ?? 0)) === 0;
}

/** A selector cannot change. */
export function immutableSelector(errors: FieldError[], selector: LabelSelector | undefined, old: LabelSelector | undefined): void {
  if (!semanticDeepEqual(selector, old)) errors.push(invalid('spec.selector', selector, 'field is immutable'));
}

interface Counts {
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly fullyLabeledReplicas?: number;
  readonly currentReplicas?: number;
  readonly observedGeneration?: number;
  readonly collisionCount?: number;
}

/** The counters of a workload's status: none negative, none above the number of replicas. */
export function validateCounts(errors: FieldError[], status: Counts, names: readonly (keyof Counts)[]): void {
  for (const name of ['replicas', ...names, 'observedGeneration'] as const) {
    const value = status[name] ?? 0;
    if (value < 0) errors.push(invalid(`status.${name}`, value, 'must be greater than or equal to 0'));
  }
  const replicas = status.replicas ?? 0;
  for (const name of names) {
    const value = status[name] ?? 0;
    if (name !== 'collisionCount' && value > replicas)
      errors.push(invalid(`status.${name}`, value, 'cannot be greater than status.replicas'));
  }
  const { readyReplicas = 0, availableReplicas = 0 } = status;
  if (availableReplicas > readyReplicas)
    errors.push(invalid('status.availableReplicas', availableReplicas, 'cannot be greater than readyReplicas'));
}

/** kubernetes pkg/apis/apps/validation ValidateReplicaSetStatus; the same for ReplicationControllers */
export function validateReplicaSetStatus({ status = {} }: { readonly status?: Counts }): FieldError[] {
  const errors: FieldError[] = [];
  validateCounts(errors, status, ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']);
  return errors;
}

/** kubernetes pkg/apis/apps/validation ValidateDeploymentStatusUpdate, the part about collisions. */
export function collisionCountGrows(errors: FieldError[], now: number | undefined, before: number | undefined): void {
  if (now !== undefined && now < 0) errors.push(invalid('status.collisionCount', now, 'must be greater than or equal to 0'));
  if (before !== undefined && (now === undefined || now < before))
    errors.push(invalid('status.collisionCount', now ?? 0, 'cannot be decremented'));
}
