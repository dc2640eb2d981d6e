import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EventQueue } from './event-queue.ts';

it('gives items by due time, equal ones by order, whatever the pushes and pops', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 20 }), { freq: 4, nil: undefined }), { maxLength: 200 }), (steps) => {
      const queue = new EventQueue<{ due: number; order: number }>();
      const model: { due: number; order: number }[] = [];
      steps.forEach((due, order) => {
        if (due === undefined) {
          model.sort((a, b) => a.due - b.due || a.order - b.order);
          expect(queue.pop()).toEqual(model.shift());
        } else {
          queue.push({ due, order });
          model.push({ due, order });
        }
        expect(queue.size).toBe(model.length);
      });
    }),
  );
});
