import { expect, it } from 'vitest';
import { newConflict, newNotFound } from '../api/status-error.ts';
import { Simulation } from '../sim/simulation.ts';
import { DEFAULT_BACKOFF, type RetrySteps, retryOnConflict } from './retry.ts';

const resource = { group: '', resource: 'pods' };

async function tries(error: () => Error, failures: number, backoff?: RetrySteps) {
  const simulation = new Simulation({ seed: '1' });
  const at: number[] = [];
  let outcome: unknown;
  const settled = (value: unknown): void => {
    outcome = value;
  };
  const body = async () => {
    at.push(simulation.now);
    if (at.length <= failures) throw error();
    return 'done';
  };
  const actor = simulation.actor('tester', (self) =>
    retryOnConflict({ actor: self, ...(backoff ? { backoff } : {}) }, body).then(settled, settled),
  );
  actor.start();
  await simulation.settle();
  return { at, outcome };
}

const conflict = () => newConflict(resource, 'web', 'changed');

it('runs again after a conflict, 10 ms later', async () => {
  const { at, outcome } = await tries(conflict, 2);
  expect(outcome).toBe('done');
  expect(at.length).toBe(3);
  for (const [index, time] of at.entries()) expect(time).toBeGreaterThanOrEqual(10 * index);
});

it('gives up after five tries', async () => {
  const { at, outcome } = await tries(conflict, 9);
  expect(at.length).toBe(5);
  expect(outcome).toMatchObject({ reason: 'Conflict' });
});

it('can wait longer each time', async () => {
  const { at } = await tries(conflict, 9, DEFAULT_BACKOFF);
  expect(at.length).toBe(4);
  expect(at[3]).toBeGreaterThanOrEqual(310);
  expect(at[3]).toBeLessThanOrEqual(341);
});

it('lets other errors through', async () => {
  const { at, outcome } = await tries(() => newNotFound(resource, 'web'), 9);
  expect(at.length).toBe(1);
  expect(outcome).toMatchObject({ reason: 'NotFound' });
});
