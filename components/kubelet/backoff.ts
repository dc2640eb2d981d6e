interface Entry {
  delay: number;
  lastUpdate: number;
}

/** client-go util/flowcontrol Backoff: per key a delay that doubles, and is forgotten when nothing happened for twice the longest. */
export class Backoff {
  readonly #entries = new Map<string, Entry>();
  readonly #initial: number;
  readonly #max: number;

  constructor(initial: number, max: number) {
    this.#initial = initial;
    this.#max = max;
  }

  /** The present delay of a key; 0 for none. */
  get(key: string): number {
    return this.#entries.get(key)?.delay ?? 0;
  }

  /** Whether the delay that began at `since` has not passed yet at `now` (IsInBackOffSince). */
  isInBackOffSince(key: string, since: number, now: number): boolean {
    const entry = this.#entries.get(key);
    if (!entry || this.#expired(entry, since)) return false;
    return now - since < entry.delay;
  }

  /** IsInBackOffSinceUpdate */
  isInBackOffSinceUpdate(key: string, now: number): boolean {
    const entry = this.#entries.get(key);
    if (!entry || this.#expired(entry, now)) return false;
    return now - entry.lastUpdate < entry.delay;
  }

  /** Starts or doubles the delay (Next). */
  next(key: string, since: number, now: number): void {
    const entry = this.#entries.get(key);
    if (!entry || this.#expired(entry, since)) this.#entries.set(key, { delay: this.#initial, lastUpdate: now });
    else {
      entry.delay = Math.min(entry.delay * 2, this.#max);
      entry.lastUpdate = now;
    }
  }

  /** The delay cannot grow any more. */
  atMaximum(key: string): boolean {
    return this.get(key) >= this.#max;
  }

  forget(prefix: string): void {
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#entries.delete(key);
  }

  #expired(entry: Entry, at: number): boolean {
    return at - entry.lastUpdate > 2 * this.#max;
  }
}
