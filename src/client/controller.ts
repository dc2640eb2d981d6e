import type { Actor } from '../sim/actor.ts';
import { InvariantError } from '../sim/invariant.ts';
import type { RateLimitingQueue } from './workqueue.ts';

/** What to work on, and how. */
export interface WorkersOptions {
  readonly actor: Actor;
  /** The controller's name in the trace. */
  readonly name: string;
  readonly queue: RateLimitingQueue;
  /** How many keys are worked on at once; 1 if absent. */
  readonly workers?: number;
  /** Makes what is so what should be, for one key. When it fails, the key comes again as the rate limiter says. */
  readonly reconcile: (key: string) => Promise<void> | void;
  /** Called in place of `addRateLimited` when `reconcile` fails, e.g. to give up after some tries. */
  readonly handleError?: (key: string, error: unknown) => void;
  /** Treat a mistake in the program (TypeError, a broken invariant, …) as any other error. Otherwise it ends the simulation's run. */
  readonly recoverPanics?: boolean;
}

/**
 * Works on the keys of a queue for as long as the actor runs. Each key is taken in an event of its own, so that a reconcile never runs within a watch
 * delivery. Stands for the `processNextWorkItem` loop that each controller of Kubernetes has.
 * @example runWorkers({ actor, name: 'replicaset', queue, workers: 5, reconcile: (key) => syncReplicaSet(key) });
 */
export function runWorkers(options: WorkersOptions): void {
  const workers = new Workers(options);
  options.queue.onReady(() => workers.dispatch());
}

class Workers {
  readonly #options: WorkersOptions;
  #idle: number;
  /** Events that are scheduled and have not taken their key yet. */
  #dispatched = 0;

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.#idle = options.workers ?? 1;
  }

  dispatch(): void {
    const { actor, name, queue } = this.#options;
    while (this.#idle > 0 && queue.length > this.#dispatched) {
      const key = queue.peek(this.#dispatched) ?? '';
      this.#idle--;
      this.#dispatched++;
      actor.schedule(0, () => this.#work(), { label: `${name} ${key}` });
    }
  }

  #work(): void | Promise<void> {
    const { actor, name, queue, reconcile } = this.#options;
    this.#dispatched--;
    const item = queue.get();
    if (!item) return this.#free();
    const { key, cause } = item;
    actor.simulation.recordCause({ kind: 'reconcile', controller: name, key, what: 'start' }, cause);
    try {
      const result = reconcile(key);
      if (!(result instanceof Promise)) return this.#succeeded(key);
      return result.then(
        () => this.#succeeded(key),
        (error: unknown) => this.#failed(key, error),
      );
    } catch (error) {
      return this.#failed(key, error);
    }
  }

  #succeeded(key: string): void {
    this.#options.queue.forget(key);
    this.#finish(key);
  }

  #failed(key: string, error: unknown): void {
    const { queue, handleError, recoverPanics } = this.#options;
    if (!recoverPanics && isPanic(error)) throw error;
    if (handleError) handleError(key, error);
    else queue.addRateLimited(key);
    this.#finish(key, error instanceof Error ? error.message : String(error));
  }

  #finish(key: string, result?: string): void {
    const { actor, name, queue } = this.#options;
    const { trace } = actor.simulation;
    const outcome = result === undefined ? {} : { result };
    trace.record(trace.recording ? { kind: 'reconcile', controller: name, key, what: 'end', ...outcome } : undefined);
    queue.done(key);
    this.#free();
  }

  #free(): void {
    this.#idle++;
    this.dispatch();
  }
}

/** What Go would answer with a panic: a mistake in the program, not something that the cluster did. */
function isPanic(error: unknown): boolean {
  return error instanceof InvariantError || error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
}
