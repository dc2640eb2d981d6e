import { expect, test } from 'vitest';
import { Backoff } from './backoff.ts';

test('doubles up to a maximum', () => {
  const backoff = new Backoff(10, 300);
  const delays: number[] = [];
  for (let now = 0; delays.length < 7; now += 400) {
    backoff.next('k', now, now);
    delays.push(backoff.get('k'));
  }
  expect(delays).toEqual([10, 20, 40, 80, 160, 300, 300]);
  expect(backoff.atMaximum('k')).toBe(true);
});

test('holds back from the moment since which it counts', () => {
  const backoff = new Backoff(10, 300);
  expect(backoff.isInBackOffSince('k', 0, 5)).toBe(false);
  backoff.next('k', 0, 0);
  expect([backoff.isInBackOffSince('k', 2, 11), backoff.isInBackOffSince('k', 2, 12)]).toEqual([true, false]);
  expect([backoff.isInBackOffSinceUpdate('k', 9), backoff.isInBackOffSinceUpdate('k', 10)]).toEqual([true, false]);
});

test('is forgotten after twice the maximum, and with its pod', () => {
  const backoff = new Backoff(10, 300);
  backoff.next('u1_a', 0, 0);
  backoff.next('u1_a', 100, 100);
  backoff.next('u1_a', 701, 701);
  expect(backoff.get('u1_a')).toBe(10);
  backoff.forget('u1_');
  expect(backoff.get('u1_a')).toBe(0);
});
