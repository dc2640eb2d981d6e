/**
 * A short unified diff of two JSON values, for errors that show what may not change. The real one diffs a dump of its internal structs; ours has
 * the same form over the fields of the API.
 */
export function structDiff(before: unknown, after: unknown): string {
  const a = lines(before);
  const b = lines(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const from = Math.max(0, start - CONTEXT);
  const aEnd = Math.min(a.length, a.length - end + CONTEXT);
  const bEnd = Math.min(b.length, b.length - end + CONTEXT);
  return [
    `@@ -${from + 1},${aEnd - from} +${from + 1},${bEnd - from} @@`,
    ...a.slice(from, start).map((line) => ` ${line}`),
    ...a.slice(start, a.length - end).map((line) => `-${line}`),
    ...b.slice(start, b.length - end).map((line) => `+${line}`),
    ...a.slice(a.length - end, aEnd).map((line) => ` ${line}`),
    '',
  ].join('\n');
}

const CONTEXT = 3;

function lines(value: unknown): string[] {
  return (JSON.stringify(value, null, 1) ?? 'null').split('\n');
}
