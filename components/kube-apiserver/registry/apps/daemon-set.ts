import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type { DaemonSet, DaemonSetSpec } from '../../../../src/api/kinds/apps-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { invalid, notSupported, required } from '../../../../src/api/validation/field.ts';
import { dropDisabledTemplateFields } from '../core/pod-disabled-fields.ts';
import { podTemplateWarnings } from '../core/pod-warnings.ts';
import type { KindRules } from '../kind-strategy.ts';
import { nonNegative } from '../validation.ts';
import {
  collisionCountGrows,
  immutableSelector,
  isZero,
  notMoreThan100Percent,
  positiveIntOrPercent,
  validateWorkloadSelector,
  validateWorkloadTemplate,
} from '../workload-validation.ts';
import { setDefaultsDaemonSet } from './defaults.ts';

const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

/** kubernetes pkg/registry/apps/daemonset daemonSetStrategy; the generation of the template lives in an annotation. */
export const daemonSetRules: KindRules<DaemonSet> = {
  defaults: setDefaultsDaemonSet,
  hasStatus: true,
  dropDisabledFields: dropDisabledTemplateFields,
  generation: true,
  prepareForCreate: (set) => withTemplateGeneration(set, 1),
  prepareForUpdate: (set, old) => {
    const before = Number(old.metadata.annotations?.[TEMPLATE_GENERATION] ?? 0);
    return withTemplateGeneration(set, semanticDeepEqual(set.spec?.template, old.spec?.template) ? before : before + 1);
  },
  validate: ({ spec }) => validateDaemonSetSpec(spec),
  validateUpdate: ({ spec }, old) => {
    const errors = validateDaemonSetSpec(spec);
    immutableSelector(errors, spec?.selector, old.spec?.selector);
    return errors;
  },
  validateStatusUpdate: ({ status }, old) => {
    const errors: FieldError[] = [];
    for (const name of STATUS_COUNTS) nonNegative(errors, `status.${name}`, status?.[name]);
    collisionCountGrows(errors, status?.collisionCount, old.status?.collisionCount);
    return errors;
  },
  warnings: ({ spec }, old) => podTemplateWarnings('spec.template', spec?.template, old?.spec?.template),
};

const STATUS_COUNTS = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
] as const;

function withTemplateGeneration(set: DaemonSet, generation: number): DaemonSet {
  const value = String(generation);
  if (set.metadata.annotations?.[TEMPLATE_GENERATION] === value) return set;
  return { ...set, metadata: { ...set.metadata, annotations: { ...set.metadata.annotations, [TEMPLATE_GENERATION]: value } } };
}

/** kubernetes pkg/apis/apps/validation ValidateDaemonSetSpec */
function validateDaemonSetSpec(spec: DaemonSetSpec | undefined): FieldError[] {
  const errors: FieldError[] = [];
  if (spec?.selector) validateWorkloadSelector(errors, spec.selector, { kind: 'daemonset' });
  validateWorkloadTemplate(errors, spec?.template, { selector: spec?.selector, kind: 'DaemonSet' });
  nonNegative(errors, 'spec.minReadySeconds', spec?.minReadySeconds);
  validateUpdateStrategy(errors, spec?.updateStrategy ?? {});
  nonNegative(errors, 'spec.revisionHistoryLimit', spec?.revisionHistoryLimit);
  return errors;
}

function validateUpdateStrategy(errors: FieldError[], { type, rollingUpdate }: NonNullable<DaemonSetSpec['updateStrategy']>): void {
  const path = 'spec.updateStrategy';
  if (type === 'OnDelete') return;
  if (type !== 'RollingUpdate') {
    errors.push(notSupported(path, { Type: type ?? '', RollingUpdate: null }, ['RollingUpdate', 'OnDelete']));
    return;
  }
  const { maxUnavailable, maxSurge } = rollingUpdate ?? {};
  const at = `${path}.rollingUpdate`;
  positiveIntOrPercent(errors, `${at}.maxUnavailable`, maxUnavailable);
  positiveIntOrPercent(errors, `${at}.maxSurge`, maxSurge);
  notMoreThan100Percent(errors, `${at}.maxUnavailable`, maxUnavailable);
  notMoreThan100Percent(errors, `${at}.maxSurge`, maxSurge);
  if (!isZero(maxUnavailable) && !isZero(maxSurge))
    errors.push(invalid(`${at}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero'));
  if (isZero(maxUnavailable) && isZero(maxSurge)) errors.push(required(`${at}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
}
