import { expect, test } from 'vitest';
import type { FieldError } from '../status-error.ts';
import { nameIsDNSSubdomain, validateObjectMeta, validateObjectMetaUpdate } from './object-meta.ts';

const rules = { namespaced: true, validateName: nameIsDNSSubdomain, core: true };
const print = (errors: readonly FieldError[]): string[] => errors.map(({ field, body }) => `${field}: ${body}`);
const check = (meta: object): string[] => print(validateObjectMeta({ namespace: 'default', name: 'a', ...meta }, rules));

test('metadata of a new object', () => {
  expect(check({})).toEqual([]);
  expect(check({ name: undefined, generateName: 'web-' })).toEqual(['metadata.name: Required value: name or generateName is required']);
  expect(check({ labels: { a: 'b c' } })[0]).toMatch(/^metadata\.labels: Invalid value: "b c": a valid label must be/);
  expect(check({ finalizers: ['plain'] })).toEqual([
    'metadata.finalizers[0]: Invalid value: "plain": name is neither a standard finalizer name nor is it fully qualified',
  ]);
  expect(check({ annotations: { a: 'x'.repeat(262_144) } })).toEqual(['metadata.annotations: Too long: may not be more than 262144 bytes']);
  expect(check({ ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: '' }] })).toEqual([
    'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
  ]);
  expect(print(validateObjectMeta({ name: 'a', namespace: 'x' }, { ...rules, namespaced: false }))).toEqual([
    'metadata.namespace: Forbidden: not allowed on this type',
  ]);
});

test('metadata that must not change', () => {
  const old = { name: 'a', uid: 'u', resourceVersion: '1', deletionTimestamp: '2025-01-01T00:00:00Z', finalizers: ['example.com/a'] };
  expect(print(validateObjectMetaUpdate({ ...old, uid: 'v', finalizers: ['example.com/a', 'example.com/b'] }, old))).toEqual([
    'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/b"}',
    'metadata.uid: Invalid value: "v": field is immutable',
  ]);
});
