import { expect, test } from 'vitest';
import { findByPath, parseJsonPath } from './json-path.ts';

const object = {
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Old', status: 'False' },
    ],
  },
  spec: { size: 2 },
};
const read = (path: string): unknown[] | undefined => {
  const steps = parseJsonPath(path);
  return steps && findByPath(object, steps);
};

test('paths lead through fields, positions and conditions', () => {
  expect(read('.spec.size')).toEqual([2]);
  expect(read(".status['conditions'][0].type")).toEqual(['Ready']);
  expect(read('.status.conditions[?(@.type=="Ready")].status')).toEqual(['True']);
  expect(read(".status.conditions[?(@.type != 'Ready')].status")).toEqual(['False']);
  expect(read('.status.conditions[*].type')).toEqual(['Ready', 'Old']);
  expect(read('.status.nothing')).toEqual([]);
  expect(read('.status.conditions[?(type)]')).toBeUndefined();
});
