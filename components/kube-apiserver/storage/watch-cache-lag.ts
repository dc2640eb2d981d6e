/** What a watch cache does not know yet: it hears of a commit a moment later than etcd's clients. Which revisions those are, for the reads that a cache may answer. */
export class WatchCacheLag {
  readonly #lagMs: number;
  /** The first revision of each instant that may not have reached the cache. */
  #recent: { readonly at: number; readonly first: number }[] = [];

  constructor(lagMs: number) {
    this.#lagMs = lagMs;
  }

  /** Something was committed. */
  note(revision: number, now: number): void {
    if (this.#lagMs === 0 || this.#recent.at(-1)?.at === now) return;
    this.#recent = this.#recent.filter(({ at }) => at > now - this.#lagMs);
    this.#recent.push({ at: now, first: revision });
  }

  /** The newest revision that the cache has for sure; undefined when it has all. */
  known(now: number): number | undefined {
    const unknown = this.#recent.find(({ at }) => at > now - this.#lagMs);
    return unknown && unknown.first - 1;
  }
}
