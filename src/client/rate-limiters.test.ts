import { describe, expect, it } from 'vitest';
import {
  BucketRateLimiter,
  defaultControllerRateLimiter,
  defaultItemBasedRateLimiter,
  ItemExponentialFailureRateLimiter,
  ItemFastSlowRateLimiter,
  type RateLimiter,
  TokenBucket,
} from './rate-limiters.ts';

const times = (count: number, limiter: RateLimiter, key = 'a') => Array.from({ length: count }, () => limiter.when(key));

describe('ItemExponentialFailureRateLimiter', () => {
  it('doubles for each failure of a key, up to the maximum', () => {
    const limiter = new ItemExponentialFailureRateLimiter(1, 30);
    expect(times(7, limiter)).toEqual([1, 2, 4, 8, 16, 30, 30]);
    expect(limiter.when('b')).toBe(1);
    expect(limiter.numRequeues('a')).toBe(7);
    limiter.forget('a');
    expect(limiter.when('a')).toBe(1);
  });

  it('does not overflow', () => {
    const limiter = new ItemExponentialFailureRateLimiter(5, 1_000_000);
    expect(times(2_000, limiter).at(-1)).toBe(1_000_000);
  });
});

it('ItemFastSlowRateLimiter is fast for the first tries', () => {
  const limiter = new ItemFastSlowRateLimiter({ fastMs: 5, slowMs: 1_000, maxFastAttempts: 2 });
  expect(times(4, limiter)).toEqual([5, 5, 1_000, 1_000]);
});

describe('TokenBucket', () => {
  it('lets the burst pass, then refills', () => {
    let now = 0;
    const bucket = new TokenBucket({ qps: 10, burst: 3, now: () => now });
    expect([bucket.reserve(), bucket.reserve(), bucket.reserve(), bucket.reserve(), bucket.reserve()]).toEqual([0, 0, 0, 100, 200]);
    expect(bucket.tryAccept()).toBe(false);
    now = 300;
    expect(bucket.tryAccept()).toBe(true);
    expect(bucket.tryAccept()).toBe(false);
  });

  it('is one for all keys of a limiter', () => {
    const limiter = new BucketRateLimiter({ qps: 1, burst: 1, now: () => 0 });
    expect([limiter.when(), limiter.when()]).toEqual([0, 1_000]);
  });
});

it('the default of controllers starts with 5 ms and ends with 1,000 s', () => {
  const limiter = defaultControllerRateLimiter(() => 0);
  expect(times(20, limiter)).toEqual([
    5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10240, 20480, 40960, 81920, 163840, 327680, 655360, 1e6, 1e6,
  ]);
});

it('the default of item based queues starts with 1 ms', () => {
  expect(times(3, defaultItemBasedRateLimiter())).toEqual([1, 2, 4]);
});
