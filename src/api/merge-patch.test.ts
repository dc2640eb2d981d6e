import { expect, test } from 'vitest';
import { applyMergePatch, createMergePatch } from './merge-patch.ts';

test('null removes, objects merge, all else replaces', () => {
  const original = { a: 1, b: { c: [1, 2], d: 'x' }, e: { f: 1 } };
  expect(applyMergePatch(original, { a: null, b: { c: [3] }, g: { h: null, i: 1 } })).toEqual({
    b: { c: [3], d: 'x' },
    e: { f: 1 },
    g: { i: 1 },
  });
  expect(applyMergePatch(original, { a: 1 }).e).toBe(original.e);
});

test('a created patch leads from one to the other', () => {
  const from = { a: 1, b: { c: [1], d: 'x' }, e: 2 };
  const to = { a: 1, b: { c: [1, 2] }, f: 3 };
  const patch = createMergePatch(from, to);
  expect(patch).toEqual({ b: { c: [1, 2], d: null }, e: null, f: 3 });
  expect(applyMergePatch(from as unknown, patch)).toEqual(to);
  expect(createMergePatch(from, { ...from })).toBeUndefined();
});
