import { expect, test } from 'vitest';
import { computeHash, fnv32, fnv32a, safeEncodeString } from './hash.ts';

test('FNV-1a and the safe alphabet are the real ones', () => {
  expect(fnv32a('')).toBe(0x811c9dc5);
  expect(fnv32a('foobar')).toBe(0xbf9cf968);
  expect(fnv32('foobar')).toBe(0x31f0b262);
  expect(safeEncodeString('0123456789')).toBe('456789bcdf');
});

test('the hash depends on the content and the collision count, not on the order of keys', () => {
  expect(computeHash({ a: 1, b: [2] })).toBe(computeHash({ b: [2], a: 1 }));
  expect(computeHash({ a: 1 })).toMatch(/^[456789bcdf]{1,10}$/);
  expect(computeHash({ a: 1 })).not.toBe(computeHash({ a: 1 }, 0));
  expect(computeHash({ a: 1 }, 0)).not.toBe(computeHash({ a: 1 }, 1));
});
