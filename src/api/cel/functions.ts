import * as types from './cel-type.ts';
import { type CelType, listOf, mapOf, opaque, optionalOf, param, typeOf } from './cel-type.ts';
import { Duration, MapValue, OpaqueValue, OptionalValue, Timestamp, TypeValue, typeNameOf, UInt, type Value } from './values.ts';

/** One form of a function: what it takes, what it gives, and what it does. */
export interface Overload {
  readonly name: string;
  /** `string, string -> bool`, the receiver first. */
  readonly signature: string;
  /** Called as `a.f(b)`. */
  readonly member: boolean;
  readonly params: readonly CelType[];
  readonly result: CelType;
  readonly run: (args: readonly Value[]) => Value;
}

/** Functions by name, each with its forms. */
export type FunctionTable = ReadonlyMap<string, readonly Overload[]>;

const SIMPLE: Readonly<Record<string, CelType>> = {
  dyn: types.DYN,
  bool: types.BOOL,
  int: types.INT,
  uint: types.UINT,
  double: types.DOUBLE,
  string: types.STRING,
  bytes: types.BYTES,
  null: types.NULL,
  timestamp: types.TIMESTAMP,
  duration: types.DURATION,
};

/** Reads a type: `int`, `list<A>`, `map<K, V>`, `optional<A>`, `type<A>`, `A`, `kubernetes.Quantity`. */
function parseType(text: string): CelType {
  const generic = /^(list|map|optional|type)<(.*)>$/.exec(text);
  if (generic) {
    const [first = types.DYN, second = types.DYN] = splitTypes(generic[2] ?? '').map(parseType);
    switch (generic[1]) {
      case 'list':
        return listOf(first);
      case 'map':
        return mapOf(first, second);
      case 'optional':
        return optionalOf(first);
      default:
        return typeOf(first);
    }
  }
  return SIMPLE[text] ?? (/^[A-Z]$/.test(text) ? param(text) : opaque(text));
}

function splitTypes(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index <= text.length; index++) {
    const char = text[index];
    if (char === '<') depth++;
    if (char === '>') depth--;
    if (index < text.length && (char !== ',' || depth > 0)) continue;
    parts.push(text.slice(start, index).trim());
    start = index + 1;
  }
  return parts.filter(Boolean);
}

// biome-ignore lint/suspicious/noExplicitAny: the signature says what the arguments are; the evaluator calls with nothing else.
type Run = (...args: any[]) => Value;

function overload(name: string, signature: string, run: Run): Omit<Overload, 'member'> {
  const arrow = signature.indexOf('->');
  const params = splitTypes(signature.slice(0, arrow)).map(parseType);
  return { name, signature, params, result: parseType(signature.slice(arrow + 2).trim()), run: (args) => run(...args) };
}

/** A function of a receiver. @example member('size', 'string -> int', (text: string) => BigInt(text.length)) */
export const member = (name: string, signature: string, run: Run): Overload => ({ ...overload(name, signature, run), member: true });

/** A function without receiver; `sets.contains` is one whose name has two parts. */
export const global = (name: string, signature: string, run: Run): Overload => ({ ...overload(name, signature, run), member: false });

/** Callable in both ways. */
export const both = (name: string, signature: string, run: Run): Overload[] => [member(name, signature, run), global(name, signature, run)];

export function functionTable(overloads: readonly Overload[]): FunctionTable {
  const table = new Map<string, Overload[]>();
  for (const each of overloads) {
    const known = table.get(each.name);
    if (known) known.push(each);
    else table.set(each.name, [each]);
  }
  return table;
}

/** Whether a value may stand where a type is wanted; what lists and maps hold is not looked at. */
export function accepts(type: CelType, value: Value): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'param':
    case 'error':
      return true;
    case 'bool':
      return typeof value === 'boolean';
    case 'int':
      return typeof value === 'bigint';
    case 'uint':
      return value instanceof UInt;
    case 'double':
      return typeof value === 'number';
    case 'string':
      return typeof value === 'string';
    case 'bytes':
      return value instanceof Uint8Array;
    case 'null':
      return value === null;
    case 'timestamp':
      return value instanceof Timestamp;
    case 'duration':
      return value instanceof Duration;
    case 'list':
      return Array.isArray(value);
    case 'map':
    case 'object':
      return value instanceof MapValue;
    case 'type':
      return value instanceof TypeValue;
    default:
      if (type.name === 'optional_type') return value instanceof OptionalValue;
      return value instanceof OpaqueValue && typeNameOf(value) === type.name;
  }
}
