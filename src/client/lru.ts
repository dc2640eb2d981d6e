/** A map that forgets what was used longest ago when it is full. */
export class LruMap<V> {
  readonly #capacity: number;
  readonly #entries = new Map<string, V>();
  /** The key used last: it is at the end of the entries already. */
  #newest: string | undefined;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined || key === this.#newest) return value;
    this.#newest = key;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    if (key !== this.#newest) this.#entries.delete(key);
    this.#newest = key;
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#capacity) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }
}
