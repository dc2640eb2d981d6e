import type { Actor } from '../../../../src/sim/actor.ts';
import { rethrowPanic } from '../../controller/sync-error.ts';

const INITIAL_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 122_000;

interface Failure {
  readonly delayMs: number;
  readonly until: number;
}

/** Long work beside the queues, at most one of each name at a time; what failed is not begun again too soon. pkg/util/goroutinemap */
export class Operations {
  readonly #actor: Actor;
  readonly #running = new Set<string>();
  readonly #failures = new Map<string, Failure>();

  constructor(actor: Actor) {
    this.#actor = actor;
  }

  /** Does nothing when one of that name runs, or has failed a short while ago. pv_controller.go scheduleOperation */
  start(name: string, run: () => Promise<void>): void {
    const { now } = this.#actor.simulation;
    if (this.#running.has(name) || (this.#failures.get(name)?.until ?? 0) > now) return;
    this.#running.add(name);
    this.#actor.schedule(0, () => this.#run(name, run), { label: `${this.#actor.name} ${name}` });
  }

  async #run(name: string, run: () => Promise<void>): Promise<void> {
    try {
      await run();
      this.#failures.delete(name);
    } catch (error) {
      rethrowPanic(error);
      const before = this.#failures.get(name);
      const delayMs = before ? Math.min(before.delayMs * 2, MAX_BACKOFF_MS) : INITIAL_BACKOFF_MS;
      this.#failures.set(name, { delayMs, until: this.#actor.simulation.now + delayMs });
    } finally {
      this.#running.delete(name);
    }
  }
}
