/** What the queue orders by: due time first, then insertion number. */
export interface Queued {
  /** Virtual milliseconds. */
  readonly due: number;
  /** Unique; smaller runs first among equal due times. */
  readonly order: number;
}

/**
 * A binary heap ordered by due time, then by insertion number, so that the order of events is total.
 * @example const queue = new EventQueue<SimEvent>(); queue.push(event); queue.pop();
 */
export class EventQueue<T extends Queued> {
  readonly #heap: T[] = [];

  get size(): number {
    return this.#heap.length;
  }

  peek(): T | undefined {
    return this.#heap[0];
  }

  push(item: T): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push(item);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent] as T;
      if (!before(item, above)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = item;
  }

  pop(): T | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (heap.length > 0 && last !== undefined) this.#sinkFromTop(last);
    return first;
  }

  #sinkFromTop(item: T): void {
    const heap = this.#heap;
    const size = heap.length;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= size) break;
      const right = child + 1;
      if (right < size && before(heap[right] as T, heap[child] as T)) child = right;
      const below = heap[child] as T;
      if (!before(below, item)) break;
      heap[index] = below;
      index = child;
    }
    heap[index] = item;
  }

  /** Items in no particular order, for reports. */
  items(): readonly T[] {
    return this.#heap;
  }
}

function before(a: Queued, b: Queued): boolean {
  return a.due < b.due || (a.due === b.due && a.order < b.order);
}
