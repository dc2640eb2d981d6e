import { expect, test } from 'vitest';
import { schemaOf } from './schema.ts';
import type { ApiStatusError } from './status-error.ts';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';
import { createTwoWayMergePatch } from './two-way-merge-patch.ts';

const template = schemaOf('core.v1.PodTemplate');
const original = {
  metadata: { finalizers: ['example.com/a'], labels: { a: '1', b: '2' } },
  template: {
    spec: {
      containers: [
        {
          name: 'c',
          image: 'nginx',
          args: ['x', 'y'],
          env: [
            { name: 'A', value: '1' },
            { name: 'B', value: '2' },
          ],
        },
        { name: 'd', image: 'redis' },
      ],
    },
  },
};
type Original = typeof original;
const apply = (patch: unknown): Original => applyStrategicMergePatch(original, patch, template);
const containers = (patch: unknown): unknown[] => apply({ template: { spec: { containers: patch } } }).template.spec.containers;
const names = (patch: unknown): string => (containers(patch) as { name: string }[]).map(({ name }) => name).join('');
const complaint = (patch: unknown): string => {
  try {
    apply(patch);
    return 'none';
  } catch (error) {
    return `${(error as ApiStatusError).code} ${(error as ApiStatusError).message}`;
  }
};

test('lists with a merge key are merged, new entries come first, other lists are replaced', () => {
  expect(containers([{ name: 'd', image: 'redis:8' }])).toEqual([original.template.spec.containers[0], { name: 'd', image: 'redis:8' }]);
  expect(names([{ name: 'e', image: 'busybox' }])).toBe('ecd');
  expect(
    containers([
      {
        name: 'c',
        args: ['z'],
        env: [
          { name: 'B', value: '3' },
          { name: 'C', value: '4' },
        ],
      },
    ])[0],
  ).toEqual({
    name: 'c',
    image: 'nginx',
    args: ['z'],
    env: [
      { name: 'A', value: '1' },
      { name: 'B', value: '3' },
      { name: 'C', value: '4' },
    ],
  });
});

test('directives', () => {
  expect(names([{ name: 'c', $patch: 'delete' }])).toBe('d');
  expect(names([{ name: 'n', image: 'x' }, { $patch: 'replace' }])).toBe('n');
  expect(apply({ metadata: { labels: { $patch: 'replace', x: '1' } } }).metadata.labels).toEqual({ x: '1' });
  expect(apply({ metadata: { finalizers: ['example.com/b'] } }).metadata.finalizers).toEqual(['example.com/b', 'example.com/a']);
  expect(apply({ metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] } }).metadata.finalizers).toEqual([]);
  const ordered = apply({
    template: {
      spec: { '$setElementOrder/containers': [{ name: 'd' }, { name: 'e' }, { name: 'c' }], containers: [{ name: 'e', image: 'x' }] },
    },
  });
  expect(ordered.template.spec.containers.map(({ name }) => name).join('')).toBe('dec');
});

test('malformed patches are refused in the words of the API', () => {
  expect(complaint([])).toBe('400 json: cannot unmarshal array into Go value of type map[string]interface {}');
  expect(complaint({ template: { spec: { containers: [{ image: 'x' }] } } })).toBe(
    '500 map: map[image:x] does not contain declared merge key: name',
  );
  expect(complaint({ template: { spec: { containers: [{ name: 'n', $patch: 'explode' }] } } })).toBe(
    '500 unknown patch type: explode in map: map[$patch:explode name:n]',
  );
  expect(complaint({ template: { spec: { volumes: [{ name: 'v', $retainKeys: ['name'], emptyDir: {} }] } } })).toBe(
    '400 invalid patch format of retainKeys',
  );
  expect(complaint({ template: { spec: { containers: { name: 'x' } } } })).toBe(
    '422  "" is invalid: patch: Invalid value: "map[template:map[spec:map[containers:map[name:x]]]]": cannot restore slice from map',
  );
});

test('a two-way patch leads from one object to the other', () => {
  const to = {
    metadata: { labels: { b: '3' } },
    template: {
      spec: {
        containers: [
          { name: 'd', image: 'redis' },
          { name: 'c', image: 'nginx:2', args: ['x', 'y'], env: [{ name: 'B', value: '2' }] },
        ],
      },
    },
  };
  const patch = createTwoWayMergePatch(original, to, template);
  expect(patch).toMatchObject({ metadata: { finalizers: null, labels: { a: null, b: '3' } } });
  expect(apply(patch)).toEqual(to);
  expect(createTwoWayMergePatch(original, original, template)).toBeUndefined();
});
