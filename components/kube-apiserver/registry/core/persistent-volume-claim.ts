import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../../../../src/api/kinds/core-v1.ts';
import { parseQuantity } from '../../../../src/api/quantity.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { forbidden, invalid } from '../../../../src/api/validation/field.ts';
import type { KindRules } from '../kind-strategy.ts';
import { validatePersistentVolumeClaim } from './claim-validation.ts';
import { setDefaultsPersistentVolumeClaim } from './defaults.ts';
import { structDiff } from './go-diff.ts';

const BETA_CLASS = 'volume.beta.kubernetes.io/storage-class';

/** kubernetes pkg/registry/core/persistentvolumeclaim */
export const persistentVolumeClaimRules: KindRules<PersistentVolumeClaim> = {
  defaults: setDefaultsPersistentVolumeClaim,
  metaTwiceOnUpdate: true,
  hasStatus: true,
  prepareForCreate: (claim) => ({ ...dropForeignSource(claim), status: { phase: 'Pending' } }),
  validate: validatePersistentVolumeClaim,
  validateUpdate: (claim, old) => [...validatePersistentVolumeClaim(claim), ...validateClaimUpdate(claim, old)],
  validateStatusUpdate: ({ status }) => {
    const errors: FieldError[] = [];
    for (const [name, amount] of Object.entries(status?.capacity ?? {})) {
      const quantity = parseQuantity(amount);
      if (quantity.nano < 0n) errors.push(invalid(`status.capacity[${name}]`, quantity.value(), 'must be a valid resource quantity'));
    }
    return errors;
  },
  warnings: ({ metadata }) =>
    metadata.annotations?.[BETA_CLASS] === undefined
      ? []
      : [`metadata.annotations[${BETA_CLASS}]: deprecated since v1.8; use "storageClassName" attribute instead`],
};

/** kubernetes pkg/api/persistentvolumeclaim NormalizeDataSources: of the core group only claims can be copied. */
function dropForeignSource(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  const { dataSource, dataSourceRef, ...spec } = claim.spec ?? {};
  if (!dataSource || dataSource.apiGroup || dataSource.kind === 'PersistentVolumeClaim') return claim;
  const same = dataSourceRef?.kind === dataSource.kind && dataSourceRef.name === dataSource.name && !dataSourceRef.apiGroup;
  return { ...claim, spec: { ...spec, ...(dataSourceRef && !same ? { dataSourceRef } : {}) } };
}

/** kubernetes pkg/apis/core/validation ValidatePersistentVolumeClaimUpdate */
function validateClaimUpdate(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): FieldError[] {
  const errors: FieldError[] = [];
  const spec = claim.spec ?? {};
  const before = old.spec ?? {};
  const bound = old.status?.phase === 'Bound';
  const now = munged(spec, before, bound);
  if (!semanticDeepEqual(now, before)) {
    errors.push(
      forbidden(
        'spec',
        `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${structDiff('PersistentVolumeClaimSpec', before, now)}`,
      ),
    );
  }
  const size = parseQuantity(spec.resources?.requests?.storage);
  const oldSize = parseQuantity(before.resources?.requests?.storage);
  if (size.compare(oldSize) < 0) {
    const actual = parseQuantity(old.status?.capacity?.storage);
    if (actual.isZero || !bound) errors.push(forbidden('spec.resources.requests.storage', 'field can not be less than previous value'));
    else if (size.compare(actual) <= 0)
      errors.push(forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity'));
  }
  return errors;
}

/** The new spec with what may change set to what it was. */
function munged(spec: PersistentVolumeClaimSpec, old: PersistentVolumeClaimSpec, bound: boolean): PersistentVolumeClaimSpec {
  const out: PersistentVolumeClaimSpec = { ...spec };
  if (!old.volumeName) delete out.volumeName;
  if (bound && old.resources?.requests) out.resources = { ...spec.resources, requests: old.resources.requests };
  delete out.volumeAttributesClassName;
  if (old.volumeAttributesClassName !== undefined) out.volumeAttributesClassName = old.volumeAttributesClassName;
  // A claim without a class may get one later, when a default class appears.
  if (old.storageClassName === undefined && spec.storageClassName !== undefined && !bound) delete out.storageClassName;
  return out;
}
