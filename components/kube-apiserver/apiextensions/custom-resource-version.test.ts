import { describe, expect, it } from 'vitest';
import type { CustomResourceDefinition, JSONSchemaProps } from '../../../src/api/kinds/apiextensions-v1.ts';
import { validateRules } from './cel/validate-rules.ts';
import { validateSchemaRules } from './cel/validate-schema-rules.ts';
import { CustomResourceVersion, compareVersions } from './custom-resource-version.ts';
import { CorrelatedValue } from './schema/correlated-value.ts';
import { validateSchema } from './schema/validate-schema.ts';
import { validateValue } from './schema/validate-value.ts';

const spec: JSONSchemaProps = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 1, default: 3 },
    color: { type: 'string', enum: ['red'], nullable: true },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    ports: {
      type: 'array',
      maxItems: 3,
      items: { type: 'object', properties: { name: { type: 'string' }, port: { type: 'integer' } }, required: ['name'] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
  },
  'x-kubernetes-validations': [{ rule: 'self.size >= oldSelf.size', message: 'may only grow' }],
};
const schema: JSONSchemaProps = { type: 'object', properties: { spec } };

function served(openAPIV3Schema: JSONSchemaProps): CustomResourceVersion {
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } };
  const definition: CustomResourceDefinition = {
    metadata: { name: 'things.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' }, versions: [version] },
  };
  return new CustomResourceVersion(definition, version);
}

const thing = (contents: object): object => ({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec: contents });

describe('reading', () => {
  it('leaves out what is unknown, fills in defaults, and drops nulls that may not be', () => {
    const { object, problems } = served(schema).decode(
      thing({ extra: 1, size: null, color: null, open: { x: 1 }, ports: [{ name: 'a', z: 1 }] }),
    );
    expect(object).toMatchObject({ spec: { size: 3, color: null, open: { x: 1 }, ports: [{ name: 'a' }] } });
    expect(problems).toEqual(['unknown field "spec.extra"', 'unknown field "spec.ports[0].z"']);
  });

  it('fills in what a newer definition adds when old objects are read', () => {
    const stored = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: {}, spec: {} };
    expect(served(schema).fromStorage(stored)).toMatchObject({ spec: { size: 3 } });
  });
});

describe('checking values', () => {
  const texts = (value: unknown, old?: unknown): string[] =>
    validateValue(value, schema, old === undefined ? undefined : new CorrelatedValue(old)).map(({ field, body }) => `${field}: ${body}`);

  it('tells what is wrong and where', () => {
    expect(texts({ spec: { size: 0, color: 'blue' } })).toEqual([
      'spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1',
      'spec.color: Unsupported value: "blue": supported values: "red"',
    ]);
    expect(texts({ spec: { size: 'x' } })).toEqual([
      'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
    ]);
  });

  it('lets be what has not changed', () => {
    const before = { spec: { size: 0, ports: [{ name: 'a', port: 'x' }] } };
    expect(texts({ spec: { size: 0, ports: [{ name: 'b' }, { name: 'a', port: 'x' }] } }, before)).toEqual([]);
    expect(texts({ spec: { size: -1 } }, before)).toHaveLength(1);
  });
});

describe('rules', () => {
  it('compare with the state before, on updates only', () => {
    const version = served(schema);
    const now = thing({ size: 2 }) as Parameters<typeof validateRules>[1];
    expect(validateRules(version, now, undefined).errors).toEqual([]);
    const { errors } = validateRules(version, now, new CorrelatedValue(thing({ size: 5 })));
    expect(errors.map(({ field, body }) => `${field}: ${body}`)).toEqual(['spec: Invalid value: "object": may only grow']);
  });

  it('are refused when they do not compile or could cost too much', () => {
    const list: JSONSchemaProps = { type: 'array', items: { type: 'string' } };
    const withRule = (rule: string): JSONSchemaProps => ({
      type: 'object',
      properties: { a: list },
      'x-kubernetes-validations': [{ rule }],
    });
    expect(validateSchemaRules(withRule('self.b'), 'schema')[0]?.body).toContain("undefined field 'b'");
    expect(validateSchemaRules(withRule('self.a.all(x, self.a.all(y, x != y))'), 'schema')[0]?.body).toContain(
      'by factor of more than 100x',
    );
    expect(validateSchemaRules(withRule('self.a.size() < 10'), 'schema')).toEqual([]);
  });

  it('may read all keys of a map of few', () => {
    const map: JSONSchemaProps = {
      type: 'object',
      additionalProperties: { type: 'string' },
      maxProperties: 16,
      'x-kubernetes-validations': [{ rule: "self.all(key, key.matches('^[a-z]+$'))" }],
    };
    expect(validateSchemaRules(map, 'schema')).toEqual([]);
  });
});

it('asks for structural schemas', () => {
  const fields = (given: JSONSchemaProps): string[] => validateSchema(given, 'schema').map(({ field }) => field);
  expect(fields({ properties: { a: {} } })).toEqual(['schema.properties[a].type', 'schema.type']);
  expect(fields({ type: 'object', properties: { a: { type: 'string', pattern: '(' } } })).toEqual(['schema.properties[a].pattern']);
  expect(fields({ type: 'object', properties: { a: { type: 'integer', default: 'x' } } })).toEqual(['schema.properties[a].default']);
  expect(fields({ type: 'object', properties: { a: { type: 'integer', 'x-kubernetes-int-or-string': true } } })).toEqual([]);
});

it('puts versions in the order of preference', () => {
  const versions = ['v1beta1', 'foo', 'v2', 'v1', 'v10', 'v1alpha2', 'bar'];
  expect(versions.sort(compareVersions)).toEqual(['v10', 'v2', 'v1', 'v1beta1', 'v1alpha2', 'bar', 'foo']);
});
