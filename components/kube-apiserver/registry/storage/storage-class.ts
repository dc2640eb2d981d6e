import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type { StorageClass, VolumeAttachment, VolumeAttributesClass } from '../../../../src/api/kinds/storage-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1123Subdomain, isQualifiedName } from '../../../../src/api/validation/content.ts';
import { duplicate, forbidden, invalid, required, tooLong } from '../../../../src/api/validation/field.ts';
import { validateDriverName } from '../core/volume-source-validation.ts';
import type { KindRules } from '../kind-strategy.ts';
import { oneOf, report, requiredOneOf } from '../validation.ts';
import { setDefaultsStorageClass } from './defaults.ts';

const MAX_PARAMETERS = 256 * 1024;

/** kubernetes pkg/registry/storage/storageclass */
export const storageClassRules: KindRules<StorageClass> = {
  defaults: setDefaultsStorageClass,
  metaTwiceOnUpdate: true,
  validate: (storageClass) => {
    const errors: FieldError[] = [];
    validateProvisioner(errors, 'provisioner', storageClass.provisioner);
    validateParameters(errors, storageClass.parameters, false);
    oneOf(errors, { path: 'reclaimPolicy', value: storageClass.reclaimPolicy }, ['Delete', 'Retain']);
    requiredOneOf(errors, { path: 'volumeBindingMode', value: storageClass.volumeBindingMode }, ['Immediate', 'WaitForFirstConsumer']);
    validateTopologies(errors, storageClass.allowedTopologies);
    return errors;
  },
  validateUpdate: (storageClass, old) => {
    const errors: FieldError[] = [];
    if (!semanticDeepEqual(storageClass.parameters, old.parameters))
      errors.push(forbidden('parameters', 'updates to parameters are forbidden.'));
    if (storageClass.provisioner !== old.provisioner) errors.push(forbidden('provisioner', 'updates to provisioner are forbidden.'));
    if (storageClass.reclaimPolicy !== old.reclaimPolicy)
      errors.push(forbidden('reclaimPolicy', 'updates to reclaimPolicy are forbidden.'));
    if (storageClass.volumeBindingMode !== old.volumeBindingMode)
      errors.push(invalid('volumeBindingMode', storageClass.volumeBindingMode, 'field is immutable'));
    return errors;
  },
};

function validateProvisioner(errors: FieldError[], path: string, provisioner: string): void {
  if (!provisioner) errors.push(required(path));
  else report(errors, { path, value: provisioner.toLowerCase() }, isQualifiedName(provisioner.toLowerCase()));
}

function validateParameters(errors: FieldError[], parameters: Record<string, string> | undefined, needed: boolean): void {
  let size = 0;
  for (const [key, value] of Object.entries(parameters ?? {})) {
    if (key === '') errors.push(invalid('parameters', key, 'field can not be empty.'));
    size += key.length + value.length;
  }
  if (size > MAX_PARAMETERS) errors.push(tooLong('parameters', MAX_PARAMETERS));
  if (needed && Object.keys(parameters ?? {}).length === 0) errors.push(required('parameters', 'must contain at least one key/value pair'));
}

function validateTopologies(errors: FieldError[], topologies: StorageClass['allowedTopologies']): void {
  const terms: Record<string, ReadonlySet<string>>[] = [];
  for (const [index, { matchLabelExpressions }] of (topologies ?? []).entries()) {
    const term = Object.fromEntries((matchLabelExpressions ?? []).map(({ key, values }) => [key, new Set(values)]));
    if (terms.some((other) => sameTerm(other, term))) errors.push(duplicate(`allowedTopologies[${index}].matchLabelExpressions`, ''));
    terms.push(term);
    const keys = new Set<string>();
    for (const [position, { key, values }] of (matchLabelExpressions ?? []).entries()) {
      const path = `allowedTopologies[${index}].matchLabelExpressions[${position}]`;
      if (!values?.length) errors.push(required(`${path}.values`));
      const seen = new Set<string>();
      for (const [at, value] of (values ?? []).entries()) {
        if (seen.has(value)) errors.push(duplicate(`${path}.values[${at}]`, value));
        seen.add(value);
      }
      report(errors, { path: `${path}.key`, value: key }, isQualifiedName(key));
      if (keys.has(key)) errors.push(duplicate(`${path}.key`, key));
      keys.add(key);
    }
  }
}

/** Whether two terms ask for the same values of the same keys. */
function sameTerm(a: Record<string, ReadonlySet<string>>, b: Record<string, ReadonlySet<string>>): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => a[key]?.size === b[key]?.size && [...(a[key] ?? [])].every((value) => b[key]?.has(value)));
}

/** kubernetes pkg/registry/storage/volumeattributesclass */
export const volumeAttributesClassRules: KindRules<VolumeAttributesClass> = {
  validate: (attributesClass) => {
    const errors: FieldError[] = [];
    validateProvisioner(errors, 'driverName', attributesClass.driverName);
    validateParameters(errors, attributesClass.parameters, true);
    return errors;
  },
  validateUpdate: (attributesClass, old) => {
    const errors: FieldError[] = [];
    if (attributesClass.driverName !== old.driverName) errors.push(forbidden('driverName', 'updates to driverName are forbidden.'));
    if (!semanticDeepEqual(attributesClass.parameters, old.parameters))
      errors.push(forbidden('parameters', 'updates to parameters are forbidden.'));
    return errors;
  },
};

/** kubernetes pkg/registry/storage/volumeattachment */
export const volumeAttachmentRules: KindRules<VolumeAttachment> = {
  hasStatus: true,
  validate: ({ spec }) => {
    const errors: FieldError[] = [];
    // The version v1 checks the name of the driver once more, and more strictly.
    if (!spec?.attacher) errors.push(required('spec.attacher'));
    validateDriverName(errors, 'spec.attacher', spec?.attacher ?? '');
    report(errors, { path: 'spec.nodeName', value: spec?.nodeName ?? '' }, isDNS1123Subdomain(spec?.nodeName ?? ''));
    const { inlineVolumeSpec, persistentVolumeName } = spec?.source ?? {};
    if (!inlineVolumeSpec && persistentVolumeName === undefined)
      errors.push(required('spec.source', 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'));
    else if (inlineVolumeSpec && persistentVolumeName !== undefined)
      errors.push(forbidden('spec.source', 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'));
    else if (persistentVolumeName === '')
      errors.push(required('spec.source.persistentVolumeName', 'must specify non empty persistentVolumeName'));
    return errors;
  },
  validateUpdate: ({ spec }, old) => (semanticDeepEqual(spec, old.spec) ? [] : [invalid('spec', spec, 'field is immutable')]),
};
