import type { ReplicationController } from '../../../../src/api/kinds/core-v1.ts';
import { selectorFromSet } from '../../../../src/api/label-selector.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { forbidden, invalid, notSupported, required } from '../../../../src/api/validation/field.ts';
import type { KindRules } from '../kind-strategy.ts';
import { nonNegative } from '../validation.ts';
import { SELECTOR_MISMATCH, shownLabels, validateReplicaSetStatus } from '../workload-validation.ts';
import { setDefaultsReplicationController } from './defaults.ts';
import { dropDisabledTemplateFields } from './pod-disabled-fields.ts';
import { validatePodTemplate } from './pod-spec-validation.ts';
import { workloadWarnings } from './pod-warnings.ts';

/** kubernetes pkg/registry/core/replicationcontroller rcStrategy */
export const replicationControllerRules: KindRules<ReplicationController> = {
  defaults: setDefaultsReplicationController,
  metaTwiceOnUpdate: true,
  hasStatus: true,
  dropDisabledFields: dropDisabledTemplateFields,
  generation: true,
  validate: validateReplicationController,
  // The real one runs the rules of creation and, for the same spec, those of updates.
  validateUpdate: (controller) => [...validateReplicationController(controller), ...validateReplicationController(controller)],
  validateStatusUpdate: validateReplicaSetStatus,
  warnings: workloadWarnings,
};

/** kubernetes pkg/apis/core/validation ValidateReplicationControllerSpec */
function validateReplicationController({ spec }: ReplicationController): FieldError[] {
  const errors: FieldError[] = [];
  nonNegative(errors, 'spec.minReadySeconds', spec?.minReadySeconds);
  if (!spec?.selector || Object.keys(spec.selector).length === 0) errors.push(required('spec.selector'));
  nonNegative(errors, 'spec.replicas', spec?.replicas);
  validateTemplate(errors, spec);
  return errors;
}

/** kubernetes pkg/apis/core/validation ValidatePodTemplateSpecForRC */
function validateTemplate(errors: FieldError[], spec: ReplicationController['spec']): void {
  const template = spec?.template;
  const path = 'spec.template';
  if (!template) {
    errors.push(required(path));
    return;
  }
  const selector = selectorFromSet(spec.selector);
  if (!selector.empty && !selector.matches(template.metadata?.labels))
    errors.push(invalid(`${path}.metadata.labels`, shownLabels(template), SELECTOR_MISMATCH));
  validatePodTemplate(errors, path, template);
  const policy = template.spec?.restartPolicy;
  if (policy !== undefined && policy !== 'Always') errors.push(notSupported(`${path}.spec.restartPolicy`, policy, ['Always']));
  if (template.spec?.activeDeadlineSeconds !== undefined)
    errors.push(forbidden(`${path}.spec.activeDeadlineSeconds`, 'activeDeadlineSeconds in ReplicationController is not Supported'));
}
