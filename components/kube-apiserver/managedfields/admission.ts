import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { ManagedFieldsEntry } from '../../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { RequestContext } from '../request-context.ts';
import { FieldOwners, submittedManagedFields, withoutManagedFields } from './field-owners.ts';
import { decodeManagedFields } from './managed.ts';

/**
 * The object that admission has made, with what it did to managedFields taken over, or taken back when it cannot be read.
 * apimachinery pkg/util/managedfields fieldmanager.managedFieldsValidatingAdmissionController
 */
export function takeOwnersFromAdmission<T extends KubernetesObject>(context: RequestContext<T>, admitted: T): T {
  const entries = submittedManagedFields(admitted.metadata);
  if (!entries) return admitted;
  const object = { ...admitted, metadata: withoutManagedFields(admitted.metadata) };
  if (deepEqual(entries, context.owners.next?.entries ?? [])) return object;
  const managed = decodeManagedFields(entries);
  if (managed) context.owners.next = FieldOwners.of(managed);
  else context.warnings.push(`${INVALID_AFTER_ADMISSION}${problemOf(entries)}`);
  return object;
}

const INVALID_AFTER_ADMISSION =
  '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ';

/** apimachinery pkg/apis/meta/v1/validation.ValidateManagedFields and the errors of decoding */
function problemOf(entries: readonly ManagedFieldsEntry[]): string {
  const problems = entries.flatMap(({ operation = '', fieldsType = '', apiVersion }, index) => {
    const at = (field: string): string => `metadata.managedFields[${index}].${field}`;
    return [
      ...(operation === 'Apply' || operation === 'Update'
        ? []
        : [`${at('operation')}: Invalid value: ${JSON.stringify(operation)}: must be \`Apply\` or \`Update\``]),
      ...(fieldsType === '' || fieldsType === 'FieldsV1'
        ? []
        : [`${at('fieldsType')}: Invalid value: ${JSON.stringify(fieldsType)}: must be \`FieldsV1\``]),
      ...(apiVersion ? [] : ['error decoding managed fields: apiVersion must not be empty']),
    ];
  });
  if (problems.length === 0) return 'error decoding managed fields';
  return problems.length === 1 ? (problems[0] ?? '') : `[${problems.join(', ')}]`;
}
