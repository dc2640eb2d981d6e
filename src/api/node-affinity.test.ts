import { expect, it } from 'vitest';
import type { Node, NodeSelectorTerm, PodSpec } from './kinds/core-v1.ts';
import { matchesRequiredNodeAffinity } from './node-affinity.ts';

const node: Node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', labels: { zone: 'a', cores: '8' } } };
const matches = (spec: Partial<PodSpec>): boolean => matchesRequiredNodeAffinity({ containers: [], ...spec }, node);
const required = (...nodeSelectorTerms: NodeSelectorTerm[]): Partial<PodSpec> => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
});
const asks = (key: string, operator: string, ...values: string[]): boolean =>
  matches(required({ matchExpressions: [{ key, operator, values }] }));

it('takes any node when the pod asks for nothing', () => {
  expect(matches({})).toBe(true);
});

it('wants each label of the nodeSelector', () => {
  expect(matches({ nodeSelector: { zone: 'a' } })).toBe(true);
  expect(matches({ nodeSelector: { zone: 'a', disk: 'ssd' } })).toBe(false);
});

it.each([
  ['zone', 'In', ['a', 'b'], true],
  ['disk', 'In', ['ssd'], false],
  ['zone', 'NotIn', ['a'], false],
  ['disk', 'NotIn', ['ssd'], true],
  ['zone', 'Exists', [], true],
  ['zone', 'DoesNotExist', [], false],
  ['cores', 'Gt', ['4'], true],
  ['cores', 'Lt', ['4'], false],
  ['zone', 'Gt', ['4'], false],
  ['disk', 'Lt', ['4'], false],
] as const)('%s %s %j: %j', (key, operator, values, expected) => {
  expect(asks(key, operator, ...values)).toBe(expected);
});

it('wants one of the terms, and all of that one; an empty term matches nothing', () => {
  const zone = { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] };
  const name = (value: string): NodeSelectorTerm => ({ matchFields: [{ key: 'metadata.name', operator: 'In', values: [value] }] });
  expect(matches(required(name('n2'), { ...zone, ...name('n1') }))).toBe(true);
  expect(matches(required({ ...zone, ...name('n2') }))).toBe(false);
  expect(matches(required({}))).toBe(false);
});
