// The even seeds of faults.test.ts.
import { expect, it } from 'vitest';
import { endsAsWithoutFaults, seeds } from './support/play-seed.ts';

it.each(seeds('even'))('ends as without faults: seed %s', async (seed) => {
  await expect(endsAsWithoutFaults(seed)).resolves.toBeUndefined();
});
