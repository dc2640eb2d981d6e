import { expect, test } from 'vitest';
import { getControllerOf, isControlledBy, newControllerRef, parseGroupVersion } from './meta.ts';

test('an object knows its controller', () => {
  const owner = { metadata: { name: 'web', uid: 'u1' } };
  const reference = newControllerRef(owner, { apiVersion: 'apps/v1', kind: 'ReplicaSet' });
  expect(reference).toEqual({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    name: 'web',
    uid: 'u1',
    controller: true,
    blockOwnerDeletion: true,
  });
  const pod = { metadata: { ownerReferences: [reference] } };
  expect(getControllerOf(pod)).toBe(reference);
  expect(isControlledBy(pod, owner)).toBe(true);
  expect(isControlledBy({ metadata: {} }, owner)).toBe(false);
  expect(parseGroupVersion('apps/v1')).toEqual({ group: 'apps', version: 'v1' });
  expect(parseGroupVersion('v1')).toEqual({ group: '', version: 'v1' });
});
