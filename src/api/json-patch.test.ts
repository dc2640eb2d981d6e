import { expect, test } from 'vitest';
import { applyJsonPatch } from './json-patch.ts';
import type { ApiStatusError } from './status-error.ts';

const document = { data: { x: '1', 'y.z': '2' }, list: [1, 2, 3] };
const apply = (...patch: object[]): unknown => applyJsonPatch(document as unknown, patch);
const code = (patch: unknown): number => {
  try {
    applyJsonPatch(document, patch);
    return 200;
  } catch (error) {
    return (error as ApiStatusError).code;
  }
};

test('operations, with the quirks of the API', () => {
  expect(apply({ op: 'add', path: '/data/n', value: 'new' }, { op: 'remove', path: '/data/x' })).toEqual({
    data: { n: 'new', 'y.z': '2' },
    list: [1, 2, 3],
  });
  expect(apply({ op: 'replace', path: '/data/none', value: 'v' })).toMatchObject({ data: { none: 'v' } });
  expect(apply({ op: 'add', path: '/data/x' })).toMatchObject({ data: { x: null } });
  expect(apply({ op: 'add', path: 'data/x', value: 'v' })).toMatchObject({ data: { x: '1' }, x: 'v' });
  expect(
    apply({ op: 'add', path: '/list/-', value: 4 }, { op: 'add', path: '/list/0', value: 0 }, { op: 'remove', path: '/list/-1' }),
  ).toMatchObject({ list: [0, 1, 2, 3] });
  expect(apply({ op: 'move', from: '/data/x', path: '/data/a~1b' })).toMatchObject({ data: { 'a/b': '1' } });
  expect(apply({ op: 'test', path: '/data/none', value: null })).toBe(document);
  expect(apply({ op: 'replace', path: '', value: { only: 1 } })).toEqual({ only: 1 });
});

test('failures', () => {
  expect(code([{ op: 'remove', path: '/data/none' }])).toBe(422);
  expect(code([{ op: 'add', path: '/other/k', value: 1 }])).toBe(422);
  expect(code([{ op: 'add', path: '/list/9', value: 1 }])).toBe(422);
  expect(code([{ op: 'test', path: '/data/x', value: 'no' }])).toBe(422);
  expect(code([{ op: 'upsert', path: '/data/x' }])).toBe(422);
  expect(code({})).toBe(400);
  expect(code(new Array(10_001).fill({ op: 'test', path: '/data/x', value: '1' }))).toBe(413);
});
