import type { PodDisruptionBudget } from '../../../../src/api/kinds/policy-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isValidPathSegmentName } from '../../../../src/api/validation/content.ts';
import { invalid } from '../../../../src/api/validation/field.ts';
import type { KindRules } from '../kind-strategy.ts';
import { labelSelector, nonNegative, oneOf } from '../validation.ts';
import { notMoreThan100Percent, positiveIntOrPercent } from '../workload-validation.ts';

/** kubernetes pkg/registry/policy/poddisruptionbudget; names are only checked as parts of a path. */
export const podDisruptionBudgetRules: KindRules<PodDisruptionBudget> = {
  validateName: isValidPathSegmentName,
  hasStatus: true,
  generation: true,
  validate: ({ spec = {} }) => {
    const errors: FieldError[] = [];
    const { minAvailable, maxUnavailable, selector } = spec;
    if (minAvailable !== undefined && maxUnavailable !== undefined)
      errors.push(invalid('spec', spec, 'minAvailable and maxUnavailable cannot be both set'));
    for (const name of ['minAvailable', 'maxUnavailable'] as const) {
      positiveIntOrPercent(errors, `spec.${name}`, spec[name]);
      notMoreThan100Percent(errors, `spec.${name}`, spec[name]);
    }
    labelSelector(errors, 'spec.selector', selector);
    oneOf(errors, { path: 'spec.unhealthyPodEvictionPolicy', value: spec.unhealthyPodEvictionPolicy }, ['AlwaysAllow', 'IfHealthyBudget']);
    return errors;
  },
  validateStatusUpdate: ({ status }) => {
    const errors: FieldError[] = [];
    for (const name of ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const)
      nonNegative(errors, `status.${name}`, status?.[name]);
    return errors;
  },
};
