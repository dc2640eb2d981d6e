import { expect, it } from 'vitest';
import type { Schema } from './structural-schema.ts';
import { validateSchema } from './validate-schema.ts';

const textsOf = (schema: Schema): string[] => validateSchema(schema, 'schema').map(({ field, body }) => `${field}: ${body}`);
const withField = (field: Schema): Schema => ({ type: 'object', properties: { a: field } });

it('wants what junctors at the root name to be there without them', () => {
  const named: Schema = { properties: { a: { pattern: 'x' }, list: { items: { minLength: 1 } } } };
  const list: Schema = { type: 'array', items: { type: 'string' } };
  expect(textsOf({ type: 'object', properties: { list }, anyOf: [named] })).toEqual([
    'schema.properties[a]: Required value: because it is defined in schema.anyOf[0].properties[a]',
  ]);
  expect(textsOf({ type: 'object', properties: { a: { type: 'string' } }, not: { allOf: [named] } })).toEqual([
    'schema.properties[list]: Required value: because it is defined in schema.not.allOf[0].properties[list]',
  ]);
  expect(textsOf({ type: 'object', properties: { a: { type: 'string' }, list }, oneOf: [named] })).toEqual([]);
  expect(textsOf(withField({ type: 'object', anyOf: [named] }))).toEqual([]);
});

it('wants to know of embedded objects what they are', () => {
  const embedded = (more: Schema): string[] => textsOf(withField({ 'x-kubernetes-embedded-resource': true, ...more }));
  const at = 'schema.properties[a]';
  expect(embedded({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true })).toEqual([]);
  expect(embedded({ 'x-kubernetes-preserve-unknown-fields': true })).toEqual([
    `${at}.type: Required value: must be object if x-kubernetes-embedded-resource is true`,
  ]);
  expect(embedded({ type: 'object' })).toEqual([
    `${at}.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields`,
  ]);
  expect(embedded({ type: 'object', additionalProperties: { type: 'string' }, 'x-kubernetes-preserve-unknown-fields': true })).toEqual([
    `${at}.additionalProperties: Forbidden: must not be used if x-kubernetes-embedded-resource is set`,
  ]);
});

it('knows what cannot be a number or text', () => {
  const both: Schema = { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true };
  expect(textsOf(withField(both))).toEqual([
    'schema.properties[a].x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true',
  ]);
});
