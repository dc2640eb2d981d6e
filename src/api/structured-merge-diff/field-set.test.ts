import { expect, test } from 'vitest';
import { typeOfKind } from './built-in-schema.ts';
import type { FieldSet } from './field-set.ts';
import { type FieldsV1, fromFieldsV1, toFieldsV1 } from './fields-v1.ts';

const set = (fields: FieldsV1): FieldSet => {
  const read = fromFieldsV1(fields);
  if (!read) throw new TypeError('not a set');
  return read;
};

const MAPS = set({ 'f:a': { '.': {}, 'f:b': {} }, 'f:c': {} });

test('a place is a member without what is below it', () => {
  expect([MAPS.has(['f:a']), MAPS.has(['f:a', 'f:b']), MAPS.has(['f:c', 'f:x'])]).toEqual([true, true, false]);
  expect(MAPS.withPrefix('f:a').has(['f:b'])).toBe(true);
});

test('union, intersection and difference look at each place for itself', () => {
  const other = set({ 'f:a': { 'f:b': {}, 'f:d': {} } });
  expect(toFieldsV1(MAPS.union(other))).toEqual({ 'f:a': { '.': {}, 'f:b': {}, 'f:d': {} }, 'f:c': {} });
  expect(toFieldsV1(MAPS.intersection(other))).toEqual({ 'f:a': { 'f:b': {} } });
  expect(toFieldsV1(MAPS.difference(other))).toEqual({ 'f:a': {}, 'f:c': {} });
  expect(toFieldsV1(MAPS.difference(set({ 'f:a': {} })))).toEqual({ 'f:a': { 'f:b': {} }, 'f:c': {} });
  expect(MAPS.union(set({ 'f:c': {} }))).toBe(MAPS);
});

test('the recursive difference takes everything below as well', () => {
  expect(toFieldsV1(MAPS.recursiveDifference(set({ 'f:a': {} })))).toEqual({ 'f:c': {} });
});

test('fields come in order: names, keys, values', () => {
  const fields = { 'v:"x"': {}, 'k:{"b":2,"a":"x"}': { 'f:z': {} }, 'f:b': {}, 'f:a': {} };
  expect(JSON.stringify(toFieldsV1(set(fields)))).toBe('{"f:a":{},"f:b":{},"k:{\\"a\\":\\"x\\",\\"b\\":2}":{"f:z":{}},"v:\\"x\\"":{}}');
});

test('what is no set is not read', () => {
  expect([fromFieldsV1({ data: {} }), fromFieldsV1({ 'k:[]': {} }), fromFieldsV1([])]).toEqual([undefined, undefined, undefined]);
});

test('declared fields become members when something below them is one', () => {
  const type = typeOfKind('v1', 'ConfigMap');
  const ensured = set({ 'f:metadata': { 'f:labels': { 'f:a': {} } } }).ensureNamedFieldsAreMembers(type);
  expect(toFieldsV1(ensured)).toEqual({ 'f:metadata': { '.': {}, 'f:labels': { '.': {}, 'f:a': {} } } });
});
