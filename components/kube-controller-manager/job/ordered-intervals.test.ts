// Goal: sets of completion indexes are read, joined and written as in the status of a Job. Method: texts in, texts out; all against a plain Set.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrderedIntervals } from './ordered-intervals.ts';

describe('OrderedIntervals', () => {
  it.each([
    ['', ''],
    ['3', '3'],
    ['3,4', '3,4'],
    ['3-5', '3-5'],
    ['1,3-5,7', '1,3-5,7'],
    ['1,2,3', '1-3'],
    ['8-20', '8,9'],
  ])('reads %j and writes %j', (text, written) => {
    expect(OrderedIntervals.parse(text, 10).toString()).toBe(written);
  });

  it('knows what is in it and what is not', () => {
    const indexes = fc.uniqueArray(fc.nat(40));
    fc.assert(
      fc.property(indexes, indexes, (some, others) => {
        const set = new Set([...some, ...others]);
        const intervals = OrderedIntervals.empty.with(some).merge(OrderedIntervals.empty.with(others));
        expect(intervals.total).toBe(set.size);
        for (let index = 0; index <= 41; index++) expect(intervals.has(index)).toBe(set.has(index));
        expect(OrderedIntervals.parse(intervals.toString(), 100).toString()).toBe(intervals.toString());
        expect(OrderedIntervals.empty.with(some).countShared(OrderedIntervals.empty.with(others))).toBe(
          some.filter((index) => others.includes(index)).length,
        );
        const missing = Array.from({ length: 30 }, (_, index) => index).filter((index) => !set.has(index));
        expect(intervals.firstMissing(5, 30)).toEqual(missing.slice(0, 5));
      }),
    );
  });
});
