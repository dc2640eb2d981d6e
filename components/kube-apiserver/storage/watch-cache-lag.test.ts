import { expect, it } from 'vitest';
import { WatchCacheLag } from './watch-cache-lag.ts';

it('lacks what was committed a moment ago, and nothing else', () => {
  const lag = new WatchCacheLag(2);
  expect(lag.known(10)).toBeUndefined();
  lag.note(5, 10);
  lag.note(6, 10);
  lag.note(7, 11);
  expect(lag.known(11)).toBe(4);
  expect(lag.known(12)).toBe(6);
  expect(lag.known(13)).toBeUndefined();
});

it('lacks nothing where it does not lag', () => {
  const lag = new WatchCacheLag(0);
  lag.note(5, 10);
  expect(lag.known(10)).toBeUndefined();
});
