import { expect, test } from 'vitest';
import { RateLimitedTimedQueue } from './rate-limited-timed-queue.ts';
import { computeZoneState, evictionRate } from './zone-states.ts';

test('one name at once, the next ten seconds later; a new rate starts the wait anew', () => {
  let now = 0;
  const queue = new RateLimitedTimedQueue({ qps: 0.1, now: () => now });
  for (const name of ['n1', 'n2', 'n3', 'n1']) queue.add(name);
  expect([queue.take(), queue.take(), queue.waitMs()]).toEqual(['n1', undefined, 10_000]);
  now = 10_000;
  expect(queue.take()).toBe('n2');
  queue.swapLimiter(0);
  now = 60_000;
  expect([queue.take(), queue.waitMs()]).toEqual([undefined, undefined]);
  queue.swapLimiter(0.1);
  expect(queue.waitMs()).toBe(10_000);
  now = 70_000;
  expect(queue.take()).toBe('n3');
});

test('a name that was handled comes again only after it was forgotten', () => {
  const queue = new RateLimitedTimedQueue({ qps: 0.1, now: () => 0 });
  queue.add('n1');
  queue.take();
  expect(queue.add('n1')).toBe(false);
  queue.setRemove('n1');
  expect(queue.add('n1')).toBe(true);
});

test.each([
  [{ ready: 3, notReady: 0 }, 'Normal', 0.1],
  [{ ready: 2, notReady: 2 }, 'Normal', 0.1],
  [{ ready: 2, notReady: 3 }, 'PartialDisruption', 0],
  [{ ready: 20, notReady: 40 }, 'PartialDisruption', 0.01],
  [{ ready: 0, notReady: 1 }, 'FullDisruption', 0.1],
] as const)('a zone with %o is %s', (counts, state, rate) => {
  expect(computeZoneState(counts)).toBe(state);
  expect(evictionRate(state, counts.ready + counts.notReady)).toBe(rate);
});
