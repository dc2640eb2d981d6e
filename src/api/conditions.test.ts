import { expect, test } from 'vitest';
import { getCondition, isConditionTrue } from './conditions.ts';

test('conditions are found by type', () => {
  const conditions = [
    { type: 'Ready', status: 'True' },
    { type: 'Stalled', status: 'False' },
  ];
  expect(getCondition(conditions, 'Stalled')).toBe(conditions[1]);
  expect(isConditionTrue(conditions, 'Ready')).toBe(true);
  expect(isConditionTrue(conditions, 'Stalled')).toBe(false);
  expect(isConditionTrue(undefined, 'Ready')).toBe(false);
});
