import { checkedInt, checkedUInt, compare, contains, equal } from '../equality.ts';
import { global, type Overload } from '../functions.ts';
import {
  associative,
  CelError,
  LiteralMap,
  MapValue,
  mapKeysOf,
  noSuchOverload,
  OptionalValue,
  TypeValue,
  typeNameOf,
  UInt,
  type Value,
} from '../values.ts';

const ORDERED = ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration'];
const NUMBERS = ['int', 'uint', 'double'];

/** Which pairs can be ordered: equal types, and numbers among each other. */
const PAIRS = [
  ...ORDERED.map((type) => `${type}, ${type}`),
  ...NUMBERS.flatMap((a) => NUMBERS.filter((b) => b !== a).map((b) => `${a}, ${b}`)),
];

function comparison(name: string, holds: (order: number) => boolean): Overload[] {
  return PAIRS.map((pair) =>
    global(name, `${pair} -> bool`, (a: Value, b: Value) => {
      const order = compare(a, b);
      return order !== undefined && holds(order);
    }),
  );
}

function divided(a: bigint, b: bigint, what: 'division' | 'modulus'): bigint {
  if (b === 0n) throw new CelError(what === 'division' ? 'division by zero' : 'modulus by zero');
  return what === 'division' ? a / b : a % b;
}

const ARITHMETIC: readonly Overload[] = [
  global('_+_', 'int, int -> int', (a: bigint, b: bigint) => checkedInt(a + b)),
  global('_-_', 'int, int -> int', (a: bigint, b: bigint) => checkedInt(a - b)),
  global('_*_', 'int, int -> int', (a: bigint, b: bigint) => checkedInt(a * b)),
  global('_/_', 'int, int -> int', (a: bigint, b: bigint) => checkedInt(divided(a, b, 'division'))),
  global('_%_', 'int, int -> int', (a: bigint, b: bigint) => divided(a, b, 'modulus')),
  global('-_', 'int -> int', (a: bigint) => checkedInt(-a)),
  global('_+_', 'uint, uint -> uint', (a: UInt, b: UInt) => checkedUInt(a.value + b.value)),
  global('_-_', 'uint, uint -> uint', (a: UInt, b: UInt) => checkedUInt(a.value - b.value)),
  global('_*_', 'uint, uint -> uint', (a: UInt, b: UInt) => checkedUInt(a.value * b.value)),
  global('_/_', 'uint, uint -> uint', (a: UInt, b: UInt) => new UInt(divided(a.value, b.value, 'division'))),
  global('_%_', 'uint, uint -> uint', (a: UInt, b: UInt) => new UInt(divided(a.value, b.value, 'modulus'))),
  global('_+_', 'double, double -> double', (a: number, b: number) => a + b),
  global('_-_', 'double, double -> double', (a: number, b: number) => a - b),
  global('_*_', 'double, double -> double', (a: number, b: number) => a * b),
  global('_/_', 'double, double -> double', (a: number, b: number) => a / b),
  global('-_', 'double -> double', (a: number) => -a),
];

function concatenated(a: readonly Value[], b: readonly Value[]): readonly Value[] {
  const keys = mapKeysOf(a);
  if (!keys) return [...a, ...b];
  if (keys.length === 0) return associative([...a, ...b.filter((item) => !contains(a, item))], keys);
  return associative(mergedByKeys(a, b, keys), keys);
}

function mergedByKeys(a: readonly Value[], b: readonly Value[], keys: readonly string[]): Value[] {
  const sameKeys = (x: Value, y: Value): boolean =>
    x instanceof MapValue && y instanceof MapValue && keys.every((key) => equal(x.find(key) ?? null, y.find(key) ?? null));
  const out = [...a];
  for (const item of b) {
    const index = out.findIndex((other) => sameKeys(other, item));
    if (index < 0) out.push(item);
    else out[index] = item;
  }
  return out;
}

function itemAt(list: readonly Value[], index: Value): Value | undefined {
  const position = index instanceof UInt ? index.value : typeof index === 'number' && Number.isInteger(index) ? BigInt(index) : index;
  if (typeof position !== 'bigint') throw noSuchOverload();
  return position >= 0n ? list[Number(position)] : undefined;
}

