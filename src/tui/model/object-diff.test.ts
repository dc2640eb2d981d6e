import { expect, test } from 'vitest';
import { changedPaths, diffObjects } from './object-diff.ts';

function draw(before: unknown, after: unknown): string {
  return diffObjects(before, after)
    .map(({ depth, mark, text }) => `${mark} ${'  '.repeat(depth)}${text}`)
    .join('\n');
}

test('items of lists are matched by their key; what is the same is left out', () => {
  const before = {
    metadata: { name: 'a', resourceVersion: '1' },
    status: { conditions: [{ type: 'Ready', status: 'False', reason: 'X' }] },
  };
  const after = {
    metadata: { name: 'a', resourceVersion: '2', deletionTimestamp: 'soon' },
    status: {
      phase: 'Running',
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Initialized', status: 'True' },
      ],
    },
  };
  expect(draw(before, after)).toBe(
    `
  metadata:
+   deletionTimestamp: soon
  status:
    conditions:
      [Ready]:
~       status: False > True
-       reason: X
+     [Initialized]:
+       type: Initialized
+       status: True
+   phase: Running`.slice(1),
  );
});

test('lists without keys are shown whole', () => {
  expect(draw({ args: ['a', 'b'] }, { args: ['a'] })).toBe('- args: ["a","b"]\n+ args: ["a"]');
});

test('what only bookkeeping changed is not named', () => {
  expect(draw({ metadata: { resourceVersion: '1' }, a: 1 }, { metadata: { resourceVersion: '2' }, a: 2 })).toBe('~ a: 1 > 2');
});

test('changed paths', () => {
  expect(changedPaths({ spec: { replicas: 1, a: { b: 1 } } }, { spec: { replicas: 2, a: { b: 2 } } })).toEqual(['spec.replicas', 'spec.a']);
});
