const DAY_MS = 24 * 3_600_000;
const SECOND = 1000;

/** The clock on the wall of a time zone, as a number of milliseconds that UTC would give for the same reading. */
export class TimeZone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat | undefined;

  /** @param name of the IANA data base; throws RangeError when there is none */
  constructor(name: string) {
    this.name = name;
    const isUtc = name === 'UTC' || name === 'Etc/UTC';
    this.#format = isUtc
      ? undefined
      : new Intl.DateTimeFormat('en-US', {
          timeZone: name,
          hourCycle: 'h23',
          year: 'numeric',
          month: 'numeric',
          day: 'numeric',
          hour: 'numeric',
          minute: 'numeric',
          second: 'numeric',
        });
  }

  /** By how much the wall is ahead of UTC at a moment. */
  offset(ms: number): number {
    if (!this.#format) return 0;
    const second = Math.floor(ms / SECOND) * SECOND;
    const part: Record<string, number> = {};
    for (const { type, value } of this.#format.formatToParts(second)) part[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second: seconds = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, seconds) - second;
  }

  /** The moments at which the wall shows this reading: none or two where clocks are changed. */
  momentsOf(wall: number): number[] {
    const offsets = new Set([this.offset(wall - DAY_MS), this.offset(wall + DAY_MS)]);
    return [...offsets]
      .map((offset) => ({ moment: wall - offset, offset }))
      .flatMap(({ moment, offset }) => (this.offset(moment) === offset ? [moment] : []));
  }

  /** RFC 3339 with whole seconds and the zone's offset. */
  formatTime(ms: number): string {
    const offset = this.offset(ms);
    const wall = new Date(ms + offset).toISOString().slice(0, 19);
    return `${wall}${offset === 0 ? 'Z' : formatOffset(offset, ':')}`;
  }
}

function formatOffset(offset: number, separator: string): string {
  const minutes = Math.abs(offset) / 60_000;
  const two = (number: number): string => String(Math.floor(number)).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(minutes / 60)}${separator}${two(minutes % 60)}`;
}

/** Go's time.RFC1123Z in UTC. @example formatRfc1123z(0) // 'Thu, 01 Jan 1970 00:00:00 +0000' */
export function formatRfc1123z(ms: number): string {
  return new Date(ms).toUTCString().replace('GMT', '+0000');
}
