import { expect, it } from 'vitest';
import { createThreeWayJsonMergePatch } from './json-merge-patch.ts';

it('sets what differs, removes what was wanted before, and leaves what others set', () => {
  const original = { spec: { size: 1, color: 'red' } };
  const modified = { spec: { size: 2 } };
  const current = { spec: { size: 1, color: 'red', other: true }, status: {} };
  expect(createThreeWayJsonMergePatch({ original, modified, current })).toEqual({ spec: { size: 2, color: null } });
  expect(createThreeWayJsonMergePatch({ original: modified, modified, current: { spec: { size: 2, other: true } } })).toBeUndefined();
});
