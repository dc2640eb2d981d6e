import { expect, test } from 'vitest';
import type { PodStatus } from '../../../src/api/kinds/core-v1.ts';
import { statusPatch } from './status-patch.ts';

const ready = (status: string, more = {}) => ({ type: 'Ready', status, ...more });

test('no difference, no patch', () => {
  expect(
    statusPatch('u', { phase: 'Running', conditions: [ready('True')] }, { phase: 'Running', conditions: [ready('True')] }),
  ).toBeUndefined();
});

test('names what changed, and the pod that it is meant for', () => {
  const old: PodStatus = {
    phase: 'Pending',
    conditions: [ready('False', { reason: 'X' }), { type: 'Initialized', status: 'True' }],
    message: 'gone',
  };
  const next: PodStatus = { phase: 'Running', conditions: [ready('True'), { type: 'Initialized', status: 'True' }], podIP: '10.0.0.1' };
  expect(statusPatch('u', old, next)).toMatchObject({
    metadata: { uid: 'u' },
    status: { phase: 'Running', podIP: '10.0.0.1', message: null, conditions: [{ type: 'Ready', status: 'True', reason: null }] },
  });
});
