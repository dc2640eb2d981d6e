import { expect, test } from 'vitest';
import { getScaledValueFromIntOrPercent } from './intstr.ts';

test('percentages are rounded as asked for', () => {
  expect(getScaledValueFromIntOrPercent({ value: '25%', total: 10, roundUp: true })).toBe(3);
  expect(getScaledValueFromIntOrPercent({ value: '25%', total: 10, roundUp: false })).toBe(2);
  expect(getScaledValueFromIntOrPercent({ value: 4, total: 10, roundUp: false })).toBe(4);
  expect(getScaledValueFromIntOrPercent({ value: 'many', total: 10, roundUp: false })).toBeUndefined();
});
