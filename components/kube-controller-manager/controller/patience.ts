import type { Priority } from '../../../src/sim/actor.ts';

/** Nobody watches longer than this for a time limit to run out, or for something that fails again and again. */
const PATIENCE_MS = 60_000;

/** How urgent the wait for a time limit of a user's choice is: a short one is waited for, a settled cluster does not run on to the end of a long one. */
export function urgencyOf(delayMs: number): Priority {
  return delayMs > PATIENCE_MS ? 'background' : 'work';
}
