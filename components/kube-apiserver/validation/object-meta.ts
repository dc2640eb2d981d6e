import type { ObjectMeta } from '../../../src/api/kinds/meta-v1.ts';
import type { Resource } from '../../../src/api/resource.ts';
import type { FieldError } from '../../../src/api/status-error.ts';

/** apimachinery pkg/api/validation.ValidateObjectMetaAccessor */
export function validateObjectMeta(
  resource: Resource,
  meta: ObjectMeta,
  validateName?: (name: string, prefix: boolean) => readonly string[],
): FieldError[] {
  const errors: FieldError[] = [];
  if (meta.name) {
    for (const text of validateName?.(meta.name, false) ?? [])
      errors.push({ reason: 'FieldValueInvalid', field: 'metadata.name', body: `Invalid value: ${JSON.stringify(meta.name)}: ${text}` });
  } else errors.push({ reason: 'FieldValueRequired', field: 'metadata.name', body: 'Required value: name or generateName is required' });
  if (!resource.namespaced && meta.namespace)
    errors.push({ reason: 'FieldValueForbidden', field: 'metadata.namespace', body: 'Forbidden: not allowed on this type' });
  return errors;
}

/** apimachinery pkg/api/validation.ValidateObjectMetaAccessorUpdate */
export function validateObjectMetaUpdate(meta: ObjectMeta, old: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  const immutable = ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const;
  for (const key of immutable) {
    if (meta[key] !== old[key])
      errors.push({
        reason: 'FieldValueInvalid',
        field: `metadata.${key}`,
        body: `Invalid value: ${JSON.stringify(meta[key] ?? null)}: field is immutable`,
      });
  }
  if (old.deletionTimestamp) {
    const added = (meta.finalizers ?? []).filter((finalizer) => !(old.finalizers ?? []).includes(finalizer));
    if (added.length > 0) {
      const body = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map((text) => JSON.stringify(text)).join(', ')}}`;
      errors.push({ reason: 'FieldValueForbidden', field: 'metadata.finalizers', body });
    }
  }
  return errors;
}
