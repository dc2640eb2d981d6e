interface Slot<T> {
  readonly key: string;
  item: T;
  /** Order of insertion, for items that compare as equal. */
  readonly order: number;
  index: number;
}

/** A heap whose items can be found, changed and removed by key: backend/heap.Heap. */
export class Heap<T> {
  readonly #slots: Slot<T>[] = [];
  readonly #byKey = new Map<string, Slot<T>>();
  readonly #keyOf: (item: T) => string;
  readonly #less: (a: T, b: T) => boolean;
  #insertions = 0;

  constructor(options: { keyOf: (item: T) => string; less: (a: T, b: T) => boolean }) {
    this.#keyOf = options.keyOf;
    this.#less = options.less;
  }

  get size(): number {
    return this.#slots.length;
  }

  get(key: string): T | undefined {
    return this.#byKey.get(key)?.item;
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  /** Adds the item, or replaces the one with its key. */
  addOrUpdate(item: T): void {
    const key = this.#keyOf(item);
    const present = this.#byKey.get(key);
    if (present) {
      present.item = item;
      this.#restore(present.index);
      return;
    }
    const slot = { key, item, order: ++this.#insertions, index: this.#slots.length };
    this.#slots.push(slot);
    this.#byKey.set(key, slot);
    this.#up(slot.index);
  }

  delete(key: string): T | undefined {
    const slot = this.#byKey.get(key);
    if (!slot) return undefined;
    this.#byKey.delete(key);
    const last = this.#slots.pop();
    if (last && last !== slot) {
      this.#place(last, slot.index);
      this.#restore(slot.index);
    }
    return slot.item;
  }

  peek(): T | undefined {
    return this.#slots[0]?.item;
  }

  pop(): T | undefined {
    const first = this.#slots[0];
    return first && this.delete(first.key);
  }

  /** In no special order. */
  list(): T[] {
    return this.#slots.map((slot) => slot.item);
  }

  #before(a: Slot<T>, b: Slot<T>): boolean {
    if (this.#less(a.item, b.item)) return true;
    return !this.#less(b.item, a.item) && a.order < b.order;
  }

  #place(slot: Slot<T>, index: number): void {
    slot.index = index;
    this.#slots[index] = slot;
  }

  #restore(index: number): void {
    this.#up(index);
    this.#down(index);
  }

  #up(start: number): void {
    const slot = this.#slots[start];
    if (!slot) return;
    let index = start;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = this.#slots[parentIndex];
      if (!parent || !this.#before(slot, parent)) break;
      this.#place(parent, index);
      index = parentIndex;
    }
    this.#place(slot, index);
  }

  #down(start: number): void {
    const slot = this.#slots[start];
    if (!slot) return;
    let index = start;
    for (;;) {
      const left = this.#slots[2 * index + 1];
      const right = this.#slots[2 * index + 2];
      const child = right && left && this.#before(right, left) ? right : left;
      if (!child || !this.#before(child, slot)) break;
      const next = child.index;
      this.#place(child, index);
      index = next;
    }
    this.#place(slot, index);
  }
}
