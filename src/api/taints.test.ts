import { expect, test } from 'vitest';
import { findMatchingUntoleratedTaint, formatTaint, toleratesTaint } from './taints.ts';

const taint = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };

test('a toleration matches by key, operator, value and effect', () => {
  expect(toleratesTaint({ key: 'dedicated', operator: 'Equal', value: 'gpu', effect: 'NoSchedule' }, taint)).toBe(true);
  expect(toleratesTaint({ key: 'dedicated', value: 'gpu' }, taint)).toBe(true);
  expect(toleratesTaint({ key: 'dedicated', operator: 'Exists' }, taint)).toBe(true);
  expect(toleratesTaint({ operator: 'Exists' }, taint)).toBe(true);
  expect(toleratesTaint({ key: 'dedicated', value: 'cpu' }, taint)).toBe(false);
  expect(toleratesTaint({ key: 'dedicated', operator: 'Exists', effect: 'NoExecute' }, taint)).toBe(false);
});

test('the first untolerated taint is found and printed', () => {
  expect(findMatchingUntoleratedTaint([taint], [], () => true)).toBe(taint);
  expect(findMatchingUntoleratedTaint([taint], [{ operator: 'Exists' }], () => true)).toBeUndefined();
  expect(formatTaint(taint)).toBe('dedicated=gpu:NoSchedule');
  expect(formatTaint({ key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' })).toBe('node.kubernetes.io/not-ready:NoExecute');
});
