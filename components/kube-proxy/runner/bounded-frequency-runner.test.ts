import { expect, test } from 'vitest';
import { Simulation } from '../../../src/sim/simulation.ts';
import { BoundedFrequencyRunner } from './bounded-frequency-runner.ts';

test('runs at once, then at most once a second, and once an hour by itself', async () => {
  const simulation = new Simulation({ seed: '1' });
  const runs: number[] = [];
  const requests = [10, 11, 500, 1_500, 1_505, 5_000];
  const program = simulation.actor('kube-proxy/n1', (actor) => {
    const intervals = { minIntervalMs: 1_000, retryIntervalMs: 30_000, maxIntervalMs: 3_600_000 };
    const runner = new BoundedFrequencyRunner(actor, () => runs.push(simulation.now) > 0, intervals);
    for (const at of requests) actor.schedule(at, () => runner.run());
  });
  program.start();
  await simulation.settle();
  expect(runs).toEqual([10, 1_010, 2_010, 5_000]);
  await simulation.advance(3_600_000);
  expect(runs.at(-1)).toBe(3_605_000);
});
