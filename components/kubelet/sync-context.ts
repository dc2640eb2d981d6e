import type { Simulation } from '../../src/sim/simulation.ts';

/** A sync was cut short because its pod is to be stopped: Go's context.Canceled. Only the wait for volumes can be. */
export class SyncCanceled extends Error {
  override name = 'SyncCanceled';
}

/** What Go's context.Context is to one sync of a pod: it tells that the sync shall end early. */
export class SyncContext {
  readonly #simulation: Simulation;
  #canceled = false;
  readonly #listeners = new Set<() => void>();

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  cancel(): void {
    if (this.#canceled) return;
    this.#canceled = true;
    for (const listener of [...this.#listeners]) listener();
    this.#listeners.clear();
  }

  /** Waits for `promise`, but no longer than until the sync is cut short. @throws SyncCanceled */
  async wait<T>(promise: Promise<T>): Promise<T> {
    if (this.#canceled) throw new SyncCanceled('context canceled');
    return new Promise<T>((resolve, reject) => {
      const stop = (): void => this.#simulation.resolve<unknown>(reject, new SyncCanceled('context canceled'));
      this.#listeners.add(stop);
      promise.then(
        (value) => {
          this.#listeners.delete(stop);
          resolve(value);
        },
        (error: unknown) => {
          this.#listeners.delete(stop);
          reject(error);
        },
      );
    });
  }
}
