import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type { Deployment, DeploymentSpec } from '../../../../src/api/kinds/apps-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { forbidden, invalid, notSupported } from '../../../../src/api/validation/field.ts';
import { dropDisabledTemplateFields } from '../core/pod-disabled-fields.ts';
import { workloadWarnings } from '../core/pod-warnings.ts';
import type { KindRules } from '../kind-strategy.ts';
import { nonNegative } from '../validation.ts';
import {
  collisionCountGrows,
  immutableSelector,
  isZero,
  notMoreThan100Percent,
  positiveIntOrPercent,
  validateCounts,
  validateWorkloadSelector,
  validateWorkloadTemplate,
} from '../workload-validation.ts';
import { setDefaultsDeployment } from './defaults.ts';

/** kubernetes pkg/registry/apps/deployment deploymentStrategy */
export const deploymentRules: KindRules<Deployment> = {
  defaults: setDefaultsDeployment,
  hasStatus: true,
  dropDisabledFields: dropDisabledTemplateFields,
  generation: true,
  changes: (object, old) =>
    !semanticDeepEqual(object.spec, old.spec) || !semanticDeepEqual(object.metadata.annotations, old.metadata.annotations),
  validate: ({ spec }) => validateDeploymentSpec(spec),
  validateUpdate: ({ spec }, old) => {
    const errors = validateDeploymentSpec(spec);
    immutableSelector(errors, spec?.selector, old.spec?.selector);
    return errors;
  },
  // Labels stay as they are; kubernetes pkg/registry/apps/deployment deploymentStatusStrategy
  prepareForStatusUpdate: (deployment, old) => {
    const { labels: _, ...metadata } = deployment.metadata;
    return { ...deployment, metadata: { ...metadata, ...(old.metadata.labels ? { labels: old.metadata.labels } : {}) } };
  },
  validateStatusUpdate: ({ status = {} }, old) => {
    const errors: FieldError[] = [];
    validateCounts(errors, status, ['updatedReplicas', 'readyReplicas', 'availableReplicas']);
    nonNegative(errors, 'status.unavailableReplicas', status.unavailableReplicas);
    collisionCountGrows(errors, status.collisionCount, old.status?.collisionCount);
    return errors;
  },
  warnings: workloadWarnings,
};

/** kubernetes pkg/apis/apps/validation ValidateDeploymentSpec */
function validateDeploymentSpec(spec: DeploymentSpec | undefined): FieldError[] {
  const errors: FieldError[] = [];
  nonNegative(errors, 'spec.replicas', spec?.replicas);
  if (validateWorkloadSelector(errors, spec?.selector, { kind: 'deployment', unusable: 'invalid label selector' }))
    validateWorkloadTemplate(errors, spec?.template, { selector: spec?.selector, kind: 'ReplicaSet' });
  validateStrategy(errors, spec?.strategy ?? {});
  nonNegative(errors, 'spec.minReadySeconds', spec?.minReadySeconds);
  nonNegative(errors, 'spec.revisionHistoryLimit', spec?.revisionHistoryLimit);
  const deadline = spec?.progressDeadlineSeconds;
  if (deadline !== undefined) {
    nonNegative(errors, 'spec.progressDeadlineSeconds', deadline);
    if (deadline <= (spec?.minReadySeconds ?? 0))
      errors.push(invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds'));
  }
  return errors;
}

/** kubernetes pkg/apis/apps/validation ValidateDeploymentStrategy */
function validateStrategy(errors: FieldError[], strategy: NonNullable<DeploymentSpec['strategy']>): void {
  const { type, rollingUpdate } = strategy;
  if (type === 'Recreate') {
    if (rollingUpdate) errors.push(forbidden('spec.strategy.rollingUpdate', "may not be specified when strategy `type` is 'Recreate'"));
    return;
  }
  if (type !== 'RollingUpdate') {
    const shape = {
      Type: type ?? '',
      RollingUpdate: rollingUpdate ? { MaxUnavailable: rollingUpdate.maxUnavailable, MaxSurge: rollingUpdate.maxSurge } : null,
    };
    errors.push(notSupported('spec.strategy', shape, ['Recreate', 'RollingUpdate']));
    return;
  }
  const path = 'spec.strategy.rollingUpdate';
  const { maxUnavailable, maxSurge } = rollingUpdate ?? {};
  positiveIntOrPercent(errors, `${path}.maxUnavailable`, maxUnavailable);
  positiveIntOrPercent(errors, `${path}.maxSurge`, maxSurge);
  if (isZero(maxUnavailable) && isZero(maxSurge))
    errors.push(invalid(`${path}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0'));
  notMoreThan100Percent(errors, `${path}.maxUnavailable`, maxUnavailable);
}
