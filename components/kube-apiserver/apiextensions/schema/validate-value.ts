import { RE2JS } from 're2js';
import { deepEqual } from '../../../../src/api/deep-equal.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { invalid, notSupported, quote, required, tooLong, tooMany } from '../../../../src/api/validation/field.ts';
import type { CorrelatedValue } from './correlated-value.ts';
import { hasFormat } from './formats.ts';
import { additionalOf, isJsonObject, itemsOf, type JsonObject, type Schema } from './structural-schema.ts';

/** A value with its place, and what it was before, as far as that can be told. */
interface Subject {
  readonly value: unknown;
  /** `spec.a[0]`; '' for the root. */
  readonly path: string;
  readonly old: CorrelatedValue | undefined;
}

/**
 * Checks a value against a schema. With `old`, what has not changed may stay as it is. kube-openapi pkg/validation/validate.SchemaValidator and
 * apiextensions-apiserver pkg/apiserver/validation.RatchetingSchemaValidator
 */
export function validateValue(value: unknown, schema: Schema, old?: CorrelatedValue): FieldError[] {
  return validate({ value, path: '', old }, schema);
}

function validate(subject: Subject, schema: Schema): FieldError[] {
  const { value, old } = subject;
  if (old?.unchanged(value)) return [];
  if (value === null && schema.nullable) return [];
  const errors = [...typeErrors(subject, schema), ...junctorErrors(subject, schema)];
  if (typeof value === 'string') errors.push(...stringErrors(subject, schema));
  if (typeof value === 'number') errors.push(...numberErrors(subject, schema));
  if (Array.isArray(value)) errors.push(...listErrors(subject, schema));
  if (schema.enum && !schema.enum.some((allowed) => deepEqual(allowed, value))) errors.push(enumError(subject, schema.enum));
  if (isJsonObject(value)) errors.push(...objectErrors(subject, schema));
  return errors;
}

function enumError({ value, path }: Subject, allowed: readonly unknown[]): FieldError {
  return notSupported(
    path,
    value,
    allowed.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))),
  );
}

/** What JSON schema calls the type of a value. */
function jsonTypeOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function typeErrors({ value, path }: Subject, schema: Schema): FieldError[] {
  const wanted = schema['x-kubernetes-int-or-string'] ? 'integer,string' : schema.type;
  if (!wanted) return [];
  const given = jsonTypeOf(value);
  if (wanted.split(',').includes(given) || (wanted === 'number' && given === 'integer')) return [];
  return [typeInvalid(path, given, `${path} in body must be of type ${wanted}: ${quote(given)}`)];
}

function typeInvalid(path: string, value: string, detail: string): FieldError {
  return { ...invalid(path, value, detail), reason: 'FieldValueTypeInvalid' };
}

const composite = (text: string): FieldError => ({ reason: 'FieldValueInvalid', field: '<nil>', body: `Invalid value: "": ${text}` });

/** allOf, anyOf, oneOf and not. kube-openapi pkg/validation/validate.schemaPropsValidator */
function junctorErrors(subject: Subject, schema: Schema): FieldError[] {
  const errors: FieldError[] = [];
  const named = quote(subject.path);
  const intOrString = schema['x-kubernetes-int-or-string'] === true;
  const results = (branches: readonly Schema[] | undefined): FieldError[][] => (branches ?? []).map((branch) => validate(subject, branch));
  const anyOf = results(schema.anyOf);
  if (anyOf.length > 0 && !anyOf.some(({ length }) => length === 0) && !(intOrString && isIntOrStringBranch(schema)))
    errors.push(composite(`${named} must validate at least one schema (anyOf)`), ...(anyOf[0] ?? []));
  const oneOf = results(schema.oneOf);
  const valid = oneOf.filter(({ length }) => length === 0).length;
  if (oneOf.length > 0 && valid !== 1) {
    const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
    errors.push(composite(`${named} must validate one and only one schema (oneOf). ${found}`), ...(valid === 0 ? (oneOf[0] ?? []) : []));
  }
  const allOf = results(schema.allOf);
  if (allOf.some(({ length }) => length > 0)) errors.push(...allOf.flat(), composite(`${named} must validate all the schemas (allOf)`));
  if (schema.not && validate(subject, schema.not).length === 0) errors.push(composite(`${named} must not validate the schema (not)`));
  return errors;
}

