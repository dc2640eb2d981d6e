// Goal: whatever goes wrong, a cluster ends where it would have ended without. Method: for each seed a plan of random faults and commands is played; every write is looked at,
// then the end is compared with that of a run without faults. BOTTLESHIP_SEEDS plays more seeds: `1000` the first thousand, `40-60` those. The even ones are in faults-even.test.ts.

import { expect, it } from 'vitest';
import { planOf, playSteps } from './support/chaos.ts';
import { clusterOf, endsAsWithoutFaults, seeds } from './support/play-seed.ts';

/** Seeds that have failed, and why. */
const REGRESSIONS = [
  ['19', 'the last request of a kubelet for a pod fails'],
  ['280', 'a node that is back is taken for lost while its kubelet writes'],
];

it.each(seeds('odd'))('ends as without faults: seed %s', (seed) => endsAsWithoutFaults(seed));

it.each(REGRESSIONS)('ends as without faults: seed %s, where %s', (seed) => endsAsWithoutFaults(seed, planOf(seed, false)));

it('ends as without faults: seed 1015, where a watch is opened for a node that has been cut off meanwhile', () =>
  endsAsWithoutFaults('1015'));

it('is the same twice', async () => {
  const digest = async (): Promise<string> => {
    const plan = planOf('1');
    const cluster = await clusterOf(plan, true);
    await playSteps(cluster, plan);
    return cluster.simulation.trace.digest();
  };
  expect(await digest()).toBe(await digest());
});
