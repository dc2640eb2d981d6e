// Reads JSON values into objects of a kind the way Go's decoder and encoder would leave them: unknown fields dropped and reported, null
// as absent, zero values left out where Go leaves them out, quantities and times in canonical form.

import { base64Error } from './base64.ts';
import { duplicateKeysOf, JsonNumber, repeatedEntriesOf } from './json-text.ts';
import { inOnePiece } from './one-piece.ts';
import { canonicalQuantity, QUANTITY_FORMAT_ERROR } from './quantity.ts';
import { type FieldSchema, goTypeOf, type ObjectSchema, schemaOf, type TypeSchema, zeroOf } from './schema.ts';
import { formatMicroTime, formatTime, isMicroTime, parseTime } from './time.ts';
import { timeParseError } from './time-error.ts';

export interface Decoded<T> {
  /** A fresh object that nobody else has; mutable until somebody freezes it. */
  readonly object: T;
  /** `unknown field "spec.x"`, `duplicate field "data.k"`, in the order of the document. */
  readonly strictProblems: readonly string[];
  /** Why the value cannot be read, e.g. `json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32`. */
  readonly error: string | undefined;
}

interface TypeError {
  readonly value: string;
  readonly goType: string;
  readonly struct: string;
  path: string;
}

const emptied = new WeakMap<object, Set<string>>();

function noteEmpty(object: object, field: string): void {
  const fields = emptied.get(object) ?? new Set<string>();
  emptied.set(object, fields.add(field));
}

/** Whether an object that was just decoded came with this list or map empty, which is then left out. Go tells it from none in messages. */
export function cameEmpty(object: object | undefined, field: string): boolean {
  return object !== undefined && (emptied.get(object)?.has(field) ?? false);
}

let latest: object | undefined;

/** Whether the object is the last one from the decoder and has not been frozen: then it may still be changed in place. */
export function isFresh(object: object): boolean {
  return object === latest && !Object.isFrozen(object);
}

/**
 * Decodes a JSON value as an object of a schema.
 * @param known an object of the same schema that was decoded before: what `value` has in common with it is taken over, frozen as it may be
 */
export function decode<T extends object>(value: unknown, schema: ObjectSchema, known?: object): Decoded<T> {
  const decoder = new Decoder();
  const object = isObject(value) ? decoder.struct(value, schema, known) : {};
  if (!isObject(value) && value !== null && value !== undefined) {
    return {
      object: {} as T,
      strictProblems: [],
      error: `json: cannot unmarshal ${describe(value)} into Go value of type ${schema.name.split('.').slice(-2).join('.')}`,
    };
  }
  latest = object;
  const failure = decoder.fatal ?? decoder.error;
  return {
    object: object as T,
    strictProblems: decoder.problems.map(({ kind, path }) => `${kind} field "${path}"`),
    error: failure === undefined || typeof failure === 'string' ? failure : typeErrorText(failure),
  };
}

function typeErrorText({ value, goType, struct, path }: TypeError): string {
  return `json: cannot unmarshal ${value} into Go struct field ${struct}.${path} of type ${goType}`;
}

/** Decodes one document. Paths are put together while unwinding, so that a sound object costs no bookkeeping. */
class Decoder {
  readonly problems: { kind: 'unknown' | 'duplicate'; path: string }[] = [];
  /** The first type error; Go goes on decoding after it. */
  error: TypeError | undefined;
  /** An error that ends decoding: of a quantity, a time, an int-or-string or base64. */
  fatal: TypeError | string | undefined;

  struct(value: Record<string, unknown>, schema: ObjectSchema, known?: unknown): Record<string, unknown> {
    const repeated = repeatedEntriesOf(value);
    if (repeated) return this.#repeated(repeated, schema);
    const out: Record<string, unknown> = {};
    const before = known as Readonly<Record<string, unknown>> | undefined;
    // Not `for … in`: V8 compiles this loop again and again then.
    for (const name of Object.keys(value)) {
      const field = schema.fields.get(name);
      if (field === undefined) {
        this.problems.push({ kind: 'unknown', path: name });
        continue;
      }
      const given = value[name];
      if (given === null || given === undefined) continue;
      const old = before?.[name];
      if (given === old) {
        out[name] = old;
        continue;
      }
      const problems = this.problems.length;
      const hadError = this.error !== undefined;
      const decoded = old === undefined ? this.#value(given, field.type, field) : this.#changed(given, { field, old });
      if (this.problems.length > problems) this.#prefix(problems, name);
      if (!hadError && this.error) extendError(this.error, schema, name);
      if (this.fatal !== undefined) {
        if (typeof this.fatal !== 'string') extendError(this.fatal, schema, name);
        return out;
      }
      if (decoded !== undefined) out[name] = decoded;
      else if (typeof given === 'object') noteEmpty(out, name);
    }
    const { filled } = schema;
    for (let index = 0; index < filled.length; index++) {
      const field = filled[index] as FieldSchema;
      if (out[field.name] === undefined) out[field.name] = filledValue(field);
    }
    return out;
  }

