import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../../../../src/api/kinds/core-v1.ts';
import { parseQuantity } from '../../../../src/api/quantity.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1123Subdomain } from '../../../../src/api/validation/content.ts';
import { forbidden, invalid, notSupported, required } from '../../../../src/api/validation/field.ts';
import { labelSelector, oneOf, report } from '../validation.ts';

export const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** kubernetes pkg/apis/core/validation ValidatePersistentVolumeClaimSpec */
export function validateClaimSpec(errors: FieldError[], path: string, spec: PersistentVolumeClaimSpec): void {
  const modes = spec.accessModes ?? [];
  if (modes.length === 0) errors.push(required(`${path}.accessModes`, 'at least 1 access mode is required'));
  labelSelector(errors, `${path}.selector`, spec.selector);
  for (const mode of modes) if (!ACCESS_MODES.includes(mode)) errors.push(notSupported(`${path}.accessModes`, mode, ACCESS_MODES));
  if (modes.includes('ReadWriteOncePod') && modes.length > 1)
    errors.push(forbidden(`${path}.accessModes`, 'may not use ReadWriteOncePod with other access modes'));
  const storage = spec.resources?.requests?.storage;
  if (storage === undefined) errors.push(required(`${path}.resources[storage]`));
  else if (parseQuantity(storage).nano <= 0n) errors.push(invalid(`${path}.resources[storage]`, storage, 'must be greater than zero'));
  if (spec.storageClassName)
    report(errors, { path: `${path}.storageClassName`, value: spec.storageClassName }, isDNS1123Subdomain(spec.storageClassName));
  oneOf(errors, { path: `${path}.volumeMode`, value: spec.volumeMode }, ['Block', 'Filesystem']);
  if (spec.volumeAttributesClassName) {
    const value = spec.volumeAttributesClassName;
    report(errors, { path: `${path}.volumeAttributesClassName`, value }, isDNS1123Subdomain(value));
  }
  dataSources(errors, path, spec);
}

/** The spec of a claim inside a pod or a StatefulSet. */
export function validateClaimTemplateSpec(errors: FieldError[], path: string, spec: PersistentVolumeClaimSpec | undefined): void {
  validateClaimSpec(errors, path, spec ?? {});
}

/** kubernetes pkg/apis/core/validation validateDataSource, validateDataSourceRef */
function dataSources(errors: FieldError[], path: string, { dataSource, dataSourceRef }: PersistentVolumeClaimSpec): void {
  for (const [name, source] of [
    ['dataSource', dataSource],
    ['dataSourceRef', dataSourceRef],
  ] as const) {
    if (!source) continue;
    if (!source.name) errors.push(required(`${path}.${name}.name`));
    if (!source.kind) errors.push(required(`${path}.${name}.kind`));
    if (!source.apiGroup && source.kind !== 'PersistentVolumeClaim')
      errors.push(invalid(`${path}.${name}`, source.kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
    else if (source.apiGroup)
      report(errors, { path: `${path}.${name}.apiGroup`, value: source.apiGroup }, isDNS1123Subdomain(source.apiGroup));
  }
  if (
    dataSource &&
    dataSourceRef &&
    !dataSourceRef.namespace &&
    (dataSource.name !== dataSourceRef.name ||
      dataSource.kind !== dataSourceRef.kind ||
      (dataSource.apiGroup ?? '') !== (dataSourceRef.apiGroup ?? ''))
  ) {
    errors.push(invalid(path, { dataSource, dataSourceRef }, 'must match dataSourceRef'));
  }
}

/** kubernetes pkg/apis/core/validation ValidatePersistentVolumeClaim */
export function validatePersistentVolumeClaim(claim: PersistentVolumeClaim): FieldError[] {
  const errors: FieldError[] = [];
  validateClaimSpec(errors, 'spec', claim.spec ?? {});
  return errors;
}
