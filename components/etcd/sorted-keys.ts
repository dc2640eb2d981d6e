const INSERT_ONE_BY_ONE = 16;

/** A set of strings that is read in order. Writing costs a set operation; the order is brought up to date when somebody reads. */
export class SortedKeys {
  readonly #members = new Set<string>();
  /** In order; may hold `#stale` keys and lack `#missing` ones. */
  #sorted: string[] = [];
  readonly #missing = new Set<string>();
  readonly #stale = new Set<string>();

  get size(): number {
    return this.#members.size;
  }

  has(key: string): boolean {
    return this.#members.has(key);
  }

  add(key: string): void {
    if (this.#members.has(key)) return;
    this.#members.add(key);
    if (!this.#stale.delete(key)) this.#missing.add(key);
  }

  delete(key: string): void {
    if (!this.#members.delete(key)) return;
    if (!this.#missing.delete(key)) this.#stale.add(key);
  }

  /** All keys in order. Not to be changed, and valid until the next write. */
  read(): readonly string[] {
    if (this.#stale.size > 0) {
      this.#sorted = this.#sorted.filter((key) => !this.#stale.has(key));
      this.#stale.clear();
    }
    if (this.#missing.size > 0) {
      if (this.#missing.size <= INSERT_ONE_BY_ONE)
        for (const key of this.#missing) this.#sorted.splice(lowerBound(this.#sorted, key), 0, key);
      else this.#sorted = [...this.#sorted, ...[...this.#missing].sort()].sort();
      this.#missing.clear();
    }
    return this.#sorted;
  }
}

/** Index of the first key that is not less than `key`. */
export function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as string) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
