// Times and durations as Kubernetes writes them. All times are milliseconds since 1970, as the virtual clock counts them.

/** RFC 3339 in UTC with whole seconds: how apimachinery pkg/apis/meta/v1 Time is written. @example formatTime(0) // '1970-01-01T00:00:00Z' */
export function formatTime(ms: number): string {
  const second = Math.floor(ms / 1000);
  let text = formatted.get(second);
  if (text === undefined) {
    text = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
    remember(formatted, second, text);
  }
  return text;
}

/** The same few moments are written and read again and again. */
const REMEMBERED = 1_000;
const formatted = new Map<number, string>();
const parsed = new Map<string, number>();

function remember<K, V>(times: Map<K, V>, key: K, value: V): void {
  if (times.size >= REMEMBERED) times.clear();
  times.set(key, value);
}

/** RFC 3339 in UTC with six decimals: how apimachinery pkg/apis/meta/v1 MicroTime is written. */
export function formatMicroTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000Z`;
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/;

/** Reads an RFC 3339 time; absent or malformed gives undefined. Fractions are kept to the millisecond. */
export function parseTime(text: string | null | undefined): number | undefined {
  if (!text) return undefined;
  const known = parsed.get(text);
  if (known !== undefined) return known;
  if (!RFC3339.test(text)) return undefined;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) return undefined;
  remember(parsed, text, ms);
  return ms;
}

/** Whether `text` has the six decimals that MicroTime asks for. */
export function isMicroTime(text: string): boolean {
  const match = RFC3339.exec(text);
  return match?.[7]?.length === 6 && parseTime(text) !== undefined;
}

/** Go's time.Duration.String. @example formatDuration(80_000) // '1m20s' */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0s';
  const sign = ms < 0 ? '-' : '';
  const total = Math.abs(ms);
  if (total < 1) return `${sign}${trimZeros((total * 1000).toFixed(3))}µs`;
  if (total < 1000) return `${sign}${trimZeros(total.toFixed(6))}ms`;
  const hours = Math.floor(total / 3_600_000);
  const minutes = Math.floor((total % 3_600_000) / 60_000);
  const seconds = trimZeros(((total % 60_000) / 1000).toFixed(9));
  return `${sign}${hours ? `${hours}h` : ''}${hours || minutes ? `${minutes}m` : ''}${seconds}s`;
}

const UNITS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Go's time.ParseDuration, in milliseconds; undefined when malformed. @example parseDuration('1m30s') // 90000 */
export function parseDuration(text: string): number | undefined {
  const match = /^([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+|0)$/.exec(text);
  if (!match) return undefined;
  let total = 0;
  for (const [, amount, unit] of (match[2] ?? '').matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g))
    total += Number(amount) * (UNITS[unit ?? ''] ?? 0);
  return match[1] === '-' ? -total : total;
}

function trimZeros(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
}
