// The even seeds of faults.test.ts.
import { it } from 'vitest';
import { endsAsWithoutFaults, seeds } from './support/play-seed.ts';

it.each(seeds('even'))('ends as without faults: seed %s', (seed) => endsAsWithoutFaults(seed));