  /** Like Go: a field that comes again is told of, and decoded over what is there. */
  #repeated(entries: readonly (readonly [name: string, value: unknown])[], schema: ObjectSchema): Record<string, unknown> {
    let out: Record<string, unknown> = {};
    const seen = new Set<string>();
    for (const [name, value] of entries) {
      if (seen.has(name)) this.problems.push({ kind: 'duplicate', path: name });
      seen.add(name);
      const part = this.struct({ [name]: value }, schema);
      const before = out[name];
      const after = part[name];
      out = { ...part, ...out, ...(name in part ? { [name]: isObject(before) && isObject(after) ? { ...before, ...after } : after } : {}) };
    }
    return out;
  }

  #noteDuplicates(value: object): void {
    const keys = duplicateKeysOf(value);
    if (keys.length > 0) this.problems.push(...keys.map((path) => ({ kind: 'duplicate' as const, path })));
  }

  #prefix(from: number, segment: string): void {
    for (let index = from; index < this.problems.length; index++) {
      const problem = this.problems[index];
      if (problem) problem.path = problem.path.startsWith('[') ? segment + problem.path : `${segment}.${problem.path}`;
    }
  }

  /** Decodes what takes the place of `old`, which was decoded before. */
  #changed(value: unknown, { field, old }: { field: FieldSchema; old: unknown }): unknown {
    const { type } = field;
    if (type.type === 'struct' && isObject(value)) return this.struct(value, schemaOf(type.definition), old);
    if (type.type === 'list' && Array.isArray(value) && Array.isArray(old) && value.length > 0) return this.#items(value, type.items, old);
    return this.#value(value, type, field);
  }

  /** undefined: nothing to write, because the value is a zero that Go leaves out. */
  #value(value: unknown, type: TypeSchema, field: FieldSchema | undefined): unknown {
    const omit = field?.presence === 'omitted';
    // Storage does not tell an empty list from none, so neither do we.
    const omitEmpty = omit || field?.presence === 'written';
    switch (type.type) {
      case 'string':
        if (typeof value !== 'string') return this.#wrong(value, field?.goType ?? 'string');
        return omit && value === '' ? undefined : inOnePiece(value);
      case 'bool':
        if (typeof value !== 'boolean') return this.#wrong(value, 'bool');
        return omit && !value ? undefined : value;
      case 'int32':
      case 'int64':
        return this.#integer(value, { goType: type.type, omit });
      case 'float64':
        return value instanceof JsonNumber ? Number(value.text) : typeof value === 'number' ? value : this.#wrong(value, 'float64');
      case 'list':
        return this.#list(value, { items: type.items, omit: omitEmpty, goType: field?.goType ?? goTypeOf(type) });
      case 'map':
        return this.#map(value, { items: type.items, omit: omitEmpty, goType: field?.goType ?? goTypeOf(type) });
      case 'struct':
        if (!isObject(value)) return this.#wrong(value, goTypeOf(type));
        return this.struct(value, schemaOf(type.definition));
      case 'any':
        return plainJson(value);
      case 'schemaOrOther':
        return this.#schemaOrOther(value);
      default: {
        const text = this.#text(value, type.type);
        return omit && text === '' ? undefined : text;
      }
    }
  }

  #integer(value: unknown, { goType, omit }: { goType: 'int32' | 'int64'; omit: boolean }): number | undefined {
    // What almost all integers are.
    if (typeof value === 'number' && (value | 0) === value) return omit && value === 0 ? undefined : value;
    if (typeof value !== 'number' && !(value instanceof JsonNumber)) return this.#wrong(value, goType);
    const text = value instanceof JsonNumber ? value.text : String(value);
    const number = Number(text);
    const limit = goType === 'int32' ? 2 ** 31 : 2 ** 63;
    if (!/^-?\d+$/.test(text) || number >= limit || number < -limit) return this.#wrong(value, goType, `number ${text}`);
    return omit && number === 0 ? undefined : number;
  }

  #list(value: unknown, { items, omit, goType }: { items: TypeSchema; omit: boolean; goType: string }): unknown {
    if (!Array.isArray(value)) return this.#wrong(value, goType);
    return omit && value.length === 0 ? undefined : this.#items(value, items);
  }

  /** @param known items that were decoded before */
  #items(list: readonly unknown[], items: TypeSchema, known?: readonly unknown[]): unknown[] | undefined {
    const out: unknown[] = [];
    for (let index = 0; index < list.length; index++) {
      const before = this.problems.length;
      const item = list[index];
      if (typeof item === 'object' && known?.includes(item)) {
        out.push(item);
        continue;
      }
      const decoded = item === null || item === undefined ? zeroItem(items) : this.#value(item, items, undefined);
      if (this.problems.length > before) this.#prefix(before, `[${index}]`);
      if (this.fatal !== undefined) return undefined;
      out.push(decoded);
    }
    return out;
  }

  #map(value: unknown, { items, omit, goType }: { items: TypeSchema; omit: boolean; goType: string }): unknown {
    if (!isObject(value)) return this.#wrong(value, goType);
    const out: Record<string, unknown> = {};
    let size = 0;
    for (const key in value) {
      const before = this.problems.length;
      const item = value[key];
      const decoded = item === null || item === undefined ? zeroItem(items) : this.#value(item, items, undefined);
      if (this.problems.length > before) this.#prefix(before, key);
      if (this.fatal !== undefined) return undefined;
      if (key === '__proto__') Object.defineProperty(out, key, { value: decoded, enumerable: true, writable: true, configurable: true });
      else out[key] = decoded;
      size++;
    }
    this.#noteDuplicates(value);
    return omit && size === 0 ? undefined : out;
  }

  #text(value: unknown, type: 'bytes' | 'quantity' | 'intOrString' | 'time' | 'microTime'): unknown {
    switch (type) {
      case 'quantity': {
        const text = value instanceof JsonNumber ? value.text : value;
        const canonical =
          typeof text === 'string' || typeof text === 'number'
            ? canonicalQuantity(typeof text === 'string' ? text.trim() : text)
            : undefined;
        if (canonical === undefined) this.fatal ??= QUANTITY_FORMAT_ERROR;
        return canonical;
      }
      case 'intOrString':
        return typeof value === 'string' ? value : this.#fatalInteger(value);
      case 'bytes': {
        if (typeof value !== 'string') return this.#wrong(value, '[]uint8');
        const problem = base64Error(value);
        if (problem) this.fatal ??= problem;
        return value.replace(/[\r\n]/g, '');
      }
      default:
        return this.#time(value, type);
    }
  }

  #fatalInteger(value: unknown): number | undefined {
    const inner = new Decoder();
    const number = inner.#integer(value, { goType: 'int32', omit: false });
    if (inner.error) this.fatal ??= inner.error;
    return number;
  }

  #time(value: unknown, type: 'time' | 'microTime'): string | undefined {
    if (typeof value !== 'string') {
      this.fatal ??= { value: describe(value), goType: 'string', struct: '', path: '' };
      return undefined;
    }
    const ms = parseTime(value);
    if (ms === undefined || (type === 'microTime' && !isMicroTime(value))) {
      this.fatal ??= timeParseError(value, type);
      return undefined;
    }
    if (type === 'time') return formatTime(ms);
    // The clock counts milliseconds; finer digits are kept as they came.
    return value.endsWith('Z') ? value : formatMicroTime(ms);
  }

  /** JSONSchemaPropsOrBool, …OrArray, …OrStringArray of apiextensions: a schema, schemas, or something simple. */
  #schemaOrOther(value: unknown): unknown {
    const schema = schemaOf('apiextensions.v1.JSONSchemaProps');
    if (isObject(value)) return this.struct(value, schema);
    return Array.isArray(value) ? value.map((item) => (isObject(item) ? this.struct(item, schema) : plainJson(item))) : plainJson(value);
  }

  #wrong(value: unknown, goType: string, described = describe(value)): undefined {
    this.error ??= { value: described, goType, struct: '', path: '' };
    return undefined;
  }
}

