import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lowerBound, SortedKeys } from './sorted-keys.ts';

test('keys come in order whatever is added, deleted and read in between', () => {
  const step = fc.record({ what: fc.constantFrom('add', 'delete', 'read'), key: fc.integer({ min: 0, max: 40 }).map(String) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const keys = new SortedKeys();
      const model = new Set<string>();
      for (const { what, key } of steps) {
        if (what === 'add') {
          keys.add(key);
          model.add(key);
        } else if (what === 'delete') {
          keys.delete(key);
          model.delete(key);
        } else expect(keys.read()).toEqual([...model].sort());
      }
      expect(keys.read()).toEqual([...model].sort());
      expect(keys.size).toBe(model.size);
    }),
  );
});

test('lowerBound finds where a key is or would be', () => {
  expect([lowerBound(['b', 'd'], 'a'), lowerBound(['b', 'd'], 'b'), lowerBound(['b', 'd'], 'c'), lowerBound(['b', 'd'], 'e')]).toEqual([
    0, 0, 1, 2,
  ]);
});
