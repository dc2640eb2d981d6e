import type { Actor } from '../../../src/sim/actor.ts';

/** Lets work go on beside the caller. What it throws, only we can have caused: it ends the simulation instead of vanishing. */
export function inBackground(actor: Actor, work: Promise<void>): void {
  work.catch((error: unknown) => {
    actor.schedule(0, () => {
      throw error;
    });
  });
}