function filledValue({ type }: FieldSchema): unknown {
  if (type.type !== 'struct') return zeroOf(type);
  const out: Record<string, unknown> = {};
  for (const field of schemaOf(type.definition).filled) out[field.name] = filledValue(field);
  return out;
}

/** What Go's zero value of a field looks like: a struct with its always written fields. */
export function zeroStruct(schema: ObjectSchema, field: string): unknown {
  const known = schema.fields.get(field);
  return known ? filledValue(known) : undefined;
}

/** Go names the innermost struct, and the path from the top without list indices and map keys. */
function extendError(error: TypeError, schema: ObjectSchema, name: string): void {
  if (error.path === '') Object.assign(error, { struct: schema.goType, path: name });
  else error.path = `${name}.${error.path}`;
}

function zeroItem(items: TypeSchema): unknown {
  if (items.type === 'struct') return filledValue({ type: items } as FieldSchema);
  return zeroOf(items) ?? (items.type === 'list' ? [] : items.type === 'map' ? {} : '');
}

/** A free-form value: numbers that were kept as text, as numbers; the rest as it is. */
export function plainJson(value: unknown): unknown {
  if (value instanceof JsonNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(plainJson);
  if (!isObject(value)) return value;
  const out: Record<string, unknown> = {};
  for (const key in value) if (value[key] !== undefined) out[key] = plainJson(value[key]);
  return out;
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number' || value instanceof JsonNumber) return 'number';
  return typeof value === 'boolean' ? 'bool' : typeof value === 'string' ? 'string' : 'object';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}
