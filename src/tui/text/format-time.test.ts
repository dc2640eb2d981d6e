import { expect, test } from 'vitest';
import { formatVirtualTime, virtualTimeOf } from './format-time.ts';

test('virtual time', () => {
  expect([0, 7250, 67_250, 3_723_004].map(formatVirtualTime)).toEqual(['0.000s', '7.250s', '1m07.250s', '1h02m03.004s']);
});

test('timestamps of the API as virtual time', () => {
  const epoch = Date.UTC(2026, 0, 1);
  expect([virtualTimeOf('2026-01-01T00:00:37Z', epoch), virtualTimeOf('soon', epoch), virtualTimeOf(3, epoch)]).toEqual([
    37_000,
    undefined,
    undefined,
  ]);
});
