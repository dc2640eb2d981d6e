import { describe, expect, it } from 'vitest';
import { slowStartBatch } from './slow-start.ts';

/** Runs and notes how many calls were under way at once. */
async function batches(count: number, fails: (index: number) => boolean): Promise<{ sizes: number[]; successes: number; error?: unknown }> {
  const sizes: number[] = [];
  let batch = 0;
  const result = await slowStartBatch(count, async (index) => {
    batch++;
    await Promise.resolve();
    if (batch > 0) sizes.push(batch);
    batch = 0;
    if (fails(index)) throw new RangeError(`call ${index}`);
  });
  return { sizes, ...result };
}

describe('slowStartBatch', () => {
  it('makes calls in batches of 1, 2, 4, … and the rest', async () => {
    expect(await batches(10, () => false)).toEqual({ sizes: [1, 2, 4, 3], successes: 10 });
  });

  it('makes no call for none', async () => {
    expect(await batches(0, () => false)).toEqual({ sizes: [], successes: 0 });
  });

  it('stops after the batch in which a call failed, and tells the first error', async () => {
    const { sizes, successes, error } = await batches(10, (index) => index === 1 || index === 2);
    expect({ sizes, successes }).toEqual({ sizes: [1, 2], successes: 1 });
    expect((error as Error).message).toBe('call 1');
  });
});
