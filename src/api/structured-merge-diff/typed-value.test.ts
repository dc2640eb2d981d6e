import { expect, test } from 'vitest';
import { typeOfKind } from './built-in-schema.ts';
import { toFieldsV1 } from './fields-v1.ts';
import { type FieldType, UNTYPED_DEDUCED } from './schema.ts';
import { typeOfSchema } from './structural-schema.ts';
import { TypedValue } from './typed-value.ts';

const POD = (typeOfKind('v1', 'Pod') as FieldType) ?? UNTYPED_DEDUCED;
const pod = (spec: object): TypedValue => TypedValue.of({ apiVersion: 'v1', kind: 'Pod', spec }, POD);
const containers = (...names: string[]): { name: string }[] => names.map((name) => ({ name }));

test('lists with keys merge item by item, in the order of the configuration', () => {
  const live = pod({ containers: [{ name: 'a', image: 'one' }, { name: 'b' }, { name: 'c' }] });
  const { value } = live.merge(pod({ containers: [{ name: 'd' }, { name: 'c' }, { name: 'a', image: 'two' }] }));
  expect((value as { spec: { containers: unknown } }).spec.containers).toEqual([
    { name: 'b' },
    { name: 'd' },
    { name: 'c' },
    { name: 'a', image: 'two' },
  ]);
});

test('items that only the live list has keep their place', () => {
  const order = (live: string[], config: string[]): string[] => {
    const { value } = pod({ containers: containers(...live) }).merge(pod({ containers: containers(...config) }));
    return (value as { spec: { containers: { name: string }[] } }).spec.containers.map(({ name }) => name);
  };
  expect(order(['a', 'b', 'c'], ['a', 'c'])).toEqual(['a', 'b', 'c']);
  expect(order(['x', 'y'], ['z', 'x'])).toEqual(['z', 'x', 'y']);
  expect(order([], ['a'])).toEqual(['a']);
});

test('atomic lists and maps are replaced', () => {
  const live = pod({ nodeSelector: { a: '1' }, tolerations: [{ key: 'a' }], containers: [{ name: 'a', args: ['x', 'y'] }] });
  const config = { nodeSelector: { b: '2' }, tolerations: [{ key: 'b' }], containers: [{ name: 'a', args: ['z'] }] };
  expect((live.merge(pod(config)).value as { spec: unknown }).spec).toEqual(config);
});

test('the places of a configuration: leaves and items', () => {
  const value = pod({ containers: [{ name: 'a', ports: [{ containerPort: 80 }] }], nodeSelector: { a: 'b' }, overhead: {} });
  expect(toFieldsV1(value.toFieldSet())).toMatchObject({
    'f:spec': {
      'f:containers': {
        'k:{"name":"a"}': {
          '.': {},
          'f:name': {},
          'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } },
        },
      },
      'f:nodeSelector': {},
      'f:overhead': {},
    },
  });
});

test('what comes as a whole is added with every place; written fields come with their struct', () => {
  const status = { conditions: [{ type: 'Ready', status: 'True' }] };
  const before = TypedValue.of({ kind: 'Pod', status: {} }, POD);
  const { added, modified, removed } = before.compare(TypedValue.of({ kind: 'Pod', status }, POD));
  const item = { '.': {}, 'f:type': {}, 'f:status': {}, 'f:lastProbeTime': {}, 'f:lastTransitionTime': {} };
  expect(toFieldsV1(added)).toEqual({ 'f:status': { 'f:conditions': { '.': {}, 'k:{"type":"Ready"}': item } } });
  expect(modified.isEmpty && removed.isEmpty).toBe(true);
});

test('removing items leaves null where nothing is left', () => {
  const live = pod({ containers: [{ name: 'a', image: 'x' }, { name: 'b' }] });
  const cut = live.removeItems(pod({ containers: [{ name: 'a', image: 'x' }] }).toFieldSet());
  expect(cut.value).toEqual({ spec: { containers: [{ name: 'b' }] } });
  expect(live.extractItems(pod({ containers: [{ name: 'a', image: 'x' }] }).toFieldSet()).value).toMatchObject({
    spec: { containers: [{ name: 'a', image: 'x' }] },
  });
});

test('values that do not fit are told with their path', () => {
  expect(() => pod({ containers: [{ name: 'a', image: 1 }] })).toThrow(
    '.spec.containers[name="a"].image: expected string, got &value.valueUnstructured{Value:1}',
  );
  expect(() => pod({ nope: true, hostNetwork: 'x' })).toThrow(
    'errors:\n  .spec.nope: field not declared in schema\n  .spec.hostNetwork: expected boolean, got &{x}',
  );
  expect(() => pod({ containers: containers('a', 'a') })).toThrow('.spec.containers: duplicate entries for key [name="a"]');
});

test('schemas of custom resources: lists are atomic and maps are not, unless they say so', () => {
  const type = typeOfSchema({
    type: 'object',
    properties: {
      list: { type: 'array', items: { type: 'string' } },
      set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      map: { type: 'object', additionalProperties: { type: 'integer' } },
      whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: { type: 'string' } } },
      free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  });
  const value = { list: ['a'], set: ['a'], map: { a: 1 }, whole: { a: 'x' }, free: { a: { b: [1] } } };
  expect(toFieldsV1(TypedValue.of(value, type).toFieldSet())).toEqual({
    'f:list': {},
    'f:set': { 'v:"a"': {} },
    'f:map': { 'f:a': {} },
    'f:whole': {},
    'f:free': { 'f:a': { '.': {}, 'f:b': {} } },
  });
});
