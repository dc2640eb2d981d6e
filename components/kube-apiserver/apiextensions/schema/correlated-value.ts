import { deepEqual } from '../../../../src/api/deep-equal.ts';
import { isJsonObject, type JsonObject, type Schema } from './structural-schema.ts';

/** What a value was before an update, where new and old can be told to be the same thing. apiserver pkg/cel/common.CorrelatedObject */
export class CorrelatedValue {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  /** Whether the value is what it was. */
  unchanged(value: unknown): boolean {
    return deepEqual(value, this.value);
  }

  /** The same field of the old object. */
  field(name: string): CorrelatedValue | undefined {
    if (!isJsonObject(this.value) || !Object.hasOwn(this.value, name)) return undefined;
    return new CorrelatedValue(this.value[name]);
  }

  /** The old item with the same key; items of lists that are no maps have no identity. */
  item(schema: Schema, item: unknown): CorrelatedValue | undefined {
    if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(this.value) || !isJsonObject(item)) return undefined;
    const keys = schema['x-kubernetes-list-map-keys'] ?? [];
    const found = this.value.find((old) => isJsonObject(old) && sameKeys(old, item, keys));
    return found === undefined ? undefined : new CorrelatedValue(found);
  }
}

function sameKeys(a: JsonObject, b: JsonObject, keys: readonly string[]): boolean {
  return keys.every((key) => deepEqual(a[key], b[key]));
}
