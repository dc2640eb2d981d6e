import { deepEqual } from '../../../../src/api/deep-equal.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { duplicate } from '../../../../src/api/validation/field.ts';
import { fieldOf, isJsonObject, itemsOf, type JsonObject, type Schema } from './structural-schema.ts';

/** Duplicates in lists that are sets or maps. apiextensions-apiserver pkg/apiserver/schema/listtype.ValidateListSetsAndMaps */
export function validateListSetsAndMaps(value: unknown, schema: Schema, path = ''): FieldError[] {
  const errors: FieldError[] = [];
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    const type = schema['x-kubernetes-list-type'];
    if (type === 'set') errors.push(...duplicates(value, value, path));
    if (type === 'map') {
      const keys = value.map((item) => keysOf(item, schema));
      errors.push(...duplicates(keys, keys, path));
    }
    if (items) for (const [index, item] of value.entries()) errors.push(...validateListSetsAndMaps(item, items, `${path}[${index}]`));
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const field = fieldOf(schema, key);
      if (field) errors.push(...validateListSetsAndMaps(item, field, path ? `${path}.${key}` : key));
    }
  }
  return errors;
}

function keysOf(item: unknown, schema: Schema): JsonObject {
  const object = isJsonObject(item) ? item : {};
  const keys = [...(schema['x-kubernetes-list-map-keys'] ?? [])].sort();
  return Object.fromEntries(keys.filter((key) => object[key] !== undefined).map((key) => [key, object[key]]));
}

function duplicates(list: readonly unknown[], shown: readonly unknown[], path: string): FieldError[] {
  return list.flatMap((item, index) => {
    const before = list.slice(0, index).some((other) => deepEqual(other, item));
    return before ? [duplicate(`${path}[${index}]`, shown[index])] : [];
  });
}
