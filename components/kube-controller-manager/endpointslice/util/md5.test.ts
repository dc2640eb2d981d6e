import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { md5 } from './md5.ts';

test.each(['', 'a', 'abc', 'x'.repeat(55), 'x'.repeat(56), 'x'.repeat(64), 'é'.repeat(200)])('agrees with node:crypto for %j', (text) => {
  expect(md5(text)).toBe(createHash('md5').update(text).digest('hex'));
});
