import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type { StatefulSet, StatefulSetSpec } from '../../../../src/api/kinds/apps-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1123Label } from '../../../../src/api/validation/content.ts';
import { forbidden, invalid, required } from '../../../../src/api/validation/field.ts';
import { nameIsDNSLabel } from '../../../../src/api/validation/object-meta.ts';
import { validateClaimSpec } from '../core/claim-validation.ts';
import { dropDisabledTemplateFields } from '../core/pod-disabled-fields.ts';
import { podTemplateWarnings } from '../core/pod-warnings.ts';
import type { KindRules } from '../kind-strategy.ts';
import { nonNegative, oneOf, report } from '../validation.ts';
import {
  alwaysRestarts,
  collisionCountGrows,
  notMoreThan100Percent,
  positiveIntOrPercent,
  validateCounts,
  validateWorkloadSelector,
  validateWorkloadTemplate,
} from '../workload-validation.ts';
import { setDefaultsStatefulSet } from './defaults.ts';

const UPDATE_ERROR =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

/** kubernetes pkg/registry/apps/statefulset statefulSetStrategy */
export const statefulSetRules: KindRules<StatefulSet> = {
  validateName: nameIsDNSLabel,
  defaults: setDefaultsStatefulSet,
  hasStatus: true,
  dropDisabledFields: dropDisabledTemplateFields,
  generation: true,
  prepareForCreate: dropMaxUnavailable,
  prepareForUpdate: dropMaxUnavailable,
  validate: ({ spec }) => validateStatefulSetSpec(spec),
  validateUpdate: ({ spec }, old) => {
    const errors = validateStatefulSetSpec(spec);
    if (!semanticDeepEqual(fixedPart(spec), fixedPart(old.spec))) errors.push(forbidden('spec', UPDATE_ERROR));
    return errors;
  },
  validateStatusUpdate: ({ status = { replicas: 0 } }, old) => {
    const errors: FieldError[] = [];
    validateCounts(errors, status, ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas']);
    collisionCountGrows(errors, status.collisionCount, old.status?.collisionCount);
    return errors;
  },
  warnings: ({ spec }, old) => podTemplateWarnings('spec.template', spec?.template, old?.spec?.template),
};

/** The gate MaxUnavailableStatefulSet is off. */
function dropMaxUnavailable(set: StatefulSet): StatefulSet {
  const { rollingUpdate } = set.spec?.updateStrategy ?? {};
  if (!set.spec || rollingUpdate?.maxUnavailable === undefined) return set;
  const { maxUnavailable: _, ...rest } = rollingUpdate;
  return { ...set, spec: { ...set.spec, updateStrategy: { ...set.spec.updateStrategy, rollingUpdate: rest } } };
}

function fixedPart(spec: StatefulSetSpec | undefined): Partial<StatefulSetSpec> {
  const {
    replicas: _1,
    ordinals: _2,
    template: _3,
    updateStrategy: _4,
    revisionHistoryLimit: _5,
    persistentVolumeClaimRetentionPolicy: _6,
    minReadySeconds: _7,
    ...fixed
  } = spec ?? ({} as StatefulSetSpec);
  return fixed;
}

/** kubernetes pkg/apis/apps/validation ValidateStatefulSetSpec */
function validateStatefulSetSpec(spec: StatefulSetSpec | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const policy = spec?.podManagementPolicy;
  if (!policy) errors.push(required('spec.podManagementPolicy'));
  else if (policy !== 'OrderedReady' && policy !== 'Parallel')
    errors.push(invalid('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'"));
  validateUpdateStrategy(errors, spec?.updateStrategy ?? {});
  for (const name of ['whenDeleted', 'whenScaled'] as const) {
    oneOf(
      errors,
      { path: `spec.persistentVolumeClaimRetentionPolicy.${name}`, value: spec?.persistentVolumeClaimRetentionPolicy?.[name] },
      ['Retain', 'Delete'],
    );
  }
  nonNegative(errors, 'spec.replicas', spec?.replicas);
  nonNegative(errors, 'spec.minReadySeconds', spec?.minReadySeconds);
  nonNegative(errors, 'spec.ordinals.start', spec?.ordinals?.start);
  nonNegative(errors, 'spec.revisionHistoryLimit', spec?.revisionHistoryLimit);
  if (spec?.serviceName) report(errors, { path: 'spec.serviceName', value: spec.serviceName }, isDNS1123Label(spec.serviceName));
  const usable = validateWorkloadSelector(errors, spec?.selector, { kind: 'statefulset', unusable: '' });
  const claims = spec?.volumeClaimTemplates ?? [];
  for (const [index, claim] of claims.entries()) validateClaimSpec(errors, `spec.volumeClaimTemplates[${index}].spec`, claim.spec ?? {});
  if (usable) validateWorkloadTemplate(errors, withClaims(spec), { selector: spec?.selector, kind: 'StatefulSet' });
  else if (spec) alwaysRestarts(errors, spec.template, 'StatefulSet');
  return errors;
}

/** Mounts may name claims: the real one validates the template with a volume for each. */
function withClaims(spec: StatefulSetSpec | undefined): StatefulSetSpec['template'] | undefined {
  const names = [...new Set((spec?.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name ?? ''))];
  const template = spec?.template;
  if (!template?.spec || names.length === 0) return template;
  const claims = names.map((name) => ({ name, persistentVolumeClaim: { claimName: name || 'claim' } }));
  const others = (template.spec.volumes ?? []).filter(({ name }) => !names.includes(name));
  return { ...template, spec: { ...template.spec, volumes: [...claims, ...others] } };
}

function validateUpdateStrategy(errors: FieldError[], strategy: NonNullable<StatefulSetSpec['updateStrategy']>): void {
  const { type, rollingUpdate } = strategy;
  const path = 'spec.updateStrategy';
  if (!type) errors.push(required(path));
  else if (type === 'OnDelete') {
    if (rollingUpdate) {
      const shape = { Partition: rollingUpdate.partition ?? 0, MaxUnavailable: rollingUpdate.maxUnavailable ?? null };
      errors.push(invalid(`${path}.rollingUpdate`, shape, "only allowed for updateStrategy 'RollingUpdate'"));
    }
  } else if (type === 'RollingUpdate') {
    nonNegative(errors, `${path}.rollingUpdate.partition`, rollingUpdate?.partition);
    positiveIntOrPercent(errors, `${path}.rollingUpdate.maxUnavailable`, rollingUpdate?.maxUnavailable);
    notMoreThan100Percent(errors, `${path}.rollingUpdate.maxUnavailable`, rollingUpdate?.maxUnavailable);
  } else errors.push(invalid(path, { Type: type, RollingUpdate: null }, "must be 'RollingUpdate' or 'OnDelete'"));
}
