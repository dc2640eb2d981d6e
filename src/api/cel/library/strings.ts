import { RE2JS, RE2JSException } from 're2js';
import { both, global, member, type Overload } from '../functions.ts';
import { CelError, type Value } from '../values.ts';
import { formatWith } from './string-format.ts';

const chars = (text: string): string[] => [...text];

function compiled(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSException) throw new CelError(error.message);
    throw error;
  }
}

function inRange(index: bigint, length: number): number {
  if (index < 0n || index > BigInt(length)) throw new CelError(`index out of range: ${index}`);
  return Number(index);
}

function indexOf(text: string, part: string, from = 0n): bigint {
  const all = chars(text);
  if (part === '') return from;
  const start = inRange(from, all.length);
  const found = all.slice(start).join('').indexOf(part);
  return found < 0 ? -1n : BigInt(start + chars(all.slice(start).join('').slice(0, found)).length);
}

function lastIndexOf(text: string, part: string, from?: bigint): bigint {
  const all = chars(text);
  if (part === '') return from ?? BigInt(all.length);
  const end = from === undefined ? all.length : inRange(from, all.length) + chars(part).length;
  const found = all.slice(0, end).join('').lastIndexOf(part);
  return found < 0 ? -1n : BigInt(chars(text.slice(0, found)).length);
}

function substring(text: string, start: bigint, end?: bigint): string {
  const all = chars(text);
  const from = inRange(start, all.length);
  const to = end === undefined ? all.length : inRange(end, all.length);
  if (from > to) throw new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  return all.slice(from, to).join('');
}

function replace(text: string, parts: readonly [string, string], limit = -1n): string {
  const [from, to] = parts;
  if (limit < 0n) return text.replaceAll(from, () => to);
  let out = text;
  let pos = 0;
  for (let count = 0n; count < limit; count++) {
    const found = out.indexOf(from, pos);
    if (found < 0) break;
    out = out.slice(0, found) + to + out.slice(found + from.length);
    pos = found + to.length + (from === '' ? 1 : 0);
  }
  return out;
}

function split(text: string, separator: string, limit = -1n): string[] {
  if (limit === 0n) return [];
  const parts = separator === '' ? chars(text) : text.split(separator);
  const count = Number(limit);
  return limit < 0n || parts.length <= count ? parts : [...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)];
}

const ascii = (text: string, change: (part: string) => string): string => text.replace(/[a-zA-Z]+/g, change);

function findAll(text: string, pattern: string, limit = -1n): string[] {
  const matcher = compiled(pattern).matcher(text);
  const found: string[] = [];
  while ((limit < 0n || BigInt(found.length) < limit) && matcher.find()) found.push(matcher.group() ?? '');
  return found;
}

const QUOTED: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** Texts and regular expressions. cel-go ext.Strings version 2, apiserver pkg/cel/library Regex */
export const STRINGS: readonly Overload[] = [
  member('contains', 'string, string -> bool', (text: string, part: string) => text.includes(part)),
  member('startsWith', 'string, string -> bool', (text: string, part: string) => text.startsWith(part)),
  member('endsWith', 'string, string -> bool', (text: string, part: string) => text.endsWith(part)),
  ...both('matches', 'string, string -> bool', (text: string, pattern: string) => compiled(pattern).matcher(text).find()),
  member('charAt', 'string, int -> string', (text: string, index: bigint) => chars(text)[inRange(index, chars(text).length)] ?? ''),
  member('indexOf', 'string, string -> int', (text: string, part: string) => indexOf(text, part)),
  member('indexOf', 'string, string, int -> int', indexOf),
  member('lastIndexOf', 'string, string -> int', (text: string, part: string) => lastIndexOf(text, part)),
  member('lastIndexOf', 'string, string, int -> int', lastIndexOf),
  member('lowerAscii', 'string -> string', (text: string) => ascii(text, (part) => part.toLowerCase())),
  member('upperAscii', 'string -> string', (text: string) => ascii(text, (part) => part.toUpperCase())),
  member('replace', 'string, string, string -> string', (text: string, from: string, to: string) => replace(text, [from, to])),
  member('replace', 'string, string, string, int -> string', (text: string, from: string, ...[to, limit]: [string, bigint]) =>
    replace(text, [from, to], limit),
  ),
  member('split', 'string, string -> list<string>', (text: string, separator: string) => split(text, separator)),
  member('split', 'string, string, int -> list<string>', split),
  member('substring', 'string, int -> string', (text: string, start: bigint) => substring(text, start)),
  member('substring', 'string, int, int -> string', substring),
  member('trim', 'string -> string', (text: string) => text.trim()),
  member('join', 'list<string> -> string', (list: readonly string[]) => list.join('')),
  member('join', 'list<string>, string -> string', (list: readonly string[], separator: string) => list.join(separator)),
  member('format', 'string, list<dyn> -> string', (text: string, args: readonly Value[]) => formatWith(text, args)),
  global('strings.quote', 'string -> string', (text: string) => `"${text.replace(/[\p{Cc}\\"]/gu, (char) => QUOTED[char] ?? char)}"`),
  member('find', 'string, string -> string', (text: string, pattern: string) => findAll(text, pattern, 1n)[0] ?? ''),
  member('findAll', 'string, string -> list<string>', (text: string, pattern: string) => findAll(text, pattern)),
  member('findAll', 'string, string, int -> list<string>', findAll),
];
