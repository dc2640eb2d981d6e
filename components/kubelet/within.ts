import type { Actor } from '../../src/sim/actor.ts';

/** Waits for `promise`, but no longer than `ms`. */
export function within(actor: Actor, promise: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = actor.schedule(ms, () => actor.simulation.resolve(resolve, undefined));
    promise.then(
      () => {
        timer.cancel();
        resolve();
      },
      (error: unknown) => {
        timer.cancel();
        reject(error);
      },
    );
  });
}
