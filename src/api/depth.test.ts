import { expect, it } from 'vitest';
import { isDeeperThan } from './depth.ts';

it('counts maps and lists in each other', () => {
  expect(isDeeperThan(1, 0)).toBe(false);
  expect(isDeeperThan([{ a: [] }], 3)).toBe(false);
  expect(isDeeperThan([{ a: [] }], 2)).toBe(true);
});
