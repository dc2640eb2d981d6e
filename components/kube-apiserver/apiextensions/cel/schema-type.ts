import { base64ToBytes } from '../../../../src/api/base64.ts';
import { BOOL, type CelType, DOUBLE, INT, listOf, mapOf } from '../../../../src/api/cel/cel-type.ts';
import { JsonMap, jsonValue } from '../../../../src/api/cel/json-value.ts';
import { parseDuration, parseTimestamp } from '../../../../src/api/cel/library/time.ts';
import { associative, type Value } from '../../../../src/api/cel/values.ts';
import { additionalOf, isJsonObject, itemsOf, type JsonObject, type Schema } from '../schema/structural-schema.ts';

export const MAX_REQUEST_BYTES = 3 * 1024 * 1024;
const MAX_TEXT = MAX_REQUEST_BYTES - 2;

/** A type, with the fewest bytes that a value of it takes in a request. */
interface Sized {
  readonly type: CelType;
  readonly minBytes: number;
}

const META: Schema = { type: 'object', properties: { name: { type: 'string' }, generateName: { type: 'string' } } };

/** The schema with what every resource has. */
function withTypeAndMeta(schema: Schema): Schema {
  const properties = { ...schema.properties, apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: META };
  return { ...schema, properties };
}

const types = new WeakMap<Schema, Sized | undefined>();

/** What a schema is as a type; undefined: rules cannot see it. apiserver pkg/cel/common.SchemaDeclType */
export function sizedTypeOf(schema: Schema, isRoot = schema['x-kubernetes-embedded-resource'] === true): Sized | undefined {
  if (isRoot) return makeType(withTypeAndMeta(schema));
  if (!types.has(schema)) types.set(schema, makeType(schema));
  return types.get(schema);
}

function makeType(schema: Schema): Sized | undefined {
  if (schema['x-kubernetes-int-or-string']) return { type: { kind: 'dyn', maxElements: MAX_TEXT }, minBytes: 1 };
  switch (schema.type) {
    case 'array':
      return arrayType(schema);
    case 'object':
      return objectType(schema);
    case 'string':
      return stringType(schema);
    case 'boolean':
      return { type: BOOL, minBytes: 4 };
    case 'number':
      return { type: DOUBLE, minBytes: 1 };
    case 'integer':
      return { type: INT, minBytes: 1 };
    default:
      return undefined;
  }
}

function arrayType(schema: Schema): Sized | undefined {
  const items = itemsOf(schema);
  const element = items && sizedTypeOf(items);
  if (!element) return undefined;
  const most = schema.maxItems ?? Math.floor(MAX_TEXT / (element.minBytes + 1));
  return { type: listOf(element.type, Math.max(0, most)), minBytes: 2 };
}

/** Estimates of cost take keys of maps for empty: no schema says how long they may be. */
const KEY: CelType = { kind: 'string', maxElements: 0 };

let names = 0;

function objectType(schema: Schema): Sized | undefined {
  const additional = additionalOf(schema);
  if (typeof additional === 'object') {
    const value = sizedTypeOf(additional);
    if (!value) return undefined;
    // Quotes, colon, comma and a key of one character.
    const most = schema.maxProperties ?? Math.floor(MAX_TEXT / (value.minBytes + 6));
    return { type: mapOf(KEY, value.type, Math.max(0, most)), minBytes: 2 };
  }
  const fields = new Map<string, CelType>();
  let minBytes = 2;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const field = sizedTypeOf(property);
    if (!field) continue;
    fields.set(escapeName(name), field.type);
    if (schema.required?.includes(name) && property.default === undefined) minBytes += name.length + field.minBytes + 4;
  }
  return { type: { kind: 'object', name: `object${names++ || ''}`, field: (name) => fields.get(name) }, minBytes };
}

const FORMATS: Readonly<Record<string, Sized>> = {
  duration: { type: { kind: 'duration', maxElements: 32 }, minBytes: 4 },
  date: { type: { kind: 'timestamp', maxElements: 12 }, minBytes: 12 },
  'date-time': { type: { kind: 'timestamp', maxElements: 37 }, minBytes: 22 },
};

function stringType(schema: Schema): Sized {
  const { format = '', maxLength } = schema;
  const formatted = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (formatted) return formatted;
  const longest = schema.enum?.reduce<number>((most, value) => Math.max(most, String(value).length), 0);
  const maxElements = Math.max(0, maxLength ?? longest ?? MAX_TEXT);
  return { type: { kind: format === 'byte' ? 'bytes' : 'string', maxElements }, minBytes: 2 };
}

const KEYWORDS = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

/** The name of a field in an expression. apiserver pkg/cel.Escape */
export function escapeName(name: string): string {
  if (KEYWORDS.has(name)) return `__${name}__`;
  return name.replace(/__/g, '__underscores__').replace(/\./g, '__dot__').replace(/-/g, '__dash__').replace(/\//g, '__slash__');
}

/** A JSON value as rules see it. apiserver pkg/cel/common.UnstructuredToVal */
export function celValueOf(json: unknown, schema: Schema, isRoot = schema['x-kubernetes-embedded-resource'] === true): Value {
  if (json === null || json === undefined) return null;
  if (schema['x-kubernetes-int-or-string']) return jsonValue(json);
  if (Array.isArray(json)) return listValue(json, schema);
  if (isJsonObject(json)) return objectValue(json, isRoot ? withTypeAndMeta(schema) : schema);
  if (typeof json === 'number') return schema.type === 'number' ? json : Number.isInteger(json) ? BigInt(json) : json;
  return typeof json === 'string' ? textValue(json, schema) : (json as boolean);
}

function listValue(json: readonly unknown[], schema: Schema): Value {
  const items = itemsOf(schema);
  if (!items) return [];
  const list = json.map((item) => celValueOf(item, items));
  const listType = schema['x-kubernetes-list-type'];
  if (listType === 'set') return associative(list, []);
  return listType === 'map' ? associative(list, schema['x-kubernetes-list-map-keys'] ?? []) : list;
}

function objectValue(json: JsonObject, schema: Schema): Value {
  const additional = additionalOf(schema);
  if (typeof additional === 'object') return new JsonMap(json, (value) => celValueOf(value, additional));
  const properties = schema.properties ?? {};
  const known = Object.keys(json).filter((key) => {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    return property !== undefined && sizedTypeOf(property) !== undefined;
  });
  const byName = new Map(known.map((key) => [escapeName(key), properties[key] as Schema]));
  const visible = Object.fromEntries(known.map((key) => [escapeName(key), json[key]]));
  return new JsonMap(visible, (value, name) => celValueOf(value, byName.get(name) ?? {}));
}

function textValue(text: string, { format }: Schema): Value {
  switch (format) {
    case 'byte':
      return base64ToBytes(text);
    case 'duration':
      return parseDuration(text) ?? text;
    case 'date':
      return parseTimestamp(`${text}T00:00:00Z`) ?? text;
    case 'date-time':
      return parseTimestamp(text) ?? text;
    default:
      return text;
  }
}
