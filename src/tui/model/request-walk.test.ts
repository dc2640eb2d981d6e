import { expect, test } from 'vitest';
import { liveWeb } from '../fixtures/live-web.ts';
import { requestOf, walkRequest } from './request-walk.ts';
import { entryAt } from './run-view.ts';

test('a request walks through all stages to its write, its answer and those who watch', async () => {
  const { view } = await liveWeb();
  const write = view.entries.find((entry) => entry.kind === 'write' && entry.object.kind === 'Deployment' && entry.verb === 'create');
  const request = write && requestOf(view, write);
  if (!request) throw new Error('the Deployment was created by a request');
  const walk = walkRequest(view, request);
  expect(walk.stages.map(({ stage }) => stage)).toEqual([
    'authentication',
    'authorization',
    'decoding',
    'mutating-admission',
    'validation',
    'validating-admission',
    'storage',
  ]);
  expect(walk.writes).toEqual([write]);
  expect(walk.response?.code).toBe(201);
  expect(walk.told.map(({ actor }) => actor)).toContain('kube-controller-manager');
  const [told] = walk.told;
  expect(told && requestOf(view, entryAt(view, told.seq) ?? request)).toBe(request);
});
