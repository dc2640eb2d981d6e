import { expect, test } from 'vitest';
import { canonicalNames, isControllerEnabled, unknownController } from './is-controller-enabled.ts';

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

test('older names stand for those of today', () => {
  const aliases = { podgc: 'pod-garbage-collector-controller' };
  expect(canonicalNames(['*', '-podgc', 'job-controller'], aliases)).toEqual(['*', '-pod-garbage-collector-controller', 'job-controller']);
  const known = new Set(['pod-garbage-collector-controller']);
  expect(unknownController(['*', '-podgc'], { known, aliases })).toBeUndefined();
  expect(unknownController(['*', '-pods'], { known, aliases })).toBe('pods');
});
