import { expect, test } from 'vitest';
import { deepEqual, semanticDeepEqual } from './deep-equal.ts';
import { deepFreeze } from './freeze.ts';

test('plain equality tells empty from absent, semantic equality does not', () => {
  expect(deepEqual({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toBe(true);
  expect(deepEqual({ a: {} }, {})).toBe(false);
  expect(deepEqual({ a: undefined }, {})).toBe(true);
  expect(deepEqual([1], { 0: 1 })).toBe(false);
  expect(semanticDeepEqual({ a: {}, b: [], c: null }, {})).toBe(true);
  expect(semanticDeepEqual({ a: { b: 0 } }, {})).toBe(false);
});

test('freezing reaches all levels', () => {
  const value = deepFreeze({ a: [{ b: 1 }] });
  expect(Object.isFrozen(value.a[0])).toBe(true);
});
