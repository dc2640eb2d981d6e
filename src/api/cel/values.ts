/** An unsigned integer. */
export class UInt {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** A moment: nanoseconds since 1970. */
export class Timestamp {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A span of time in nanoseconds. */
export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A type as a value: what `type(x)` gives. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A value that may be missing. */
export class OptionalValue {
  static readonly NONE = new OptionalValue(undefined);
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    this.value = value;
  }
}

/** A value of a type that a library brings, e.g. a quantity or an IP address. */
export abstract class OpaqueValue {
  abstract readonly typeName: string;

  /** Whether `==` holds; both are of the same type. */
  abstract equals(other: OpaqueValue): boolean;
}

/** A map, or an object with fields. */
export abstract class MapValue {
  abstract readonly size: number;

  /** undefined: no such key. */
  abstract find(key: Value): Value | undefined;

  abstract keys(): Iterable<Value>;

  /** `key in map`: may differ from `find` where missing keys have a value all the same. */
  has(key: Value): boolean {
    return this.find(key) !== undefined;
  }
}

/** A map written in an expression. */
export class LiteralMap extends MapValue {
  readonly #entries = new Map<unknown, readonly [Value, Value]>();

  constructor(entries: Iterable<readonly [Value, Value]> = []) {
    super();
    for (const entry of entries) this.#entries.set(keyOf(entry[0]), entry);
  }

  get size(): number {
    return this.#entries.size;
  }

  find(key: Value): Value | undefined {
    return this.#entries.get(keyOf(key))?.[1];
  }

  *keys(): Iterable<Value> {
    for (const [key] of this.#entries.values()) yield key;
  }
}

/** Keys that are equal as numbers are one key. */
function keyOf(key: Value): unknown {
  if (key instanceof UInt) return key.value;
  return typeof key === 'number' && Number.isInteger(key) ? BigInt(key) : key;
}

/** The fields that tell the items of a list apart, whose order does not matter; none for a set. */
const ASSOCIATIVE = new WeakMap<readonly Value[], readonly string[]>();

/** Marks a list as a set, or as a map by these fields. */
export function associative(list: readonly Value[], mapKeys: readonly string[]): readonly Value[] {
  ASSOCIATIVE.set(list, mapKeys);
  return list;
}

/** The keys of a list whose order does not matter; undefined for others. */
export function mapKeysOf(list: readonly Value[]): readonly string[] | undefined {
  return ASSOCIATIVE.get(list);
}

/** A value of the Common Expression Language: int is bigint, double is number. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | UInt
  | Timestamp
  | Duration
  | TypeValue
  | OptionalValue
  | OpaqueValue
  | MapValue
  | readonly Value[];

/** An evaluation that failed: the message is what a user sees. */
export class CelError extends Error {
  override name = 'CelError';
}

export const noSuchOverload = (): CelError => new CelError('no such overload');

/** The name of a value's type, as `type(x)` prints it. */
export function typeNameOf(value: Value): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    default:
      return objectTypeName(value);
  }
}

function objectTypeName(value: Exclude<Value, boolean | bigint | number | string>): string {
  if (value === null) return 'null_type';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof UInt) return 'uint';
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof TypeValue) return 'type';
  if (value instanceof OptionalValue) return 'optional_type';
  if (value instanceof OpaqueValue) return value.typeName;
  return 'map';
}
