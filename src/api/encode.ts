// What Go writes and a lean object does not hold: null for times and lists that have no value but are always written.
import type { KubernetesObject } from './object.ts';
import { type FieldSchema, type ObjectSchema, schemaOf, schemaOfKind, type TypeSchema, zeroOf } from './schema.ts';

const encoded = new WeakMap<object, object>();

/**
 * The wire form of a stored object: `lastProbeTime: null`, `rules: null` and their like added. Objects of kinds without a schema come back as
 * they are. Results are remembered for frozen objects.
 */
export function encodeObject<T extends KubernetesObject>(object: T): T {
  const known = encoded.get(object);
  if (known) return known as T;
  const schema = schemaOfKind(object.apiVersion ?? '', object.kind ?? '');
  if (!schema) return object;
  const out = encodeStruct(object as unknown as Record<string, unknown>, schema) as unknown as T;
  if (Object.isFrozen(object)) encoded.set(object, out);
  return out;
}

const alwaysWritten = new WeakMap<ObjectSchema, readonly (readonly [name: string, value: unknown])[]>();
const interesting = new WeakMap<ObjectSchema, readonly FieldSchema[]>();

/** Fields that are written even when absent, and what is written then. */
export function writtenFields(schema: ObjectSchema): readonly (readonly [name: string, value: unknown])[] {
  let found = alwaysWritten.get(schema);
  if (!found) {
    const isWritten = ({ presence }: FieldSchema): boolean => presence === 'null' || presence === 'written';
    found = [...schema.fields.values()]
      .filter(isWritten)
      .map(({ name, presence, type }) => [name, presence === 'null' ? null : (zeroOf(type) ?? null)] as const);
    alwaysWritten.set(schema, found);
  }
  return found;
}

/** Fields that hold structs. */
function structFields(schema: ObjectSchema): readonly FieldSchema[] {
  let fields = interesting.get(schema);
  if (!fields) {
    fields = [...schema.fields.values()].filter(({ type }) => holdsStruct(type));
    interesting.set(schema, fields);
  }
  return fields;
}

function holdsStruct(type: TypeSchema): boolean {
  return type.type === 'struct' || ((type.type === 'list' || type.type === 'map') && holdsStruct(type.items));
}

function encodeStruct(value: Record<string, unknown>, schema: ObjectSchema): Record<string, unknown> {
  let out = value;
  for (const { name, type } of structFields(schema)) {
    const before = value[name];
    if (before === undefined || before === null) continue;
    const after = encodeType(before, type);
    if (after === before) continue;
    if (out === value) out = { ...value };
    out[name] = after;
  }
  for (const [name, zero] of writtenFields(schema)) {
    if (name in out) continue;
    if (out === value) out = { ...value };
    out[name] = zero;
  }
  return out;
}

function encodeType(value: unknown, type: TypeSchema): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (type.type === 'struct') return encodeStruct(value as Record<string, unknown>, schemaOf(type.definition));
  if (type.type === 'list' && Array.isArray(value)) {
    const items = value.map((item) => encodeType(item, type.items));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (type.type !== 'map') return value;
  const record = value as Record<string, unknown>;
  const out: Record<string, unknown> = {};
  for (const key in record) out[key] = encodeType(record[key], type.items);
  return out;
}