/** `anyOf: [{type: integer}, {type: string}]` says again what x-kubernetes-int-or-string says. */
function isIntOrStringBranch({ anyOf }: Schema): boolean {
  return anyOf?.length === 2 && anyOf[0]?.type === 'integer' && anyOf[1]?.type === 'string';
}

const patterns = new Map<string, RE2JS>();

function matchesPattern(text: string, pattern: string): boolean {
  let compiled = patterns.get(pattern);
  if (!compiled) {
    compiled = RE2JS.compile(pattern);
    patterns.set(pattern, compiled);
  }
  return compiled.matcher(text).find();
}

function stringErrors({ value, path }: Subject, schema: Schema): FieldError[] {
  const text = value as string;
  const errors: FieldError[] = [];
  const { minLength, maxLength, pattern, format } = schema;
  const length = minLength === undefined && maxLength === undefined ? 0 : [...text].length;
  if (maxLength !== undefined && length > maxLength) errors.push(tooLong(path, maxLength));
  if (minLength !== undefined && length < minLength)
    errors.push(invalid(path, text, `${path} in body should be at least ${minLength} chars long`));
  if (pattern && !matchesPattern(text, pattern)) errors.push(invalid(path, text, `${path} in body should match '${pattern}'`));
  if (format && !hasFormat(text, format)) errors.push(typeInvalid(path, text, `${path} in body must be of type ${format}: ${quote(text)}`));
  return errors;
}

function numberErrors({ value, path }: Subject, schema: Schema): FieldError[] {
  const number = value as number;
  const errors: FieldError[] = [];
  const refuse = (what: string): void => void errors.push(invalid(path, number, `${path} in body should be ${what}`));
  const { multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (multipleOf !== undefined && !Number.isInteger(number / multipleOf)) refuse(`a multiple of ${multipleOf}`);
  if (maximum !== undefined && (exclusiveMaximum ? number >= maximum : number > maximum))
    refuse(`less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`);
  if (minimum !== undefined && (exclusiveMinimum ? number <= minimum : number < minimum))
    refuse(`greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`);
  return errors;
}

function listErrors({ value, path, old }: Subject, schema: Schema): FieldError[] {
  const list = value as readonly unknown[];
  const items = itemsOf(schema);
  const errors: FieldError[] = [];
  const { minItems, maxItems } = schema;
  if (items)
    for (const [index, item] of list.entries())
      errors.push(...validate({ value: item, path: `${path}[${index}]`, old: old?.item(schema, item) }, items));
  if (minItems !== undefined && list.length < minItems)
    errors.push(invalid(path, list.length, `${path} in body should have at least ${minItems} items`));
  if (maxItems !== undefined && list.length > maxItems) errors.push(tooMany(path, list.length, maxItems));
  return errors;
}

function objectErrors({ value, path, old }: Subject, schema: Schema): FieldError[] {
  const object = value as JsonObject;
  const keys = Object.keys(object).filter((key) => object[key] !== undefined);
  const errors: FieldError[] = [];
  const { minProperties, maxProperties } = schema;
  const below = (key: string): string => (path ? `${path}.${key}` : key);
  if (minProperties !== undefined && keys.length < minProperties)
    errors.push(invalid(path, keys.length, `${path} in body should have at least ${minProperties} properties`));
  if (maxProperties !== undefined && keys.length > maxProperties) errors.push(tooMany(path, keys.length, maxProperties));
  for (const name of schema.required ?? []) if (object[name] === undefined) errors.push(required(below(name)));
  const additional = additionalOf(schema);
  for (const key of keys) {
    const own = schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    const field = own ?? (typeof additional === 'object' ? additional : undefined);
    if (field) errors.push(...validate({ value: object[key], path: below(key), old: old?.field(key) }, field));
  }
  return errors;
}
