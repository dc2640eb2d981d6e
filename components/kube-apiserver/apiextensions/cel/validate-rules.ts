import type { KubernetesObject } from '../../../../src/api/object.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import type { CustomResourceVersion } from '../custom-resource-version.ts';
import type { CorrelatedValue } from '../schema/correlated-value.ts';

export function validateRules(
  _version: CustomResourceVersion,
  _object: KubernetesObject,
  _old: CorrelatedValue | undefined,
): { readonly errors: FieldError[]; readonly ratcheted: FieldError[] } {
  return { errors: [], ratcheted: [] };
}