/** `a[b]` */
export function indexed(container: Value, index: Value): Value {
  if (container instanceof OptionalValue) return optionalIndexed(container, index);
  if (Array.isArray(container)) {
    const item = itemAt(container, index);
    if (item === undefined) throw new CelError(`index out of bounds: ${String(index instanceof UInt ? index.value : index)}`);
    return item;
  }
  if (!(container instanceof MapValue)) throw noSuchOverload();
  const value = container.find(index);
  if (value === undefined) throw new CelError(`no such key: ${keyText(index)}`);
  return value;
}

const keyText = (key: Value): string => (key instanceof UInt ? String(key.value) : String(key));

/** `a[?b]` and `a.?b` */
export function optionalIndexed(container: Value, index: Value): OptionalValue {
  const inner = container instanceof OptionalValue ? container.value : container;
  if (inner === undefined) return OptionalValue.NONE;
  const found = Array.isArray(inner) ? itemAt(inner, index) : inner instanceof MapValue ? inner.find(index) : undefined;
  return found === undefined ? OptionalValue.NONE : new OptionalValue(found);
}

function inserted(map: MapValue, key: Value, value: Value): MapValue {
  if (map.find(key) !== undefined) throw new CelError(`insert failed: key ${keyText(key)} already exists`);
  const entries = [...map.keys()].map((each): [Value, Value] => [each, map.find(each) as Value]);
  return new LiteralMap([...entries, [key, value]]);
}

/** What operators do. Logic is not here: it may leave operands out. */
export const OPERATORS: readonly Overload[] = [
  global('_==_', 'A, A -> bool', equal),
  global('_!=_', 'A, A -> bool', (a: Value, b: Value) => !equal(a, b)),
  ...comparison('_<_', (order) => order < 0),
  ...comparison('_<=_', (order) => order <= 0),
  ...comparison('_>_', (order) => order > 0),
  ...comparison('_>=_', (order) => order >= 0),
  ...ARITHMETIC,
  global('_+_', 'string, string -> string', (a: string, b: string) => a + b),
  global('_+_', 'bytes, bytes -> bytes', (a: Uint8Array, b: Uint8Array) => Uint8Array.from([...a, ...b])),
  global('_+_', 'list<A>, list<A> -> list<A>', concatenated),
  global('_[_]', 'list<A>, int -> A', indexed),
  global('_[_]', 'map<A, B>, A -> B', indexed),
  global('_[_]', 'optional<list<A>>, int -> optional<A>', indexed),
  global('_[_]', 'optional<map<A, B>>, A -> optional<B>', indexed),
  global('_[?_]', 'list<A>, int -> optional<A>', optionalIndexed),
  global('_[?_]', 'map<A, B>, A -> optional<B>', optionalIndexed),
  global('_[?_]', 'optional<list<A>>, int -> optional<A>', optionalIndexed),
  global('_[?_]', 'optional<map<A, B>>, A -> optional<B>', optionalIndexed),
  global('@in', 'A, list<A> -> bool', (item: Value, list: readonly Value[]) => contains(list, item)),
  global('@in', 'A, map<A, B> -> bool', (key: Value, map: MapValue) => map.has(key)),
  global('!_', 'bool -> bool', (value: boolean) => !value),
  global('_&&_', 'bool, bool -> bool', (a: boolean, b: boolean) => a && b),
  global('_||_', 'bool, bool -> bool', (a: boolean, b: boolean) => a || b),
  global('_?_:_', 'bool, A, A -> A', (condition: boolean, yes: Value, no: Value) => (condition ? yes : no)),
  global('@not_strictly_false', 'bool -> bool', (value: boolean) => value),
  global('dyn', 'A -> dyn', (value: Value) => value),
  global('type', 'A -> type<A>', (value: Value) => new TypeValue(typeNameOf(value))),
  global('cel.@mapInsert', 'map<A, B>, A, B -> map<A, B>', inserted),
  global('cel.@mapInsert', 'map<A, B>, map<A, B> -> map<A, B>', (map: MapValue, more: MapValue) =>
    [...more.keys()].reduce<MapValue>((all, key) => inserted(all, key, more.find(key) as Value), map),
  ),
];
