// Cron expressions as robfig/cron reads them (the parser of the CronJob API): five fields, descriptors, `@every`.
import { parseDuration } from './time.ts';

/** When a CronJob is due: a set of minutes, hours, days, months and weekdays; or every so many milliseconds. */
export type CronSchedule =
  | {
      readonly kind: 'fields';
      readonly minute: ReadonlySet<number>;
      readonly hour: ReadonlySet<number>;
      readonly dom: ReadonlySet<number>;
      readonly month: ReadonlySet<number>;
      readonly dow: ReadonlySet<number>;
      readonly domStar: boolean;
      readonly dowStar: boolean;
    }
  | { readonly kind: 'every'; readonly ms: number };

/** What is wrong with a cron expression, in the words of robfig/cron. */
export class CronSyntaxError extends Error {
  override name = 'CronSyntaxError';
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: Readonly<Record<string, number>>;
}

const MONTHS = Object.fromEntries('jan feb mar apr may jun jul aug sep oct nov dec'.split(' ').map((name, index) => [name, index + 1]));
const DAYS = Object.fromEntries('sun mon tue wed thu fri sat'.split(' ').map((name, index) => [name, index]));
const FIELDS: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];

const DESCRIPTORS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** Reads a schedule. @throws CronSyntaxError @example parseCron('0 3 * * mon-fri') */
export function parseCron(text: string): CronSchedule {
  if (text === '') throw new CronSyntaxError('empty spec string');
  const rest = text.replace(/^(?:CRON_)?TZ=\S+\s*/, '').trim();
  if (rest.startsWith('@')) return parseDescriptor(rest);
  const parts = rest.split(/\s+/).filter(Boolean);
  if (parts.length !== 5) throw new CronSyntaxError(`expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`);
  const [minute, hour, dom, month, dow] = FIELDS.map((bounds, index) => parseField(parts[index] ?? '', bounds));
  // A step makes it a choice like any other.
  const star = (index: number): boolean => (parts[index] ?? '').split(',').some((part) => /^[*?](?:$|\/0*1$)/.test(part));
  const none = new Set<number>();
  return {
    kind: 'fields',
    minute: minute ?? none,
    hour: hour ?? none,
    dom: dom ?? none,
    month: month ?? none,
    dow: dow ?? none,
    domStar: star(2),
    dowStar: star(4),
  };
}

function parseDescriptor(text: string): CronSchedule {
  const fields = DESCRIPTORS[text];
  if (fields) return parseCron(fields);
  if (!text.startsWith('@every ')) throw new CronSyntaxError(`unrecognized descriptor: ${text}`);
  const duration = text.slice('@every '.length);
  const ms = parseDuration(duration);
  if (ms === undefined) throw new CronSyntaxError(`failed to parse duration ${text}: ${durationError(duration)}`);
  return { kind: 'every', ms: Math.max(1000, Math.floor(ms / 1000) * 1000) };
}

function durationError(text: string): string {
  const unit = /^[+-]?(?:[\d.]+(?:ns|us|µs|ms|s|m|h))*[\d.]+([a-zA-Zµ]+)/.exec(text)?.[1];
  if (unit) return `time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`;
  return /^[+-]?[\d.]+$/.test(text)
    ? `time: missing unit in duration ${JSON.stringify(text)}`
    : `time: invalid duration ${JSON.stringify(text)}`;
}

function parseField(text: string, bounds: Bounds): Set<number> {
  const out = new Set<number>();
  for (const part of text.split(',').filter(Boolean)) for (const value of parseRange(part, bounds)) out.add(value);
  return out;
}

function parseRange(text: string, bounds: Bounds): number[] {
  const [range = '', stepText, ...tooManySlashes] = text.split('/');
  const [low = '', high, ...tooManyHyphens] = range.split('-');
  let start: number;
  let end: number;
  if (low === '*' || low === '?') {
    start = bounds.min;
    end = bounds.max;
  } else {
    start = parseIntOrName(low, bounds);
    if (tooManyHyphens.length > 0) throw new CronSyntaxError(`too many hyphens: ${text}`);
    end = high === undefined ? start : parseIntOrName(high, bounds);
  }
  let step = 1;
  if (stepText !== undefined) {
    if (tooManySlashes.length > 0) throw new CronSyntaxError(`too many slashes: ${text}`);
    step = parseNumber(stepText);
    if (high === undefined && low !== '*' && low !== '?') end = bounds.max;
  }
  if (start < bounds.min) throw new CronSyntaxError(`beginning of range (${start}) below minimum (${bounds.min}): ${text}`);
  if (end > bounds.max) throw new CronSyntaxError(`end of range (${end}) above maximum (${bounds.max}): ${text}`);
  if (start > end) throw new CronSyntaxError(`beginning of range (${start}) beyond end of range (${end}): ${text}`);
  if (step === 0) throw new CronSyntaxError(`step of range should be a positive number: ${text}`);
  const values: number[] = [];
  for (let value = start; value <= end; value += step) values.push(value);
  return values;
}

function parseIntOrName(text: string, { names }: Bounds): number {
  return names?.[text.toLowerCase()] ?? parseNumber(text);
}

function parseNumber(text: string): number {
  if (!/^[+-]?\d+$/.test(text))
    throw new CronSyntaxError(`failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  const value = Number(text);
  if (value < 0) throw new CronSyntaxError(`negative number (${value}) not allowed: ${text}`);
  return value;
}
