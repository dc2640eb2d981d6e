import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unifiedDiff } from './unified-diff.ts';

// Goal: the diff of Go's difflib: few lines around each change, apart where many are equal; it can be applied.

/** Applies a diff, which must fit. */
function patch(a: readonly string[], diff: string): string[] {
  const out: string[] = [];
  let at = 0;
  for (const line of diff.split('\n').slice(0, -1)) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? /.exec(line);
    if (hunk) {
      const from = Number(hunk[1]) - (hunk[2] === '0' ? 0 : 1);
      out.push(...a.slice(at, from));
      at = from;
    } else if (line.startsWith('+')) {
      out.push(line.slice(1));
    } else {
      expect(line.slice(1)).toBe(a[at]);
      if (line.startsWith(' ')) out.push(line.slice(1));
      at++;
    }
  }
  return [...out, ...a.slice(at)];
}

it('tells how one text becomes the other', () => {
  const line = fc.constantFrom('a', 'b', 'c', 'd', '{', '}');
  const text = fc.oneof(fc.array(line, { maxLength: 30 }), fc.array(line, { minLength: 200, maxLength: 260 }));
  fc.assert(
    fc.property(text, text, (a, b) => {
      const diff = unifiedDiff(a, b);
      expect(patch(a, diff)).toEqual(b);
      if (a.join('\n') === b.join('\n')) expect(diff).toBe('');
    }),
    { numRuns: 200 },
  );
});

it('shows three lines around, and far changes apart', () => {
  const a = Array.from({ length: 20 }, (_, i) => `line ${i}`);
  const b = a.map((line, i) => (i === 4 || i === 16 ? `${line}!` : line));
  expect(unifiedDiff(a, b)).toBe(`@@ -2,7 +2,7 @@
 line 1
 line 2
 line 3
-line 4
+line 4!
 line 5
 line 6
 line 7
@@ -14,7 +14,7 @@
 line 13
 line 14
 line 15
-line 16
+line 16!
 line 17
 line 18
 line 19
`);
});
