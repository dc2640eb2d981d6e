const CONTEXT = 3;

interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** The differences of two texts as hunks of `diff -u`, without the two lines that name the files; none when they are the same. */
export function unifiedDiff(before: string, after: string): string[] {
  const lines = align(linesOf(before), linesOf(after));
  const hunks: string[] = [];
  let [fromLine, toLine] = [0, 0];
  for (let at = 0; at < lines.length; ) {
    const next = lines.findIndex(({ sign }, index) => index >= at && sign !== ' ');
    if (next < 0) break;
    const start = Math.max(at, next - CONTEXT);
    const end = endOfHunk(lines, next);
    const skipped = start - at;
    const hunk = lines.slice(start, end);
    const [removed, added] = [countOf(hunk, '+'), countOf(hunk, '-')];
    hunks.push(
      `@@ -${range(fromLine + skipped, removed)} +${range(toLine + skipped, added)} @@`,
      ...hunk.map(({ sign, text }) => sign + text),
    );
    fromLine += skipped + removed;
    toLine += skipped + added;
    at = end;
  }
  return hunks;
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
const countOf = (hunk: readonly Line[], without: '+' | '-'): number => hunk.filter(({ sign }) => sign !== without).length;
const range = (line: number, count: number): string => `${count ? line + 1 : line}${count === 1 ? '' : `,${count}`}`;

/** Changes that are near one another share a hunk. */
function endOfHunk(lines: readonly Line[], from: number): number {
  let last = from;
  for (let at = from; at < lines.length && at <= last + 2 * CONTEXT + 1; at++) if (lines[at]?.sign !== ' ') last = at;
  return Math.min(lines.length, last + CONTEXT + 1);
}

/** A longest common subsequence, and what is left out of and put into it. */
function align(a: readonly string[], b: readonly string[]): Line[] {
  const common = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      (common[i] as Uint32Array)[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: Line[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ sign: ' ', text: a[i] as string });
      i++;
      j++;
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1))) lines.push({ sign: '-', text: a[i++] as string });
    else lines.push({ sign: '+', text: b[j++] as string });
  }
  return lines;
}
