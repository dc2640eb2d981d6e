import { type FieldError, newInvalid } from '../../../src/api/status-error.ts';
import { forbidden, invalid, notSupported, required, tooLong } from '../../../src/api/validation/field.ts';
import type { RequestScope } from '../request-context.ts';
import { PATCH_TYPES } from './apply-patch.ts';

const MAX_FIELD_MANAGER_BYTES = 128;
const FIELD_VALIDATION = ['', 'Ignore', 'Strict', 'Warn'];

/** Checks the query of a write. apimachinery pkg/apis/meta/v1/validation.ValidateCreateOptions, ValidateUpdateOptions, ValidatePatchOptions */
export function validateWriteOptions({ request }: RequestScope, kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions'): void {
  const { fieldManager = '', dryRun, fieldValidation = '', force } = request.query;
  const errors: FieldError[] = [];
  if (kind === 'PatchOptions') {
    const apply = request.headers.contentType?.split(';')[0] === PATCH_TYPES.apply;
    if (apply && fieldManager === '') errors.push(required('fieldManager', 'is required for apply patch'));
    if (!apply && force !== undefined) errors.push(forbidden('force', 'may not be specified for non-apply patch'));
  }
  errors.push(...fieldManagerErrors(fieldManager), ...dryRunErrors(dryRun));
  if (!FIELD_VALIDATION.includes(fieldValidation)) errors.push(notSupported('fieldValidation', fieldValidation, FIELD_VALIDATION));
  if (errors.length > 0) throw newInvalid({ group: 'meta.k8s.io', kind }, '', errors);
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Names of ASCII letters and signs, which almost all are. */
const PLAIN = /^[ -~]{0,128}$/;

function fieldManagerErrors(manager: string): FieldError[] {
  if (PLAIN.test(manager)) return [];
  if (new TextEncoder().encode(manager).length > MAX_FIELD_MANAGER_BYTES) return [tooLong('fieldManager', MAX_FIELD_MANAGER_BYTES)];
  if (!UNPRINTABLE.test(manager)) return [];
  const errors: FieldError[] = [];
  [...manager].forEach((char, position) => {
    if (!UNPRINTABLE.test(char)) return;
    const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    errors.push(invalid('fieldManager', manager, `invalid character U+${code} (at position ${position})`));
  });
  return errors;
}

/** The only dry run is that of everything. */
export function dryRunErrors(dryRun: string | undefined): FieldError[] {
  return dryRun === undefined || dryRun === 'All' ? [] : [notSupported('dryRun', [dryRun], ['All'])];
}
