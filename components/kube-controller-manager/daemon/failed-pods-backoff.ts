const INITIAL_MS = 1000;
const MAX_MS = 15 * 60_000;

interface Entry {
  readonly backoff: number;
  readonly lastUpdate: number;
}

/**
 * How long a failed pod of one node is left alone, longer each time: client-go util/flowcontrol Backoff, as pkg/controller/daemon has it (1 s … 15 min).
 */
export class FailedPodsBackoff {
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The wait, if it has not passed yet: client-go util/flowcontrol Backoff.IsInBackOffSinceUpdate and Get */
  remaining(key: string): number | undefined {
    const entry = this.#entries.get(key);
    if (!entry || this.#hasExpired(entry)) return undefined;
    return this.#now() - entry.lastUpdate < entry.backoff ? entry.backoff : undefined;
  }

  /** client-go util/flowcontrol Backoff.Next */
  next(key: string): void {
    const entry = this.#entries.get(key);
    const backoff = !entry || this.#hasExpired(entry) ? INITIAL_MS : Math.min(2 * entry.backoff, MAX_MS);
    this.#entries.set(key, { backoff, lastUpdate: this.#now() });
  }

  /** Drops what is not remembered any longer: client-go util/flowcontrol Backoff.GC */
  collect(): void {
    for (const [key, entry] of this.#entries) if (this.#hasExpired(entry)) this.#entries.delete(key);
  }

  #hasExpired({ lastUpdate }: Entry): boolean {
    return this.#now() - lastUpdate > 2 * MAX_MS;
  }
}
