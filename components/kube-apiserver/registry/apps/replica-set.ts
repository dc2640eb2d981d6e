import type { ReplicaSet, ReplicaSetSpec } from '../../../../src/api/kinds/apps-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { podTemplateWarnings, workloadNameWarning } from '../core/pod-warnings.ts';
import type { KindRules } from '../kind-strategy.ts';
import { nonNegative } from '../validation.ts';
import { immutableSelector, validateCounts, validateWorkloadSelector, validateWorkloadTemplate } from '../workload-validation.ts';
import { setDefaultsReplicaSet } from './defaults.ts';

/** kubernetes pkg/registry/apps/replicaset rsStrategy */
export const replicaSetRules: KindRules<ReplicaSet> = {
  defaults: setDefaultsReplicaSet,
  hasStatus: true,
  generation: true,
  validate: ({ spec }) => validateReplicaSetSpec(spec),
  validateUpdate: ({ spec }, old) => {
    const errors = validateReplicaSetSpec(spec);
    immutableSelector(errors, spec?.selector, old.spec?.selector);
    return errors;
  },
  validateStatusUpdate: ({ status = { replicas: 0 } }) => {
    const errors: FieldError[] = [];
    validateCounts(errors, status, ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']);
    return errors;
  },
  warnings: ({ metadata, spec }, old) => [
    ...(old ? [] : workloadNameWarning(metadata.name)),
    ...podTemplateWarnings('spec.template', spec?.template, old?.spec?.template),
  ],
};

/** kubernetes pkg/apis/apps/validation ValidateReplicaSetSpec */
function validateReplicaSetSpec(spec: ReplicaSetSpec | undefined): FieldError[] {
  const errors: FieldError[] = [];
  nonNegative(errors, 'spec.replicas', spec?.replicas);
  nonNegative(errors, 'spec.minReadySeconds', spec?.minReadySeconds);
  validateWorkloadSelector(errors, spec?.selector, { kind: 'deployment' });
  validateWorkloadTemplate(errors, spec?.template, { selector: spec?.selector, kind: 'ReplicaSet' });
  return errors;
}
