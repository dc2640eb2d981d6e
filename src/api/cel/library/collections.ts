import { compare, contains, equal } from '../equality.ts';
import { global, member, type Overload } from '../functions.ts';
import { CelError, Duration, noSuchOverload, OptionalValue, UInt, type Value } from '../values.ts';

const COMPARABLE = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];
const SUMMABLE = ['int', 'uint', 'double', 'duration'];

type List = readonly Value[];

const isSorted = (list: List): boolean => list.every((item, index) => index === 0 || (compare(list[index - 1] as Value, item) ?? 1) <= 0);

function extreme(list: List, name: 'min' | 'max'): Value {
  const [first, ...rest] = list;
  if (first === undefined) throw new CelError(`${name} called on empty list`);
  const sign = name === 'min' ? 1 : -1;
  return rest.reduce<Value>((best, item) => ((compare(item, best) ?? 0) * sign < 0 ? item : best), first);
}

const ZERO: Readonly<Record<string, Value>> = { int: 0n, uint: new UInt(0n), double: 0, duration: new Duration(0n) };

function sum(list: List, type: string): Value {
  return list.reduce<Value>((total, item) => added(total, item), ZERO[type] ?? 0n);
}

function added(a: Value, b: Value): Value {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a + b;
  if (a instanceof UInt && b instanceof UInt) return new UInt(a.value + b.value);
  if (a instanceof Duration && b instanceof Duration) return new Duration(a.nanos + b.nanos);
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  // A list without type began with the zero of the first form.
  if (a === 0n) return b;
  throw noSuchOverload();
}

const position = (index: number): bigint => BigInt(index);

/** Lists and sets. apiserver pkg/cel/library Lists, cel-go ext.Sets; ext.Lists is not for new expressions before 1.35. */
export const COLLECTIONS: readonly Overload[] = [
  ...COMPARABLE.flatMap((type) => [
    member('isSorted', `list<${type}> -> bool`, isSorted),
    member('min', `list<${type}> -> ${type}`, (list: List) => extreme(list, 'min')),
    member('max', `list<${type}> -> ${type}`, (list: List) => extreme(list, 'max')),
  ]),
  ...SUMMABLE.map((type) => member('sum', `list<${type}> -> ${type}`, (list: List) => sum(list, type))),
  member('indexOf', 'list<A>, A -> int', (list: List, item: Value) => position(list.findIndex((other) => equal(other, item)))),
  member('lastIndexOf', 'list<A>, A -> int', (list: List, item: Value) => position(list.findLastIndex((other) => equal(other, item)))),
  global('sets.contains', 'list<A>, list<A> -> bool', (all: List, some: List) => some.every((item) => contains(all, item))),
  global(
    'sets.equivalent',
    'list<A>, list<A> -> bool',
    (a: List, b: List) => a.every((item) => contains(b, item)) && b.every((item) => contains(a, item)),
  ),
  global('sets.intersects', 'list<A>, list<A> -> bool', (a: List, b: List) => a.some((item) => contains(b, item))),
];

function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') return true;
  return Array.isArray(value) && value.length === 0;
}

function unwrapped({ value }: OptionalValue): Value {
  if (value === undefined) throw new CelError('optional.none() dereference');
  return value;
}

/** Values that may be missing. cel-go cel.OptionalTypes */
export const OPTIONALS: readonly Overload[] = [
  global('optional.of', 'A -> optional<A>', (value: Value) => new OptionalValue(value)),
  global('optional.ofNonZeroValue', 'A -> optional<A>', (value: Value) => (isZero(value) ? OptionalValue.NONE : new OptionalValue(value))),
  global('optional.none', '-> optional<A>', () => OptionalValue.NONE),
  member('value', 'optional<A> -> A', unwrapped),
  member('hasValue', 'optional<A> -> bool', ({ value }: OptionalValue) => value !== undefined),
  member('or', 'optional<A>, optional<A> -> optional<A>', (a: OptionalValue, b: OptionalValue) => (a.value === undefined ? b : a)),
  member('orValue', 'optional<A>, A -> A', ({ value }: OptionalValue, other: Value) => value ?? other),
];
