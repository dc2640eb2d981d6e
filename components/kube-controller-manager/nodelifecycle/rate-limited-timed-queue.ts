/**
 * Names that wait for something that is done at a limited rate, one at a time; a name that was handled is not taken again until it is removed.
 * pkg/controller/nodelifecycle/scheduler/rate_limited_queue.go RateLimitedTimedQueue
 */
export class RateLimitedTimedQueue {
  readonly #now: () => number;
  readonly #known = new Set<string>();
  #waiting: string[] = [];
  #qps: number;
  #nextAt: number;

  /** @param options.qps how many a second */
  constructor(options: { qps: number; now: () => number }) {
    this.#now = options.now;
    this.#qps = options.qps;
    this.#nextAt = options.now();
  }

  /** Returns whether the name is new. */
  add(name: string): boolean {
    if (this.#known.has(name)) return false;
    this.#known.add(name);
    this.#waiting.push(name);
    return true;
  }

  /** Forgets the name, also that it was handled. */
  remove(name: string): void {
    if (this.#known.delete(name)) this.#waiting = this.#waiting.filter((other) => other !== name);
  }

  /** Forgets that the name was handled: it may be added again. rate_limited_queue.go SetRemove */
  setRemove(name: string): void {
    if (!this.#waiting.includes(name)) this.#known.delete(name);
  }

  /** In how many milliseconds the next name may be taken; undefined when none waits, or none may be taken. */
  waitMs(): number | undefined {
    return this.#waiting.length > 0 && this.#qps > 0 ? Math.max(0, this.#nextAt - this.#now()) : undefined;
  }

  /** The next name, if the rate allows it now. rate_limited_queue.go Try */
  take(): string | undefined {
    if (this.waitMs() !== 0) return undefined;
    this.#nextAt = this.#now() + 1_000 / this.#qps;
    return this.#waiting.shift();
  }

  /** Puts a name that could not be handled back into the line. */
  putBack(name: string): void {
    if (this.#known.has(name) && !this.#waiting.includes(name)) this.#waiting.unshift(name);
  }

  /** From now on `qps` a second, 0 for none; what was waited for at the old rate is waited for anew. rate_limited_queue.go SwapLimiter */
  swapLimiter(qps: number): void {
    if (qps === this.#qps) return;
    const drained = this.#qps === 0 || this.#now() < this.#nextAt;
    this.#qps = qps;
    if (qps > 0) this.#nextAt = this.#now() + (drained ? 1_000 / qps : 0);
  }
}
