import { expect, it } from 'vitest';
import { balancedResourceScorer, leastResourceScorer, mostResourceScorer, requestedToCapacityRatioScorer } from './resource-scorers.ts';

// Goal: whole numbers as Go's integer division gives them.

it('favours what is free, or what is used', () => {
  expect(leastResourceScorer([1, 1])([1300, 700], [2000, 3000])).toBe(55);
  expect(mostResourceScorer([3, 1])([1300, 700], [2000, 3000])).toBe(54);
});

it('leaves out resources that the node does not have', () => {
  expect(leastResourceScorer([1, 1])([500, 0], [1000, 0])).toBe(50);
  expect(leastResourceScorer([1])([0], [0])).toBe(0);
});

it('follows a shape of straight lines, and counts what is over as full', () => {
  const score = requestedToCapacityRatioScorer(
    [1],
    [
      { utilization: 0, score: 0 },
      { utilization: 50, score: 4 },
      { utilization: 100, score: 10 },
    ],
  );
  expect([score([25], [100]), score([75], [100]), score([150], [100])]).toEqual([20, 70, 100]);
});

it('favours even use', () => {
  expect(balancedResourceScorer([50, 50], [100, 100])).toBe(100);
  expect(balancedResourceScorer([100, 0], [100, 100])).toBe(50);
  expect(balancedResourceScorer([50, 50, 0], [100, 100, 100])).toBe(76);
});
