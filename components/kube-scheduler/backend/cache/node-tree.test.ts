import { expect, it } from 'vitest';
import { NodeTree } from './node-tree.ts';

// Goal: nodes are listed in turns over the zones, in order of their arrival.

const node = (name: string, zone?: string) => ({ metadata: { name, labels: zone ? { 'topology.kubernetes.io/zone': zone } : {} } });

it('takes the first node of each zone, then the second of each', () => {
  const tree = new NodeTree();
  for (const one of [node('a1', 'a'), node('a2', 'a'), node('a3', 'a'), node('b1', 'b'), node('x'), node('b2', 'b')]) tree.add(one);
  expect(tree.list()).toEqual(['a1', 'b1', 'x', 'a2', 'b2', 'a3']);
});

it('moves a node whose zone changes, and forgets one that goes', () => {
  const tree = new NodeTree();
  for (const one of [node('a1', 'a'), node('b1', 'b'), node('b2', 'b')]) tree.add(one);
  tree.add(node('a1', 'b'));
  tree.remove('b1');
  expect(tree.list()).toEqual(['b2', 'a1']);
});
