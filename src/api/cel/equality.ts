import {
  CelError,
  Duration,
  MapValue,
  mapKeysOf,
  noSuchOverload,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  UInt,
  type Value,
} from './values.ts';

type Numeric = bigint | number | UInt;

const isNumeric = (value: Value): value is Numeric => typeof value === 'bigint' || typeof value === 'number' || value instanceof UInt;

const plain = (value: Numeric): bigint | number => (value instanceof UInt ? value.value : value);

/** Whether `a == b`. Values of different kinds are not equal; numbers are compared as numbers. */
export function equal(a: Value, b: Value): boolean {
  if (isNumeric(a)) return isNumeric(b) && compareNumbers(plain(a), plain(b)) === 0;
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b);
  if (a instanceof MapValue) return b instanceof MapValue && equalMaps(a, b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0;
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof OptionalValue) return b instanceof OptionalValue && equalOptionals(a, b);
  if (a instanceof OpaqueValue) return b instanceof OpaqueValue && a.typeName === b.typeName && a.equals(b);
  return a === b;
}

function equalOptionals({ value: a }: OptionalValue, { value: b }: OptionalValue): boolean {
  if (a === undefined || b === undefined) return a === b;
  return equal(a, b);
}

function equalLists(a: readonly Value[], b: readonly Value[]): boolean {
  if (a.length !== b.length) return false;
  if (mapKeysOf(a)) return a.every((item) => contains(b, item));
  return a.every((item, index) => equal(item, b[index] as Value));
}

function equalMaps(a: MapValue, b: MapValue): boolean {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) {
    const other = b.find(key);
    if (other === undefined || !equal(a.find(key) as Value, other)) return false;
  }
  return true;
}

/** Whether a list has an item. */
export function contains(list: readonly Value[], item: Value): boolean {
  return list.some((other) => equal(other, item));
}

/** -1, 0 or 1; undefined for what cannot be ordered (NaN). @throws CelError for values of kinds without order */
export function compare(a: Value, b: Value): number | undefined {
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(plain(a), plain(b));
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Timestamp && b instanceof Timestamp) return compareNumbers(a.nanos, b.nanos);
  if (a instanceof Duration && b instanceof Duration) return compareNumbers(a.nanos, b.nanos);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  throw noSuchOverload();
}

function compareNumbers(a: bigint | number, b: bigint | number): number | undefined {
  if (Number.isNaN(a) || Number.isNaN(b)) return undefined;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** By code points, as Go compares UTF-8. */
function compareStrings(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  for (let index = 0; index < left.length && index < right.length; index++) {
    const difference = (left[index]?.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(left.length - right.length);
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let index = 0; index < a.length && index < b.length; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(a.length - b.length);
}

const INT_MAX = 2n ** 63n - 1n;
const INT_MIN = -(2n ** 63n);

/** @throws CelError when a result does not fit into 64 bits */
export function checkedInt(value: bigint, what = 'integer overflow'): bigint {
  if (value > INT_MAX || value < INT_MIN) throw new CelError(what);
  return value;
}

/** The same for unsigned integers. */
export function checkedUInt(value: bigint): UInt {
  if (value < 0n || value > 2n ** 64n - 1n) throw new CelError('unsigned integer overflow');
  return new UInt(value);
}
