import { expect, test } from 'vitest';
import { isControllerEnabled } from './is-controller-enabled.ts';

test.each([
  // --controllers, runs
  [['*'], true],
  [['deployment-controller'], true],
  [['replicaset-controller'], false],
  [['*', '-deployment-controller'], false],
  [[], false],
])('--controllers=%j: the deployment controller runs: %s', (controllers, runs) => {
  expect(isControllerEnabled('deployment-controller', controllers)).toBe(runs);
});
