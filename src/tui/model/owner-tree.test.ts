import { expect, test } from 'vitest';
import { deleteAPod } from '../fixtures/delete-a-pod.ts';
import { wordsOf } from '../words/words.ts';
import { shortStatus } from './object-status.ts';
import { ownerTree } from './owner-tree.ts';

function draw(revision: number, all = false): string {
  return ownerTree(deleteAPod().listObjects(revision), all)
    .map(({ key, depth, object }) => `${'  '.repeat(depth)}${key} ${shortStatus(object, wordsOf('en')).text}`)
    .join('\n');
}

test('objects below their owners, at two moments', () => {
  expect(draw(103)).toBe(
    `
Deployment/default/web ready 0/3
Node//n1 Ready
Node//n2 Ready`.slice(1),
  );
  expect(draw(116)).toBe(
    `
Deployment/default/web ready 0/3
  ReplicaSet/default/web-6f ready 0/3
    Pod/default/web-6f-aaaaa n1 Terminating
    Pod/default/web-6f-bbbbb n1 Running
    Pod/default/web-6f-ccccc n2 Running
EndpointSlice/default/web-x ready 0/0
Node//n1 Ready
Node//n2 Ready`.slice(1),
  );
});

test('everything includes what every cluster has', () => {
  expect(draw(115, true)).toContain('Lease');
  expect(draw(115)).not.toContain('Lease');
});
