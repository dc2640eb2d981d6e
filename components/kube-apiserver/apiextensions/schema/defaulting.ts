import { fieldOf, isJsonObject, mapChildren, type Schema } from './structural-schema.ts';

const isForbiddenNull = (value: unknown, schema: Schema): boolean => value === null && schema.nullable !== true;

/** Fills in what is missing, outside in. apiextensions-apiserver pkg/apiserver/schema/defaulting.Default */
export function applyDefaults(value: unknown, schema: Schema): unknown {
  let out = value;
  if (isJsonObject(value)) {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      if (field.default === undefined || field.default === null) continue;
      const present = Object.hasOwn(value, name) && value[name] !== undefined;
      if (present && !isForbiddenNull(value[name], field)) continue;
      out = { ...(out as object), [name]: field.default };
    }
  }
  return mapChildren(out, schema, (child, inner) => applyDefaults(child, inner));
}

/** Leaves out nulls where none may be. apiextensions-apiserver pkg/apiserver/schema/defaulting.PruneNonNullableNullsWithoutDefaults */
export function withoutForbiddenNulls(value: unknown, schema: Schema): unknown {
  const out = mapChildren(value, schema, (child, inner) => withoutForbiddenNulls(child, inner));
  if (!isJsonObject(out)) return out;
  const gone = Object.keys(out).filter((key) => {
    const field = fieldOf(schema, key);
    return field !== undefined && isForbiddenNull(out[key], field);
  });
  return gone.length > 0 ? Object.fromEntries(Object.entries(out).filter(([key]) => !gone.includes(key))) : out;
}

/** Whether anything is filled in for this schema. */
export function hasDefaults(schema: Schema): boolean {
  if (schema.default !== undefined && schema.default !== null) return true;
  const { properties, items, additionalProperties } = schema;
  const inner = [...Object.values(properties ?? {}), items, additionalProperties];
  return inner.some((child) => isJsonObject(child) && hasDefaults(child as Schema));
}
