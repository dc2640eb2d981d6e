import { CelError, Duration, MapValue, Timestamp, TypeValue, UInt, type Value } from '../values.ts';
import { formatDouble } from './conversions.ts';
import { formatDurationValue, formatTimestampValue } from './time.ts';

/** `%s`, `%d`, `%f`, `%e`, `%b`, `%o`, `%x`, `%X`, `%%`. cel-go ext/formatting.go */
export function formatWith(text: string, args: readonly Value[]): string {
  let next = 0;
  return text.replace(/%(?:\.(\d+))?([\s\S]?)/g, (_, precision: string | undefined, verb: string) => {
    if (verb === '%') return '%';
    if (next >= args.length) throw new CelError(`index ${next} out of range`);
    const arg = args[next++] as Value;
    return clause(verb, arg, precision === undefined ? 6 : Number(precision));
  });
}

function clause(verb: string, arg: Value, precision: number): string {
  switch (verb) {
    case 's':
      return printed(arg);
    case 'd':
      if (typeof arg === 'bigint' || arg instanceof UInt || typeof arg === 'number') return printed(arg);
      break;
    case 'f':
      if (isNumber(arg)) return Number(plain(arg)).toFixed(precision);
      break;
    case 'e':
      if (isNumber(arg))
        return Number(plain(arg))
          .toExponential(precision)
          .replace(/e([+-])(\d)$/, 'e$10$2');
      break;
    case 'b':
      if (typeof arg === 'boolean') return arg ? '1' : '0';
      if (typeof arg === 'bigint' || arg instanceof UInt) return plain(arg).toString(2);
      break;
    case 'o':
      if (typeof arg === 'bigint' || arg instanceof UInt) return plain(arg).toString(8);
      break;
    case 'x':
    case 'X':
      return hex(arg, verb === 'X');
    default:
      throw new CelError(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
  }
  throw new CelError(`error during formatting: ${verb} clause cannot be used on this type`);
}

const isNumber = (value: Value): value is bigint | number | UInt =>
  typeof value === 'bigint' || typeof value === 'number' || value instanceof UInt;

const plain = (value: bigint | number | UInt): bigint | number => (value instanceof UInt ? value.value : value);

function hex(value: Value, upper: boolean): string {
  const text =
    typeof value === 'bigint' || value instanceof UInt
      ? plain(value).toString(16)
      : typeof value === 'string' || value instanceof Uint8Array
        ? [...(typeof value === 'string' ? new TextEncoder().encode(value) : value)]
            .map((byte) => byte.toString(16).padStart(2, '0'))
            .join('')
        : undefined;
  if (text === undefined) throw new CelError('error during formatting: only integers, byte buffers, and strings can be formatted as hex');
  return upper ? text.toUpperCase() : text;
}

function printed(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return formatDouble(value);
  if (value instanceof UInt) return String(value.value);
  if (value instanceof Timestamp) return formatTimestampValue(value);
  if (value instanceof Duration) return formatDurationValue(value);
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (value instanceof TypeValue) return value.name;
  if (Array.isArray(value)) return `[${value.map(printed).join(', ')}]`;
  if (value instanceof MapValue) {
    const entries = [...value.keys()].map((key) => `${printed(key)}: ${printed(value.find(key) as Value)}`);
    return `{${entries.sort().join(', ')}}`;
  }
  return String(value);
}
