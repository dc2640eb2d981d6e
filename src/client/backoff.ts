import type { Random } from '../sim/random.ts';

export interface BackoffOptions {
  readonly initialMs: number;
  readonly factor: number;
  readonly maxMs: number;
  /** Up to this part of the delay is added at random. */
  readonly jitter: number;
  /** After this long without a failure it starts anew. */
  readonly resetMs?: number;
}

/** Growing delays between tries: apimachinery pkg/util/wait Backoff.DelayWithReset. */
export class Backoff {
  readonly #options: BackoffOptions;
  readonly #random: Random;
  readonly #now: () => number;
  #nextMs: number;
  #last = Number.NEGATIVE_INFINITY;

  constructor(options: BackoffOptions, random: Random, now: () => number) {
    this.#options = options;
    this.#random = random;
    this.#now = now;
    this.#nextMs = options.initialMs;
  }

  /** The delay before the next try, in whole milliseconds. */
  next(): number {
    const { initialMs, factor, maxMs, jitter, resetMs } = this.#options;
    const now = this.#now();
    if (resetMs !== undefined && now - this.#last > resetMs) this.#nextMs = initialMs;
    this.#last = now;
    const delay = this.#nextMs;
    this.#nextMs = Math.min(delay * factor, maxMs);
    return Math.round(this.#random.jitter(delay, jitter));
  }
}
