import type { JSONSchemaProps } from '../../../../src/api/kinds/apiextensions-v1.ts';

/** A schema of a custom resource. apiextensions-apiserver pkg/apiserver/schema.Structural */
export type Schema = JSONSchemaProps;

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The schema of list items. */
export function itemsOf(schema: Schema): Schema | undefined {
  return isJsonObject(schema.items) ? (schema.items as Schema) : undefined;
}

/** The schema of map values; true when any value will do. */
export function additionalOf(schema: Schema): Schema | boolean | undefined {
  const { additionalProperties } = schema;
  return isJsonObject(additionalProperties) ? (additionalProperties as Schema) : (additionalProperties as boolean | undefined);
}

/** The schema of one field, whether it has a name of its own or is a key of a map. */
export function fieldOf(schema: Schema, name: string): Schema | undefined {
  const own = schema.properties;
  if (own && Object.hasOwn(own, name)) return own[name];
  const additional = additionalOf(schema);
  return typeof additional === 'object' ? additional : undefined;
}

/** Applies `change` to each child that is an object or list; the same value when nothing changes. */
export function mapChildren(value: unknown, schema: Schema, change: (child: unknown, schema: Schema, segment: string) => unknown): unknown {
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    if (!items) return value;
    let out: unknown[] | undefined;
    for (const [index, item] of value.entries()) {
      const changed = change(item, items, `[${index}]`);
      if (changed === item) continue;
      out ??= [...value];
      out[index] = changed;
    }
    return out ?? value;
  }
  if (!isJsonObject(value)) return value;
  let out: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const field = fieldOf(schema, key);
    if (!field) continue;
    const changed = change(value[key], field, `.${key}`);
    if (changed === value[key]) continue;
    out ??= { ...value };
    out[key] = changed;
  }
  return out ?? value;
}
