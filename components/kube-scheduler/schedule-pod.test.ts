import { expect, it } from 'vitest';
import { numFeasibleNodesToFind } from './schedule-pod.ts';

// Goal: large clusters look at fewer nodes, in the proportions of the real scheduler.

it('looks at all nodes of a small cluster, and at a shrinking part of a large one', () => {
  const wanted = [10, 99, 100, 500, 1000, 5000, 6000, 10_000].map((nodes) => `${nodes}: ${numFeasibleNodesToFind(0, nodes)}`);
  expect(wanted).toEqual(['10: 10', '99: 99', '100: 100', '500: 230', '1000: 420', '5000: 500', '6000: 300', '10000: 500']);
});

it('takes a percentage that is given, but never less than a hundred', () => {
  expect([numFeasibleNodesToFind(20, 1000), numFeasibleNodesToFind(5, 1000), numFeasibleNodesToFind(20, 50)]).toEqual([200, 100, 50]);
});
