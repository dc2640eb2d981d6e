import { expect, test } from 'vitest';
import { Simulation } from '../../src/sim/simulation.ts';
import { ContainerUsage } from './container-usage.ts';

const SECOND = 1_000;

test('cpu time adds up by the rates that held', async () => {
  const simulation = new Simulation({ seed: '1' });
  let limit: number | undefined;
  const usage = new ContainerUsage(simulation, () => limit);
  usage.start({ cpuMilli: 100, memoryBytes: 1 });
  await simulation.advance(10 * SECOND);
  usage.addCpu(900);
  await simulation.advance(2 * SECOND);
  expect(usage.cpuNanos / 1e9).toBeCloseTo(3);
  usage.settle();
  limit = 500;
  expect(usage.cpuMilli).toBe(500);
  await simulation.advance(2 * SECOND);
  usage.spendCpu(250);
  expect(usage.cpuNanos / 1e9).toBeCloseTo(4.25);
  usage.addCpu(-2_000);
  expect(usage.cpuMilli).toBe(0);
});
