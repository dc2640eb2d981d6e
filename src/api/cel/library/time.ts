import { parseTime } from '../../time.ts';
import { checkedInt } from '../equality.ts';
import { global, member, type Overload } from '../functions.ts';
import { CelError, Duration, Timestamp } from '../values.ts';

const NANOS = { ns: 1n, us: 1_000n, µs: 1_000n, μs: 1_000n, ms: 1_000_000n, s: 1_000_000_000n, m: 60_000_000_000n, h: 3_600_000_000_000n };
const MIN_SECONDS = -62_135_596_800n;
const MAX_SECONDS = 253_402_300_799n;

/** Reads a duration as Go does: `1h30m`; undefined when it is none. */
export function parseDuration(text: string): Duration | undefined {
  const match = /^([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+|0)$/.exec(text);
  if (!match) return undefined;
  let total = 0n;
  for (const [, whole = '', fraction = '', unit = 's'] of (match[2] ?? '').matchAll(/(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/g)) {
    const scale = NANOS[unit as keyof typeof NANOS];
    total += BigInt(whole || '0') * scale;
    if (fraction) total += (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length);
  }
  return new Duration(match[1] === '-' ? -total : total);
}

/** Reads a moment in RFC 3339; undefined when it is none. */
export function parseTimestamp(text: string): Timestamp | undefined {
  if (!/^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/.test(text)) return undefined;
  const [, fraction = ''] = /\.(\d+)/.exec(text) ?? [];
  const ms = parseTime(text.toUpperCase().replace(/\.\d+/, ''));
  return ms === undefined ? undefined : new Timestamp(BigInt(ms) * 1_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0')));
}

export function formatDurationValue({ nanos }: Duration): string {
  const sign = nanos < 0n ? '-' : '';
  const absolute = nanos < 0n ? -nanos : nanos;
  const fraction = String(absolute % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${sign}${absolute / 1_000_000_000n}${fraction ? `.${fraction}` : ''}s`;
}

export function formatTimestampValue({ nanos }: Timestamp): string {
  const seconds = nanos >= 0n ? nanos / 1_000_000_000n : -((999_999_999n - nanos) / 1_000_000_000n);
  const rest = nanos - seconds * 1_000_000_000n;
  const fraction = rest === 0n ? '' : `.${String(rest).padStart(9, '0').replace(/0+$/, '')}`;
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}${fraction}Z`;
}

function checkedTimestamp(nanos: bigint): Timestamp {
  const seconds = nanos / 1_000_000_000n;
  if (seconds < MIN_SECONDS || seconds > MAX_SECONDS) throw new CelError('timestamp overflow');
  return new Timestamp(nanos);
}

const checkedDuration = (nanos: bigint): Duration => new Duration(checkedInt(nanos, 'duration overflow'));

/** A date in a zone: an offset such as `+02:00`, or a name that the platform knows. */
function inZone({ nanos }: Timestamp, zone: string): Date {
  const date = new Date(Number(nanos / 1_000_000n));
  const offset = /^([+-]?)(\d{1,2}):(\d{2})$/.exec(zone);
  if (offset) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3]);
    return new Date(date.getTime() + (offset[1] === '-' ? -1 : 1) * minutes * 60_000);
  }
  try {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      dateStyle: 'short',
      timeStyle: 'medium',
    }).formatToParts(date);
    const part = (type: string): number => Number(parts.find((each) => each.type === type)?.value ?? 0);
    const [year, month, day] = [part('year'), part('month'), part('day')];
    return new Date(
      Date.UTC(year < 100 ? 2000 + year : year, month - 1, day, part('hour'), part('minute'), part('second'), date.getUTCMilliseconds()),
    );
  } catch {
    throw new CelError(`unknown time zone ${zone}`);
  }
}

const dayOfYear = (date: Date): number => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000);

const PARTS: Readonly<Record<string, (date: Date) => number>> = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDayOfYear: dayOfYear,
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDate: (date) => date.getUTCDate(),
  getDayOfWeek: (date) => date.getUTCDay(),
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (date) => date.getUTCMilliseconds(),
};

function parsedTimestamp(text: string): Timestamp {
  const parsed = parseTimestamp(text);
  if (!parsed) throw new CelError("type conversion error from 'string' to 'google.protobuf.Timestamp'");
  return parsed;
}

function parsedDuration(text: string): Duration {
  const parsed = parseDuration(text);
  if (!parsed) throw new CelError("type conversion error from 'string' to 'google.protobuf.Duration'");
  return parsed;
}

/** Moments and spans of time. */
export const TIME: readonly Overload[] = [
  ...Object.entries(PARTS).flatMap(([name, read]) => [
    member(name, 'timestamp -> int', (at: Timestamp) => BigInt(read(inZone(at, '+00:00')))),
    member(name, 'timestamp, string -> int', (at: Timestamp, zone: string) => BigInt(read(inZone(at, zone)))),
  ]),
  member('getHours', 'duration -> int', ({ nanos }: Duration) => nanos / NANOS.h),
  member('getMinutes', 'duration -> int', ({ nanos }: Duration) => nanos / NANOS.m),
  member('getSeconds', 'duration -> int', ({ nanos }: Duration) => nanos / NANOS.s),
  member('getMilliseconds', 'duration -> int', ({ nanos }: Duration) => (nanos / NANOS.ms) % 1_000n),
  global('timestamp', 'timestamp -> timestamp', (at: Timestamp) => at),
  global('timestamp', 'string -> timestamp', parsedTimestamp),
  global('timestamp', 'int -> timestamp', (seconds: bigint) => checkedTimestamp(seconds * NANOS.s)),
  global('duration', 'duration -> duration', (span: Duration) => span),
  global('duration', 'string -> duration', parsedDuration),
  global('duration', 'int -> duration', (nanos: bigint) => checkedDuration(nanos)),
  global('int', 'timestamp -> int', ({ nanos }: Timestamp) => nanos / NANOS.s),
  global('int', 'duration -> int', ({ nanos }: Duration) => nanos),
  global('string', 'timestamp -> string', formatTimestampValue),
  global('string', 'duration -> string', formatDurationValue),
  global('_+_', 'timestamp, duration -> timestamp', (at: Timestamp, span: Duration) => checkedTimestamp(at.nanos + span.nanos)),
  global('_+_', 'duration, timestamp -> timestamp', (span: Duration, at: Timestamp) => checkedTimestamp(at.nanos + span.nanos)),
  global('_+_', 'duration, duration -> duration', (a: Duration, b: Duration) => checkedDuration(a.nanos + b.nanos)),
  global('_-_', 'timestamp, timestamp -> duration', (a: Timestamp, b: Timestamp) => checkedDuration(a.nanos - b.nanos)),
  global('_-_', 'timestamp, duration -> timestamp', (at: Timestamp, span: Duration) => checkedTimestamp(at.nanos - span.nanos)),
  global('_-_', 'duration, duration -> duration', (a: Duration, b: Duration) => checkedDuration(a.nanos - b.nanos)),
];
