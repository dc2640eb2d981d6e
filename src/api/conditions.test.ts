import { expect, test } from 'vitest';
import { getCondition, isConditionTrue, setStatusCondition } from './conditions.ts';

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

test('a condition gets a new time only when its status changes', () => {
  const conditions: Parameters<typeof setStatusCondition>[0] = [];
  const ready = { type: 'Ready', status: 'False', reason: 'Waiting', message: '', observedGeneration: 1 };
  expect(setStatusCondition(conditions, ready, 1_000)).toBe(true);
  expect(setStatusCondition(conditions, ready, 2_000)).toBe(false);
  expect(setStatusCondition(conditions, { ...ready, reason: 'StillWaiting', observedGeneration: 2 }, 3_000)).toBe(true);
  expect(conditions).toEqual([{ ...ready, reason: 'StillWaiting', observedGeneration: 2, lastTransitionTime: '1970-01-01T00:00:01Z' }]);
  setStatusCondition(conditions, { ...ready, status: 'True' }, 4_000);
  expect(conditions[0]).toMatchObject({ status: 'True', lastTransitionTime: '1970-01-01T00:00:04Z' });
});
