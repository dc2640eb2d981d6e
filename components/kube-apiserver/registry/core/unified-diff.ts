// Differences of texts by lines, as Go's difflib finds them, which is Python's: the longest run of equal lines first, then what is left and right of it.

interface Block {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

interface Change {
  readonly equal: boolean;
  readonly a: readonly [number, number];
  readonly b: readonly [number, number];
}

const CONTEXT = 3;
/** Lines that are more than a hundredth of a long text say nothing about what belongs together. */
const POPULAR_FROM = 200;

/** Where each line of `b` is. difflib SequenceMatcher chainB */
function placesOf(b: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  b.forEach((line, j) => {
    const known = places.get(line);
    if (known) known.push(j);
    else places.set(line, [j]);
  });
  if (b.length < POPULAR_FROM) return places;
  const limit = Math.trunc(b.length / 100) + 1;
  return new Map([...places].filter(([, at]) => at.length <= limit));
}

/** SequenceMatcher.findLongestMatch within ranges of both texts. */
function longestMatch(texts: Texts, [aLow, aHigh]: Change['a'], [bLow, bHigh]: Change['b']): Block {
  const { a, b, places } = texts;
  let best: Block = { a: aLow, b: bLow, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = aLow; i < aHigh; i++) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i] ?? '') ?? []) {
      if (j < bLow || j >= bHigh) continue;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  // Popular lines around it belong to it.
  let { a: start, b: other, size } = best;
  while (start > aLow && other > bLow && a[start - 1] === b[other - 1]) {
    start--;
    other--;
    size++;
  }
  while (start + size < aHigh && other + size < bHigh && a[start + size] === b[other + size]) size++;
  return { a: start, b: other, size };
}

interface Texts {
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly places: ReadonlyMap<string, readonly number[]>;
}

function matchingBlocks(texts: Texts, a: Change['a'], b: Change['b']): Block[] {
  const match = longestMatch(texts, a, b);
  if (match.size === 0) return [];
  const before = a[0] < match.a && b[0] < match.b ? matchingBlocks(texts, [a[0], match.a], [b[0], match.b]) : [];
  const [aEnd, bEnd] = [match.a + match.size, match.b + match.size];
  const after = aEnd < a[1] && bEnd < b[1] ? matchingBlocks(texts, [aEnd, a[1]], [bEnd, b[1]]) : [];
  return [...before, match, ...after];
}

function changesOf(a: readonly string[], b: readonly string[]): Change[] {
  const changes: Change[] = [];
  let [i, j] = [0, 0];
  const blocks = matchingBlocks({ a, b, places: placesOf(b) }, [0, a.length], [0, b.length]);
  for (const block of [...blocks, { a: a.length, b: b.length, size: 0 }]) {
    if (i < block.a || j < block.b) changes.push({ equal: false, a: [i, block.a], b: [j, block.b] });
    [i, j] = [block.a + block.size, block.b + block.size];
    if (block.size > 0) changes.push({ equal: true, a: [block.a, i], b: [block.b, j] });
  }
  return changes;
}

/** Changes with the lines around them, apart where many equal lines lie between: SequenceMatcher.GetGroupedOpCodes. */
function groupsOf(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  let group: Change[] = [];
  changes.forEach((change, index) => {
    const [first, last] = [index === 0, index === changes.length - 1];
    const { a, b, equal } = change;
    const size = a[1] - a[0];
    if (!equal || (!first && !last && size <= 2 * CONTEXT)) {
      group.push(change);
      return;
    }
    const head = Math.min(size, CONTEXT);
    if (!first) group.push({ equal, a: [a[0], a[0] + head], b: [b[0], b[0] + head] });
    if (group.some((one) => !one.equal)) groups.push(group);
    group = last ? [] : [{ equal, a: [a[1] - head, a[1]], b: [b[1] - head, b[1]] }];
  });
  if (group.some((one) => !one.equal)) groups.push(group);
  return groups;
}

function range(from: number, to: number): string {
  const length = to - from;
  if (length === 1) return String(from + 1);
  return `${length === 0 ? from : from + 1},${length}`;
}

/** A unified diff without names of files. */
export function unifiedDiff(a: readonly string[], b: readonly string[]): string {
  const out: string[] = [];
  for (const group of groupsOf(changesOf(a, b))) {
    const [first, last] = [group[0], group.at(-1)];
    if (!first || !last) continue;
    out.push(`@@ -${range(first.a[0], last.a[1])} +${range(first.b[0], last.b[1])} @@`);
    for (const { equal, a: from, b: to } of group) {
      if (equal) out.push(...a.slice(...from).map((line) => ` ${line}`));
      else out.push(...a.slice(...from).map((line) => `-${line}`), ...b.slice(...to).map((line) => `+${line}`));
    }
  }
  return out.length ? `${out.join('\n')}\n` : '';
}
