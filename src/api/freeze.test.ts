import { expect, test } from 'vitest';
import { deepFreeze } from './freeze.ts';

test('everything below is frozen; a change throws', () => {
  const value = deepFreeze({ list: [{ deep: { a: 1 } }] });
  expect(Object.isFrozen(value.list[0]?.deep)).toBe(true);
  expect(() => {
    (value.list as unknown[]).push(1);
  }).toThrow(TypeError);
});
