import type { Actor, Timer } from '../../../src/sim/actor.ts';

interface Worker {
  /** Absent once it has fired: the key stays, so that it does not fire twice. */
  timer: Timer | undefined;
}

/** Runs something once for each key, at a time that can be called off. pkg/controller/tainteviction/timed_workers.go TimedWorkerQueue */
export class TimedWorkerQueue {
  readonly #actor: Actor;
  readonly #work: (key: string) => Promise<void>;
  readonly #workers = new Map<string, Worker>();

  constructor(actor: Actor, work: (key: string) => Promise<void>) {
    this.#actor = actor;
    this.#work = work;
  }

  has(key: string): boolean {
    return this.#workers.has(key);
  }

  /** Does nothing when there is work under the key already. */
  addWork(key: string, fireAt: number): void {
    if (this.#workers.has(key)) return;
    const worker: Worker = { timer: undefined };
    this.#workers.set(key, worker);
    const run = async (): Promise<void> => {
      worker.timer = undefined;
      await this.#work(key);
    };
    worker.timer = this.#actor.schedule(fireAt - this.#actor.simulation.now, run, { label: `taint-eviction ${key}` });
  }

  /** Forgets the key; returns whether its work had yet to come. */
  cancelWork(key: string): boolean {
    const worker = this.#workers.get(key);
    this.#workers.delete(key);
    worker?.timer?.cancel();
    return worker?.timer !== undefined;
  }
}
