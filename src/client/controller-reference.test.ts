import { expect, it } from 'vitest';
import type { ConfigMap } from '../api/kinds/core-v1.ts';
import { setControllerReference } from './controller-reference.ts';
import { addFinalizer, containsFinalizer, removeFinalizer } from './finalizers.ts';

const owner = (name: string): ConfigMap => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, uid: `uid-of-${name}` } });

it('makes an owner the controller, once', () => {
  const object: ConfigMap = {
    metadata: { name: 'a', namespace: 'default', ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'n' }] },
  };
  setControllerReference(owner('x'), object);
  setControllerReference(owner('x'), object);
  expect(object.metadata.ownerReferences).toEqual([
    { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'n' },
    { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'uid-of-x', controller: true, blockOwnerDeletion: true },
  ]);
});

it('refuses a second controller', () => {
  const object: ConfigMap = { metadata: { name: 'a', namespace: 'default' } };
  setControllerReference(owner('x'), object);
  expect(() => setControllerReference(owner('y'), object)).toThrow('Object default/a is already owned by another ConfigMap controller x');
});

it('adds and removes finalizers', () => {
  const object: ConfigMap = { metadata: { name: 'a' } };
  expect([addFinalizer(object, 'x/y'), addFinalizer(object, 'x/y'), containsFinalizer(object, 'x/y')]).toEqual([true, false, true]);
  expect([removeFinalizer(object, 'x/y'), removeFinalizer(object, 'x/y'), containsFinalizer(object, 'x/y')]).toEqual([true, false, false]);
});
