import type { FieldError } from '../status-error.ts';

// Findings of validation, worded as apimachinery util/validation/field does.

/**
 * Go's way to print a value in a field error: texts quoted, numbers and bools plain, absent `null`, the rest as compact JSON.
 * Where the real one prints its internal structs the caller passes an object of that shape.
 */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (value === undefined || value === null) return 'null';
  return typeof value === 'object' ? goJson(value) : String(value);
}

/** JSON as Go's encoder writes it: `<`, `>` and `&` are escaped. */
export function goJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Go's strconv.Quote (`%q`). */
export function quote(text: string): string {
  if (!/["\\\p{Cc}]/u.test(text)) return `"${text}"`;
  const short: Record<string, string> = {
    '"': '\\"',
    '\\': '\\\\',
    '\n': '\\n',
    '\r': '\\r',
    '\t': '\\t',
    '\u0007': '\\a',
    '\b': '\\b',
    '\f': '\\f',
    '\v': '\\v',
  };
  return `"${text.replace(/["\\\p{Cc}]/gu, (char) => short[char] ?? escapeControl(char.charCodeAt(0)))}"`;
}

function escapeControl(code: number): string {
  return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** field.Required */
export function required(field: string, detail = ''): FieldError {
  return { reason: 'FieldValueRequired', field, body: withDetail('Required value', detail) };
}

/** field.Invalid */
export function invalid(field: string, value: unknown, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, body: withDetail(`Invalid value: ${formatValue(value)}`, detail) };
}

/** field.Invalid with a value that is already printed. */
export function invalidPrinted(field: string, printed: string, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, body: withDetail(`Invalid value: ${printed}`, detail) };
}

/** field.NotSupported: the values are printed in the order given. */
export function notSupported(field: string, value: unknown, supported: readonly string[]): FieldError {
  return {
    reason: 'FieldValueNotSupported',
    field,
    body: `Unsupported value: ${formatValue(value)}: supported values: ${supported.map(quote).join(', ')}`,
  };
}

/** field.Forbidden */
export function forbidden(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, body: withDetail('Forbidden', detail) };
}

/** field.Duplicate */
export function duplicate(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueDuplicate', field, body: `Duplicate value: ${formatValue(value)}` };
}

/** field.NotFound */
export function notFound(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueNotFound', field, body: `Not found: ${formatValue(value)}` };
}

/** field.TooLong */
export function tooLong(field: string, maximum: number): FieldError {
  return { reason: 'FieldValueTooLong', field, body: `Too long: may not be more than ${maximum} ${maximum === 1 ? 'byte' : 'bytes'}` };
}

/** field.TooMany */
export function tooMany(field: string, count: number, maximum: number): FieldError {
  return {
    reason: 'FieldValueTooMany',
    field,
    body: `Too many: ${count}: must have at most ${maximum} ${maximum === 1 ? 'item' : 'items'}`,
  };
}

function withDetail(head: string, detail: string): string {
  return detail ? `${head}: ${detail}` : head;
}
