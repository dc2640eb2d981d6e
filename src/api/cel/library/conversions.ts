import { checkedInt, checkedUInt } from '../equality.ts';
import { both, global, type Overload } from '../functions.ts';
import { CelError, type MapValue, type UInt, type Value } from '../values.ts';

const failed = (from: string, to: string): CelError => new CelError(`type conversion error from '${from}' to '${to}'`);

function intOfText(text: string): bigint {
  if (!/^[+-]?\d+$/.test(text)) throw failed('string', 'int');
  const value = BigInt(text.replace(/^\+/, ''));
  if (value > 2n ** 63n - 1n || value < -(2n ** 63n)) throw failed('string', 'int');
  return value;
}

function uintOfText(text: string): UInt {
  if (!/^\d+$/.test(text)) throw failed('string', 'uint');
  return checkedUInt(BigInt(text));
}

function intOfDouble(value: number): bigint {
  if (!Number.isFinite(value) || value >= 2 ** 63 || value <= -(2 ** 63)) throw new CelError('integer overflow');
  return BigInt(Math.trunc(value));
}

function doubleOfText(text: string): number {
  if (!/^[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|inf(?:inity)?|nan)$/i.test(text)) throw failed('string', 'double');
  if (/inf/i.test(text)) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(text);
}

function boolOfText(text: string): boolean {
  if (['1', 't', 'true', 'TRUE', 'True', 'T'].includes(text)) return true;
  if (['0', 'f', 'false', 'FALSE', 'False', 'F'].includes(text)) return false;
  throw failed('string', 'bool');
}

/** A floating point number as Go prints it with `%g`. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const magnitude = Math.abs(value);
  if (value === 0 || (magnitude >= 1e-4 && magnitude < 1e21)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

function textOfBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

const same = (value: Value): Value => value;

/** From one type to another, and sizes. */
export const CONVERSIONS: readonly Overload[] = [
  ...both('size', 'string -> int', (text: string) => BigInt([...text].length)),
  ...both('size', 'bytes -> int', (bytes: Uint8Array) => BigInt(bytes.length)),
  ...both('size', 'list<A> -> int', (list: readonly Value[]) => BigInt(list.length)),
  ...both('size', 'map<A, B> -> int', (map: MapValue) => BigInt(map.size)),
  global('int', 'int -> int', same),
  global('int', 'uint -> int', ({ value }: UInt) => checkedInt(value)),
  global('int', 'double -> int', intOfDouble),
  global('int', 'string -> int', intOfText),
  global('uint', 'uint -> uint', same),
  global('uint', 'int -> uint', checkedUInt),
  global('uint', 'double -> uint', (value: number) => checkedUInt(intOfDouble(value))),
  global('uint', 'string -> uint', uintOfText),
  global('double', 'double -> double', same),
  global('double', 'int -> double', (value: bigint) => Number(value)),
  global('double', 'uint -> double', ({ value }: UInt) => Number(value)),
  global('double', 'string -> double', doubleOfText),
  global('bool', 'bool -> bool', same),
  global('bool', 'string -> bool', boolOfText),
  global('bytes', 'bytes -> bytes', same),
  global('bytes', 'string -> bytes', (text: string) => new TextEncoder().encode(text)),
  global('string', 'string -> string', same),
  global('string', 'bool -> string', String),
  global('string', 'int -> string', String),
  global('string', 'uint -> string', ({ value }: UInt) => String(value)),
  global('string', 'double -> string', formatDouble),
  global('string', 'bytes -> string', textOfBytes),
];
