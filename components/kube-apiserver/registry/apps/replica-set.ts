import type { ReplicaSet, ReplicaSetSpec } from '../../../../src/api/kinds/apps-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { dropDisabledTemplateFields } from '../core/pod-disabled-fields.ts';
import { workloadWarnings } from '../core/pod-warnings.ts';
import type { KindRules } from '../kind-strategy.ts';
import { nonNegative } from '../validation.ts';
import { immutableSelector, validateReplicaSetStatus, validateWorkloadSelector, validateWorkloadTemplate } from '../workload-validation.ts';
import { setDefaultsReplicaSet } from './defaults.ts';

/** kubernetes pkg/registry/apps/replicaset rsStrategy */
export const replicaSetRules: KindRules<ReplicaSet> = {
  defaults: setDefaultsReplicaSet,
  hasStatus: true,
  dropDisabledFields: dropDisabledTemplateFields,
  generation: true,
  validate: ({ spec }) => validateReplicaSetSpec(spec),
  validateUpdate: ({ spec }, old) => {
    const errors = validateReplicaSetSpec(spec);
    immutableSelector(errors, spec?.selector, old.spec?.selector);
    return errors;
  },
  validateStatusUpdate: validateReplicaSetStatus,
  warnings: workloadWarnings,
};

/** kubernetes pkg/apis/apps/validation ValidateReplicaSetSpec */
function validateReplicaSetSpec(spec: ReplicaSetSpec | undefined): FieldError[] {
  const errors: FieldError[] = [];
  nonNegative(errors, 'spec.replicas', spec?.replicas);
  nonNegative(errors, 'spec.minReadySeconds', spec?.minReadySeconds);
  if (validateWorkloadSelector(errors, spec?.selector, { kind: 'deployment', unusable: 'invalid label selector' }))
    validateWorkloadTemplate(errors, spec?.template, { selector: spec?.selector, kind: 'ReplicaSet' });
  return errors;
}
