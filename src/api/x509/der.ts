// Just enough of ASN.1's distinguished encoding rules (X.690) to read a certificate request and to write a certificate.

/** A value with its tag and its bytes; `whole` has the header too. */
export interface DerValue {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly whole: Uint8Array;
}

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** The values that stand one after another in these bytes; undefined when they are not well formed. */
export function readDer(bytes: Uint8Array): DerValue[] | undefined {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length; ) {
    const header = readHeader(bytes, at);
    if (!header || header.end > bytes.length) return undefined;
    values.push({ tag: bytes[at] ?? 0, content: bytes.subarray(header.start, header.end), whole: bytes.subarray(at, header.end) });
    at = header.end;
  }
  return values;
}

/** The parts of a constructed value; none when it is not well formed. */
export function partsOf(value: DerValue | undefined): DerValue[] {
  return (value && readDer(value.content)) ?? [];
}

function readHeader(bytes: Uint8Array, at: number): { start: number; end: number } | undefined {
  const first = bytes[at + 1];
  if (first === undefined) return undefined;
  if (first < 0x80) return { start: at + 2, end: at + 2 + first };
  const count = first & 0x7f;
  if (count === 0 || count > 4) return undefined;
  let length = 0;
  for (let index = 0; index < count; index++) length = length * 256 + (bytes[at + 2 + index] ?? 0);
  return { start: at + 2 + count, end: at + 2 + count + length };
}

/** A value of that tag around these bytes. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return concatenate([Uint8Array.of(tag, ...encodeLength(length)), ...parts]);
}

function encodeLength(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** An object identifier. @example derOid('2.5.4.3') */
export function derOid(text: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const septets = [arc % 128];
    for (let more = Math.floor(arc / 128); more > 0; more = Math.floor(more / 128)) septets.unshift((more % 128) | 0x80);
    bytes.push(...septets);
  }
  return der(TAG.oid, Uint8Array.from(bytes));
}

/** Whether the value is this object identifier. */
export function isOid(value: DerValue | undefined, text: string): boolean {
  const wanted = derOid(text);
  return value?.whole.length === wanted.length && wanted.every((byte, index) => byte === value.whole[index]);
}

/** UTCTime up to 2049, GeneralizedTime from then on: RFC 5280 4.1.2.5. */
export function derTime(wallTime: number): Uint8Array {
  const text = `${new Date(wallTime).toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
  const isShort = Number(text.slice(0, 4)) < 2050;
  return der(isShort ? TAG.utcTime : TAG.generalizedTime, new TextEncoder().encode(isShort ? text.slice(2) : text));
}

/** Wall time of a UTCTime or GeneralizedTime. */
export function timeOf({ tag, content }: DerValue): number {
  const text = new TextDecoder().decode(content);
  const century = Number(text.slice(0, 2)) < 50 ? '20' : '19';
  const full = tag === TAG.utcTime ? `${century}${text}` : text;
  const [year, month, day, hour, minute, second] = [full.slice(0, 4), ...(full.slice(4, 14).match(/../g) ?? [])].map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
}
