/** An interval of completion indexes, both ends in it. */
export type IndexInterval = readonly [first: number, last: number];

/**
 * Reads a text such as `0,2-4`, whose indexes rise and are below `completions`.
 * kubernetes pkg/apis/batch/validation validateIndexesFormat
 * @returns what is wrong with the text, if something is
 */
export function parseIndexes(text: string, completions: number): readonly IndexInterval[] | string {
  const intervals: IndexInterval[] = [];
  if (text === '') return intervals;
  for (const fragment of text.split(',')) {
    const interval = parseIndexInterval(fragment, completions);
    if (typeof interval === 'string') return interval;
    const previous = intervals.at(-1)?.[1];
    if (previous !== undefined && interval[0] <= previous) return nonIncreasing(previous, interval[0]);
    intervals.push(interval);
  }
  return intervals;
}

/** kubernetes pkg/apis/batch/validation parseIndexInterval */
function parseIndexInterval(fragment: string, completions: number): IndexInterval | string {
  const bounds = fragment.split('-');
  if (bounds.length > 2)
    return `the fragment ${JSON.stringify(fragment)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  for (const bound of bounds) {
    if (!/^\+?\d+$/.test(bound)) return `cannot convert string to integer for index: ${JSON.stringify(bound)}`;
    if (Number(bound) >= completions) return `too large index: ${JSON.stringify(bound)}`;
  }
  const [first = 0, last] = bounds.map(Number);
  if (last === undefined) return [first, first];
  return first >= last ? nonIncreasing(first, last) : [first, last];
}

function nonIncreasing(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}

/** The lowest index that both have: kubernetes pkg/apis/batch/validation validateFailedIndexesNotOverlapCompleted */
export function firstSharedIndex(some: readonly IndexInterval[], others: readonly IndexInterval[]): number | undefined {
  for (const [first, last] of some) {
    const other = others.find((interval) => interval[0] <= last && first <= interval[1]);
    if (other) return Math.max(first, other[0]);
  }
  return undefined;
}
