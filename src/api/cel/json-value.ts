import { MapValue, type Value } from './values.ts';

/** A JSON value as it is, without a schema: whole numbers are int, others double. */
export function jsonValue(json: unknown): Value {
  if (json === null || json === undefined) return null;
  if (typeof json === 'number') return Number.isInteger(json) ? BigInt(json) : json;
  if (Array.isArray(json)) return json.map(jsonValue);
  if (typeof json === 'object') return new JsonMap(json as Readonly<Record<string, unknown>>);
  return json as string | boolean;
}

/** A JSON object whose values are made when asked for. */
export class JsonMap extends MapValue {
  readonly #object: Readonly<Record<string, unknown>>;
  readonly #convert: (value: unknown, key: string) => Value | undefined;

  /** @param convert makes the value of a key; undefined: the key is not to be seen */
  constructor(object: Readonly<Record<string, unknown>>, convert: (value: unknown, key: string) => Value | undefined = jsonValue) {
    super();
    this.#object = object;
    this.#convert = convert;
  }

  get size(): number {
    return [...this.keys()].length;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== 'string' || !Object.hasOwn(this.#object, key)) return undefined;
    const value = this.#object[key];
    return value === undefined ? undefined : this.#convert(value, key);
  }

  *keys(): Iterable<Value> {
    for (const key of Object.keys(this.#object)) if (this.find(key) !== undefined) yield key;
  }
}
