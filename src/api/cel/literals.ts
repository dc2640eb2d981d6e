import { UInt, type Value } from './values.ts';

/** A literal that cannot be read. */
export class LiteralError extends Error {
  override name = 'LiteralError';
}

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  '?': '?',
};

/** @throws LiteralError */
export function parseInteger(text: string, negative: boolean): bigint {
  const value = negative ? -BigInt(text) : BigInt(text);
  if (value > 2n ** 63n - 1n || value < -(2n ** 63n)) throw new LiteralError('invalid int literal');
  return value;
}

/** @throws LiteralError */
export function parseUnsigned(text: string): UInt {
  const value = BigInt(text.slice(0, -1));
  if (value > 2n ** 64n - 1n) throw new LiteralError('invalid uint literal');
  return new UInt(value);
}

/** The text between the quotes, escapes resolved. @throws LiteralError */
export function parseText(token: string): string {
  const { body, raw } = unquote(token);
  if (raw) return body;
  return body.replace(ESCAPE, (whole, sequence: string) => {
    const simple = SIMPLE_ESCAPES[sequence];
    if (simple !== undefined) return simple;
    const code = codeOf(sequence);
    if (code === undefined || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw new LiteralError('invalid unicode code point');
    return whole && String.fromCodePoint(code);
  });
}

/** The same for bytes: `\xNN` and `\NNN` are single bytes. @throws LiteralError */
export function parseBytes(token: string): Value {
  const { body, raw } = unquote(token);
  const out: number[] = [];
  const encoder = new TextEncoder();
  let pos = 0;
  for (const match of raw ? [] : body.matchAll(ESCAPE)) {
    out.push(...encoder.encode(body.slice(pos, match.index)));
    const sequence = match[1] ?? '';
    const simple = SIMPLE_ESCAPES[sequence];
    const code = codeOf(sequence);
    if (simple !== undefined) out.push(simple.charCodeAt(0));
    else if (code === undefined || code > 255) throw new LiteralError('invalid byte literal');
    else out.push(code);
    pos = match.index + match[0].length;
  }
  out.push(...encoder.encode(body.slice(pos)));
  return Uint8Array.from(out);
}

const ESCAPE = /\\(x[0-9a-fA-F]{2}|X[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2}|[\s\S])/g;

function codeOf(sequence: string): number | undefined {
  if (/^[xXuU][0-9a-fA-F]+$/.test(sequence)) return Number.parseInt(sequence.slice(1), 16);
  return /^[0-3][0-7]{2}$/.test(sequence) ? Number.parseInt(sequence, 8) : undefined;
}

function unquote(token: string): { readonly body: string; readonly raw: boolean } {
  const [prefix = ''] = /^[a-zA-Z]*/.exec(token) ?? [];
  const quoted = token.slice(prefix.length);
  const width = quoted.length >= 6 && (quoted.startsWith('"""') || quoted.startsWith("'''")) ? 3 : 1;
  return { body: quoted.slice(width, -width), raw: /r/i.test(prefix) };
}
