import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Heap } from './heap.ts';

// Goal: items come out in order; equal ones in order of insertion; any can be removed or changed by key.

interface Item {
  readonly key: string;
  readonly rank: number;
}

const newHeap = (): Heap<Item> => new Heap({ keyOf: (item) => item.key, less: (a, b) => a.rank < b.rank });

it('gives equal items out in order of insertion', () => {
  const heap = newHeap();
  for (const key of ['c', 'a', 'b']) heap.addOrUpdate({ key, rank: 1 });
  expect([heap.pop()?.key, heap.pop()?.key, heap.pop()?.key, heap.pop()]).toEqual(['c', 'a', 'b', undefined]);
});

it('stays in order through additions, changes and removals', () => {
  const item = fc.record({ key: fc.constantFrom(...'abcdefgh'), rank: fc.integer({ min: 0, max: 20 }), remove: fc.boolean() });
  fc.assert(
    fc.property(fc.array(item), (steps) => {
      const heap = newHeap();
      const model = new Map<string, number>();
      for (const { key, rank, remove } of steps) {
        if (remove) {
          heap.delete(key);
          model.delete(key);
        } else {
          heap.addOrUpdate({ key, rank });
          model.set(key, rank);
        }
      }
      const ranks: number[] = [];
      for (let next = heap.pop(); next; next = heap.pop()) ranks.push(next.rank);
      expect(ranks).toEqual([...model.values()].sort((a, b) => a - b));
    }),
  );
});
