import { expect, test } from 'vitest';
import { encodeObject } from './encode.ts';

test('times and lists without value that Go always writes become null', () => {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a' },
    spec: { containers: [] },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  };
  expect(encodeObject(pod).status.conditions).toEqual([{ type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: null }]);
  expect(encodeObject({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'r' } })).toMatchObject({
    rules: null,
  });
  const plain = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: 'b' } };
  expect(encodeObject(plain)).toBe(plain);
});
