import { expect, test } from 'vitest';
import { formatDuration, formatMicroTime, formatTime, isMicroTime, parseDuration, parseTime } from './time.ts';

test('times are RFC 3339 in UTC, whole seconds or six decimals', () => {
  expect(formatTime(1_700_000_000_999)).toBe('2023-11-14T22:13:20Z');
  expect(formatMicroTime(1_700_000_000_999)).toBe('2023-11-14T22:13:20.999000Z');
  expect(parseTime('2023-11-14T23:13:20+01:00')).toBe(1_700_000_000_000);
  expect(parseTime('yesterday')).toBeUndefined();
  expect(isMicroTime('2023-11-14T22:13:20.999000Z')).toBe(true);
  expect(isMicroTime('2023-11-14T22:13:20Z')).toBe(false);
});

test('durations print and parse as in Go', () => {
  const pairs: [number, string][] = [
    [0, '0s'],
    [80_000, '1m20s'],
    [3_600_000, '1h0m0s'],
    [1500, '1.5s'],
    [500, '500ms'],
    [0.5, '500µs'],
    [-80_000, '-1m20s'],
  ];
  for (const [ms, text] of pairs) {
    expect(formatDuration(ms)).toBe(text);
    expect(parseDuration(text)).toBe(ms);
  }
  expect(parseDuration('10')).toBeUndefined();
});
