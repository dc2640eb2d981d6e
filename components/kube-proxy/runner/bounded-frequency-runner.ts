import type { Actor, Priority, Timer } from '../../../src/sim/actor.ts';

/**
 * Runs something soon after it is asked for, but never more often than once in `minIntervalMs`; many requests are one run.
 * pkg/proxy/runner/bounded_frequency_runner.go BoundedFrequencyRunner
 */
export class BoundedFrequencyRunner {
  readonly #actor: Actor;
  readonly #run: () => boolean;
  readonly #intervals: { readonly minIntervalMs: number; readonly retryIntervalMs: number; readonly maxIntervalMs: number };
  #nextAllowed = 0;
  #timer: { readonly timer: Timer; readonly priority: Priority } | undefined;

  /** @param run returns whether it went well; if not it runs again after `retryIntervalMs`, and in any case after `maxIntervalMs` */
  constructor(actor: Actor, run: () => boolean, intervals: { minIntervalMs: number; retryIntervalMs: number; maxIntervalMs: number }) {
    this.#actor = actor;
    this.#run = run;
    this.#intervals = intervals;
  }

  /** Asks for a run. */
  run(): void {
    this.#schedule(Math.max(0, this.#nextAllowed - this.#actor.simulation.now), 'work');
  }

  #schedule(delayMs: number, priority: Priority): void {
    const before = this.#timer;
    if (before && before.priority === 'work' && before.timer.due <= this.#actor.simulation.now + delayMs) return;
    before?.timer.cancel();
    const timer = this.#actor.schedule(delayMs, () => this.#fire(), { priority, label: `${this.#actor.name} sync` });
    this.#timer = { timer, priority };
  }

  #fire(): void {
    this.#timer = undefined;
    const { minIntervalMs, retryIntervalMs, maxIntervalMs } = this.#intervals;
    const isDone = this.#run();
    this.#nextAllowed = this.#actor.simulation.now + minIntervalMs;
    this.#schedule(isDone ? maxIntervalMs : retryIntervalMs, 'background');
  }
}
