import { expect, test } from 'vitest';
import { jsonPath, valuesAt } from './jsonpath.ts';

const pods = {
  items: [
    {
      metadata: { name: 'a', labels: { 'app.kubernetes.io/name': 'x' } },
      status: { conditions: [{ type: 'Ready', status: 'True' }], n: 2 },
    },
    { metadata: { name: 'b' }, status: { conditions: [{ type: 'Ready', status: 'False' }], n: 5 } },
  ],
};

test.each([
  ['{.items[*].metadata.name}', 'a b'],
  ['{.items[0].metadata.name}', 'a'],
  ['{.items[-1].metadata.name}', 'b'],
  ['{.items[0:1].metadata.name}', 'a'],
  ['{.items[0].metadata.labels.app\\.kubernetes\\.io/name}', 'x'],
  ["{.items[0].metadata.labels['app.kubernetes.io/name']}", 'x'],
  ['{range .items[*]}{.metadata.name}={.status.n}{"\\n"}{end}', 'a=2\nb=5\n'],
  ['{.items[?(@.status.n>3)].metadata.name}', 'b'],
  ['{.items[0].status.conditions[?(@.type=="Ready")].status}', 'True'],
  ['{..name}', 'a b'],
  ['{.items[0].metadata}', '{"labels":{"app.kubernetes.io/name":"x"},"name":"a"}'],
  ['name: {.items[1].metadata.name}', 'name: b'],
  ['{.nothing}', ''],
])('%s', (template, text) => {
  expect(jsonPath(template, pods)).toBe(text);
});

test('braces may be left out where one path is meant', () => {
  expect(valuesAt('.items[*].status.n', pods)).toEqual([2, 5]);
  expect(valuesAt('metadata.name', pods.items[0])).toEqual(['a']);
});

test('says what cannot be read', () => {
  expect(() => jsonPath('{range .items[*]}{.x}', pods)).toThrow('unclosed action');
});
