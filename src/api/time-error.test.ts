import { expect, test } from 'vitest';
import { durationError, timeParseError } from './time-error.ts';

test('the first part that does not fit is named, as in Go', () => {
  expect(timeParseError('yesterday', 'time')).toBe(
    'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
  );
  expect(timeParseError('2025-01-01', 'time')).toBe('parsing time "2025-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"');
  expect(timeParseError('2025-01-01T00:00:00Z', 'microTime')).toBe(
    'parsing time "2025-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
  );
  expect(timeParseError('2025-13-01T00:00:00Z', 'time')).toBe('parsing time "2025-13-01T00:00:00Z": month out of range');
});

test.each([
  ['5', 'time: missing unit in duration "5"'],
  ['5x', 'time: unknown unit "x" in duration "5x"'],
  ['abc', 'time: invalid duration "abc"'],
  ['1m30', 'time: missing unit in duration "1m30"'],
  ['1m30s', undefined],
])('duration %s', (text, error) => {
  expect(durationError(text)).toBe(error);
});
