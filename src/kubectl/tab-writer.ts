/**
 * Lines with cells that end in tabs, set in columns: Go text/tabwriter with minwidth 0, padding 2 and blanks, which is what kubectl describes things with. A column is as wide as
 * its widest cell among lines that follow each other and all have it.
 */
export function tabulate(text: string): string[] {
  const lines = text.split('\n').map((line) => line.split('\t'));
  const printed: string[] = [];
  formatBlock({ lines, printed }, { from: 0, to: lines.length }, []);
  return printed;
}

const PADDING = 2;

interface Page {
  readonly lines: readonly (readonly string[])[];
  readonly printed: string[];
}

function formatBlock(page: Page, { from, to }: { from: number; to: number }, widths: readonly number[]): void {
  const column = widths.length;
  const hasCell = (at: number): boolean => column < (page.lines[at]?.length ?? 0) - 1;
  let printedTo = from;
  for (let at = from; at < to; at++) {
    if (!hasCell(at)) continue;
    printLines(page, { from: printedTo, to: at }, widths);
    let width = 0;
    let end = at;
    for (; end < to && hasCell(end); end++) width = Math.max(width, length(page.lines[end]?.[column] ?? '') + PADDING);
    formatBlock(page, { from: at, to: end }, [...widths, width]);
    printedTo = end;
    at = end - 1;
  }
  printLines(page, { from: printedTo, to }, widths);
}

function printLines({ lines, printed }: Page, { from, to }: { from: number; to: number }, widths: readonly number[]): void {
  for (let at = from; at < to; at++)
    printed.push(
      (lines[at] ?? [])
        .map((cell, column) => (column < widths.length ? cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - length(cell))) : cell))
        .join(''),
    );
}

/** Go counts code points. */
function length(text: string): number {
  return Array.from(text).length;
}
