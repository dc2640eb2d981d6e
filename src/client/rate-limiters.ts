/** Says how long a key has to wait before its next try: client-go util/workqueue TypedRateLimiter. Times are virtual milliseconds. */
export interface RateLimiter {
  /** The delay before the next try; counts as a failure of the key. */
  when(key: string): number;
  /** The key did well: its failures no longer count. */
  forget(key: string): void;
  numRequeues(key: string): number;
}

/** client-go util/workqueue TypedItemExponentialFailureRateLimiter: `base * 2 ** failures`, at most `max`. */
export class ItemExponentialFailureRateLimiter implements RateLimiter {
  readonly #baseMs: number;
  readonly #maxMs: number;
  readonly #failures = new Map<string, number>();

  constructor(baseMs: number, maxMs: number) {
    this.#baseMs = baseMs;
    this.#maxMs = maxMs;
  }

  when(key: string): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    return Math.min(this.#baseMs * 2 ** failures, this.#maxMs);
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  numRequeues(key: string): number {
    return this.#failures.get(key) ?? 0;
  }
}

/** client-go util/workqueue TypedItemFastSlowRateLimiter: `fastMs` for the first `maxFastAttempts` tries, then `slowMs`. */
export class ItemFastSlowRateLimiter implements RateLimiter {
  readonly #options: { readonly fastMs: number; readonly slowMs: number; readonly maxFastAttempts: number };
  readonly #failures = new Map<string, number>();

  constructor(options: { readonly fastMs: number; readonly slowMs: number; readonly maxFastAttempts: number }) {
    this.#options = options;
  }

  when(key: string): number {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    return failures <= this.#options.maxFastAttempts ? this.#options.fastMs : this.#options.slowMs;
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  numRequeues(key: string): number {
    return this.#failures.get(key) ?? 0;
  }
}

/** golang.org/x/time/rate Limiter: a bucket of `burst` tokens that fills at `qps` tokens a second. */
export class TokenBucket {
  readonly #qps: number;
  readonly #burst: number;
  readonly #now: () => number;
  #tokens: number;
  #last: number;

  constructor(options: { readonly qps: number; readonly burst: number; readonly now: () => number }) {
    this.#qps = options.qps;
    this.#burst = options.burst;
    this.#now = options.now;
    this.#tokens = options.burst;
    this.#last = options.now();
  }

  /** Takes a token, on credit if need be; returns how many milliseconds it takes until it would have been there. */
  reserve(): number {
    this.#refill();
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : Math.ceil((-this.#tokens / this.#qps) * 1000);
  }

  /** Takes a token if there is one. */
  tryAccept(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  #refill(): void {
    const now = this.#now();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#last) / 1000) * this.#qps);
    this.#last = now;
  }
}

/** client-go util/workqueue TypedBucketRateLimiter: one bucket for all keys. */
export class BucketRateLimiter implements RateLimiter {
  readonly #bucket: TokenBucket;

  constructor(options: { readonly qps: number; readonly burst: number; readonly now: () => number }) {
    this.#bucket = new TokenBucket(options);
  }

  when(): number {
    return this.#bucket.reserve();
  }

  forget(): void {}

  numRequeues(): number {
    return 0;
  }
}

/** client-go util/workqueue TypedMaxOfRateLimiter: the longest delay that any of them asks for. */
export class MaxOfRateLimiter implements RateLimiter {
  readonly #limiters: readonly RateLimiter[];

  constructor(limiters: readonly RateLimiter[]) {
    this.#limiters = limiters;
  }

  when(key: string): number {
    return Math.max(...this.#limiters.map((limiter) => limiter.when(key)));
  }

  forget(key: string): void {
    for (const limiter of this.#limiters) limiter.forget(key);
  }

  numRequeues(key: string): number {
    return Math.max(...this.#limiters.map((limiter) => limiter.numRequeues(key)));
  }
}

/** client-go util/workqueue DefaultTypedControllerRateLimiter: 5 ms doubling up to 1,000 s for each key, and 10 a second (burst 100) for all together. */
export function defaultControllerRateLimiter(now: () => number): RateLimiter {
  return new MaxOfRateLimiter([new ItemExponentialFailureRateLimiter(5, 1_000_000), new BucketRateLimiter({ qps: 10, burst: 100, now })]);
}

/** client-go util/workqueue DefaultTypedItemBasedRateLimiter */
export function defaultItemBasedRateLimiter(): RateLimiter {
  return new ItemExponentialFailureRateLimiter(1, 1_000_000);
}
