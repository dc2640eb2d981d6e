import { Cron } from 'croner';
import { type CronSchedule, parseCron } from '../../../src/api/cron.ts';
import { TimeZone } from './time-zone.ts';

const SECOND = 1000;
const DAY_MS = 24 * 3_600_000;
/** robfig/cron looks no further ahead. */
const MAX_YEARS = 5;
const PREFIX = /^(?:CRON_)?TZ=(\S+)/;

/** The times of a schedule: robfig/cron Schedule. Reading and calendar arithmetic only; nothing here waits. */
export interface Schedule {
  /** The first time after `ms`, in milliseconds since 1970; undefined when there is none. */
  next(ms: number): number | undefined;
}

/**
 * Reads a schedule as the CronJob API does; a zone written into it wins over `timeZone`. robfig/cron ParseStandard
 * @throws CronSyntaxError, RangeError when the time zone is unknown
 */
export function parseSchedule(text: string, timeZone: string): Schedule {
  const zone = new TimeZone(PREFIX.exec(text)?.[1] ?? timeZone);
  const schedule = parseCron(text);
  return schedule.kind === 'every' ? { next: (ms) => floorToSecond(ms) + schedule.ms } : new FieldSchedule(schedule, zone);
}

function yearOf(ms: number): number {
  return new Date(ms).getUTCFullYear();
}

function floorToSecond(ms: number): number {
  return Math.floor(ms / SECOND) * SECOND;
}

type Fields = Extract<CronSchedule, { kind: 'fields' }>;

/**
 * Minutes, hours and days in a time zone. croner does the calendar on the clock of the wall; where clocks are changed the rule is robfig/cron's: a time that
 * the wall never shows is left out, one that it shows twice counts twice. robfig/cron SpecSchedule
 */
class FieldSchedule implements Schedule {
  readonly #cron: Cron;
  readonly #zone: TimeZone;

  constructor(fields: Fields, zone: TimeZone) {
    this.#cron = new Cron(patternOf(fields), { timezone: 'Etc/UTC', paused: true });
    this.#zone = zone;
  }

  next(ms: number): number | undefined {
    const after = floorToSecond(ms);
    const next = this.#nextMoment(after);
    return next !== undefined && yearOf(next) <= yearOf(after) + MAX_YEARS ? next : undefined;
  }

  #nextMoment(after: number): number | undefined {
    const offsets = [this.#zone.offset(after), this.#zone.offset(after + DAY_MS)];
    const [smallest, largest] = [Math.min(...offsets), Math.max(...offsets)];
    let found: number | undefined;
    for (let wall = this.#nextOnWall(after + smallest); wall !== undefined; wall = this.#nextOnWall(wall)) {
      if (found !== undefined && wall - largest >= found) return found;
      const first = Math.min(...this.#zone.momentsOf(wall).filter((moment) => moment > after));
      if (first !== Number.POSITIVE_INFINITY) found = Math.min(found ?? first, first);
      if (found !== undefined && smallest === largest) return found;
    }
    return found;
  }

  #nextOnWall(wall: number): number | undefined {
    return this.#cron.nextRun(new Date(wall))?.getTime();
  }
}

/** Days of the month and of the week: either is enough when both are given. */
function patternOf({ minute, hour, dom, month, dow, domStar, dowStar }: Fields): string {
  const list = (values: ReadonlySet<number>): string => [...values].sort((a, b) => a - b).join(',');
  return [list(minute), list(hour), domStar ? '*' : list(dom), list(month), dowStar ? '*' : list(dow)].join(' ');
}
