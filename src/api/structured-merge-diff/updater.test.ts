import { expect, test } from 'vitest';
import { typeOfKind } from './built-in-schema.ts';
import { toFieldsV1 } from './fields-v1.ts';
import { FieldConflicts, type ManagedSets } from './managed-sets.ts';
import { type FieldType, UNTYPED_DEDUCED } from './schema.ts';
import { TypedValue } from './typed-value.ts';
import { Updater } from './updater.ts';

const TYPE: FieldType = typeOfKind('v1', 'ConfigMap') ?? UNTYPED_DEDUCED;
const updater = new Updater({
  convert: (value, apiVersion) => (apiVersion === 'v1' ? value : undefined),
  filter: (set) => set,
  schemasChange: false,
});
const typed = (data: object): TypedValue => TypedValue.of({ data }, TYPE);
const NOBODY: ManagedSets = new Map();

function applyAs(manager: string, state: { live: TypedValue; managers: ManagedSets }, data: object, force = false) {
  const { object, managers } = updater.apply({ live: state.live, config: typed(data) }, state.managers, {
    manager,
    apiVersion: 'v1',
    force,
  });
  return { live: object ?? state.live, managers, changed: object !== undefined };
}

const start = { live: TypedValue.of({}, TYPE), managers: NOBODY };
const owned = (managers: ManagedSets): Record<string, unknown> =>
  Object.fromEntries([...managers].map(([manager, { set }]) => [manager, toFieldsV1(set)]));

test('who does not apply a field any more removes it, unless others own it', () => {
  const both = applyAs('b', applyAs('a', start, { x: '1', y: '1' }), { y: '1' });
  expect(both.changed).toBe(false);
  const left = applyAs('a', both, { z: '1' });
  expect(left.live.value).toEqual({ data: { y: '1', z: '1' } });
  expect(owned(left.managers)).toEqual({ a: { 'f:data': { 'f:z': {} } }, b: { 'f:data': { 'f:y': {} } } });
});

test('another value of an owned field is a conflict; force takes it', () => {
  const first = applyAs('a', start, { x: '1' });
  expect(() => applyAs('b', first, { x: '2' })).toThrow(FieldConflicts);
  const taken = applyAs('b', first, { x: '2' }, true);
  expect(owned(taken.managers)).toEqual({ b: { 'f:data': { 'f:x': {} } } });
});

test('an update takes what it changes from everybody, and only that', () => {
  const { live, managers } = applyAs('a', start, { x: '1', y: '1' });
  const after = updater.update({ live, wanted: typed({ x: '2', y: '1' }) }, managers, { manager: 'u', apiVersion: 'v1' });
  expect(owned(after.managers)).toEqual({ a: { 'f:data': { 'f:y': {} } } });
  expect(toFieldsV1(after.taken)).toEqual({ 'f:data': { 'f:x': {} } });
});

test('owners in a version that is not served any more are forgotten', () => {
  const { live, managers } = applyAs('a', start, { x: '1' });
  const [[, entry] = []] = [...managers];
  const old = entry ? new Map([...managers, ['old', { ...entry, apiVersion: 'v0' }]]) : managers;
  const after = updater.update({ live, wanted: typed({ x: '2' }) }, old, { manager: 'u', apiVersion: 'v1' });
  expect([...after.managers.keys()]).toEqual([]);
});
