import { expect, test } from 'vitest';
import { deviceSelectorError } from './device-selector.ts';

test.each([
  ['device.driver == "gpu.example.com" && device.attributes["gpu.example.com"].model == "a100"', undefined],
  ['device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("8Gi"))', undefined],
  ['device.driver', 'must evaluate to bool or the unknown type, not string'],
])('%s', (expression, error) => {
  expect(deviceSelectorError(expression)).toBe(error);
});

test('what cannot be compiled is shown where it breaks', () => {
  expect(deviceSelectorError('device.nothing == 1')).toMatch(/^compilation failed: ERROR: <input>:1:7: undefined field 'nothing'/);
});
