type Interval = readonly [first: number, last: number];

/** A set of completion indexes as sorted intervals: pkg/controller/job/indexed_job_utils.go orderedIntervals */
export class OrderedIntervals {
  static readonly empty = new OrderedIntervals([]);
  /** How many indexes there are. */
  readonly total: number;
  readonly #intervals: readonly Interval[];

  private constructor(intervals: readonly Interval[]) {
    this.#intervals = intervals;
    this.total = intervals.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  }

  /** Reads a text such as `1,3-5`, without indexes from `completions` on: pkg/controller/job/indexed_job_utils.go parseIndexesFromString */
  static parse(text: string | undefined, completions: number): OrderedIntervals {
    const intervals: Interval[] = [];
    for (const part of (text ?? '').split(',').filter(Boolean)) {
      const [first = Number.NaN, last = first] = part.split('-').map(Number);
      if (Number.isNaN(first) || first >= completions) break;
      intervals.push([first, Math.min(last, completions - 1)]);
    }
    return OrderedIntervals.#merged(intervals);
  }

  static #merged(intervals: readonly Interval[]): OrderedIntervals {
    const merged: [number, number][] = [];
    for (const [first, last] of [...intervals].sort((a, b) => a[0] - b[0])) {
      const before = merged.at(-1);
      if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
      else merged.push([first, last]);
    }
    return new OrderedIntervals(merged);
  }

  has(index: number): boolean {
    let [low, high] = [0, this.#intervals.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const [first, last] = this.#intervals[middle] ?? [0, -1];
      if (index < first) high = middle - 1;
      else if (index > last) low = middle + 1;
      else return true;
    }
    return false;
  }

  /** pkg/controller/job/indexed_job_utils.go withOrderedIndexes; here the indexes need no order. */
  with(indexes: Iterable<number>): OrderedIntervals {
    const added = Array.from(indexes, (index): Interval => [index, index]);
    return added.length === 0 ? this : OrderedIntervals.#merged([...this.#intervals, ...added]);
  }

  /** pkg/controller/job/indexed_job_utils.go merge */
  merge(other: OrderedIntervals): OrderedIntervals {
    return OrderedIntervals.#merged([...this.#intervals, ...other.#intervals]);
  }

  /** How many indexes both have. */
  countShared(other: OrderedIntervals): number {
    let shared = 0;
    for (const [first, last] of this.#intervals) {
      for (const [otherFirst, otherLast] of other.#intervals) {
        shared += Math.max(0, Math.min(last, otherLast) - Math.max(first, otherFirst) + 1);
      }
    }
    return shared;
  }

  /** The first `count` indexes below `completions` that are not in the set: pkg/controller/job/indexed_job_utils.go firstPendingIndexes */
  firstMissing(count: number, completions: number): number[] {
    const missing: number[] = [];
    let candidate = 0;
    for (const [first, last] of [...this.#intervals, [completions, completions] as const]) {
      for (; candidate < Math.min(first, completions) && missing.length < count; candidate++) missing.push(candidate);
      candidate = Math.max(candidate, last + 1);
    }
    return missing;
  }

  /** `1,3-5,7`; two neighbours are written `3,4`. pkg/controller/job/indexed_job_utils.go String */
  toString(): string {
    const text = ([first, last]: Interval): string => {
      if (first === last) return String(first);
      return last === first + 1 ? `${first},${last}` : `${first}-${last}`;
    };
    return this.#intervals.map(text).join(',');
  }
}
