const MAX_RETRY_AFTER = 32;

/** How long clients of one priority level are told to stay away: longer while many come, shorter when few do. apiserver pkg/util/flowcontrol droppedRequestsStats */
export class DroppedRequests {
  /** Requests turned away, by second. */
  readonly #counts = new Map<number, number>();
  #retryAfter = 1;
  #updated: number | undefined;

  get retryAfterSeconds(): number {
    return this.#retryAfter;
  }

  record(second: number): void {
    if (!this.#counts.has(second)) this.#update(second);
    this.#counts.set(second, (this.#counts.get(second) ?? 0) + 1);
  }

  #update(second: number): void {
    this.#updated ??= second;
    if (second - this.#updated < this.#retryAfter) return;
    let dropped = 0;
    for (const [at, count] of this.#counts) {
      if (at >= second - this.#retryAfter) dropped += count;
      else this.#counts.delete(at);
    }
    if (dropped >= 3 * this.#retryAfter) this.#retryAfter = Math.min(this.#retryAfter * 2, MAX_RETRY_AFTER);
    else if (dropped < this.#retryAfter && this.#retryAfter > 1) this.#retryAfter--;
    this.#updated = second;
  }
}
