// Goal: a schedule names the same moments as robfig/cron does, also where clocks are changed. Method: the first moments after a given one, in UTC.
import { describe, expect, it } from 'vitest';
import { parseTime } from '../../../src/api/time.ts';
import { parseSchedule } from './schedule.ts';

function next(schedule: string, zone: string, from: string, count: number): string[] {
  const parsed = parseSchedule(schedule, zone);
  const found: string[] = [];
  for (let time = parsed.next(parseTime(from) ?? 0); time !== undefined && found.length < count; time = parsed.next(time)) {
    found.push(new Date(time).toISOString().replace(':00.000Z', ''));
  }
  return found;
}

describe('a schedule', () => {
  it.each([
    ['*/20 9 * * mon-fri', '2026-01-02T09:30:00Z', ['2026-01-02T09:40', '2026-01-05T09:00', '2026-01-05T09:20']],
    ['0 0 29 2 *', '2023-01-01T00:00:00Z', ['2024-02-29T00:00', '2028-02-29T00:00']],
    ['@weekly', '2026-01-01T00:00:00Z', ['2026-01-04T00:00', '2026-01-11T00:00']],
    ['@every 90m', '2026-01-01T00:00:00Z', ['2026-01-01T01:30', '2026-01-01T03:00']],
  ])('%s', (schedule, from, times) => {
    expect(next(schedule, 'Etc/UTC', from, times.length)).toEqual(times);
  });

  it('takes days of the month or of the week when it has both, and both when one has a step', () => {
    expect(next('0 0 13 * fri', 'UTC', '2026-01-01T00:00:00Z', 3)).toEqual(['2026-01-02T00:00', '2026-01-09T00:00', '2026-01-13T00:00']);
    expect(next('0 0 * * fri', 'UTC', '2026-01-01T00:00:00Z', 2)).toEqual(['2026-01-02T00:00', '2026-01-09T00:00']);
    expect(next('0 0 */30 * fri', 'UTC', '2026-01-01T00:00:00Z', 2)).toEqual(['2026-01-02T00:00', '2026-01-09T00:00']);
  });

  it('goes by the clock of its zone', () => {
    expect(next('0 0 * * *', 'Europe/Berlin', '2026-03-27T12:00:00Z', 4)).toEqual([
      '2026-03-27T23:00',
      '2026-03-28T23:00',
      '2026-03-29T22:00',
      '2026-03-30T22:00',
    ]);
    expect(next('TZ=Asia/Tokyo 0 0 * * *', 'UTC', '2026-01-01T00:00:00Z', 1)).toEqual(['2026-01-01T15:00']);
  });

  it('leaves out a time that the clock skips', () => {
    expect(next('30 2 * * *', 'Europe/Berlin', '2026-03-27T12:00:00Z', 3)).toEqual([
      '2026-03-28T01:30',
      '2026-03-30T00:30',
      '2026-03-31T00:30',
    ]);
  });

  it('counts a time twice that the clock shows twice, in order', () => {
    expect(next('0,30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 5)).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T00:30',
      '2026-10-25T01:00',
      '2026-10-25T01:30',
      '2026-10-26T01:00',
    ]);
  });

  it('has no next time when there is no such day', () => {
    expect(parseSchedule('0 0 31 2 *', 'UTC').next(0)).toBeUndefined();
    expect(parseSchedule('0 0 29 2 *', 'UTC').next(Date.UTC(2097, 0, 1))).toBeUndefined();
  });

  it('needs a zone that exists', () => {
    expect(() => parseSchedule('0 0 * * *', 'Mars/Olympus')).toThrow(RangeError);
  });
});
