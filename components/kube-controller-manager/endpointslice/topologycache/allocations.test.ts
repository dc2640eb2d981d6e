import { expect, test } from 'vitest';
import { getAllocations, getGivingAndReceivingZones, isOverloaded } from './allocations.ts';

const ratios = (zones: Record<string, number>): Map<string, number> => new Map(Object.entries(zones));

test.each([
  [undefined, 4, 'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes'],
  [ratios({ a: 1 }), 4, 'Nodes only ready in one zone'],
  [ratios({ a: 0.5, b: 0.5 }), 1, 'Insufficient number of endpoints (1 endpoints, 2 zones)'],
  [
    ratios({ a: 0.9, b: 0.05, c: 0.05 }),
    3,
    'Unable to allocate minimum required endpoints to each zone without exceeding overload threshold (3 endpoints, 3 zones)',
  ],
])('no hints: %#', (zones, endpoints, refused) => {
  expect(getAllocations(zones, endpoints)).toEqual({ refused });
});

test('zones get endpoints by their CPU, and give away what they have too many', () => {
  const share = getAllocations(ratios({ a: 0.5, b: 0.5 }), 6);
  expect('allocations' in share && [...share.allocations]).toEqual([
    ['a', { minimum: 3, maximum: 3, desired: 3 }],
    ['b', { minimum: 3, maximum: 3, desired: 3 }],
  ]);
  const { giving, receiving } = getGivingAndReceivingZones('allocations' in share ? share.allocations : new Map(), ratios({ a: 5, b: 1 }));
  expect([...giving, ...receiving]).toEqual([
    ['a', 2],
    ['b', 2],
  ]);
});

test('a zone below its minimum is overloaded', () => {
  expect(isOverloaded(ratios({ a: 5, b: 1 }), ratios({ a: 0.5, b: 0.5 }))).toBe(true);
  expect(isOverloaded(ratios({ a: 3, b: 3 }), ratios({ a: 0.5, b: 0.5 }))).toBe(false);
  expect(isOverloaded(ratios({}), undefined)).toBe(false);
});
