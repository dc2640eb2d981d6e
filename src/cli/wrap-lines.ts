/** Where the text after a name begins in the help of commands and options. */
const COLUMN = /^ {2}\S+(?: \S+)* {2,}(?=\S)|^ {2}-.{24} (?=\S)/;

/**
 * Breaks lines that a terminal would break in the middle of a word; what goes on is put below its beginning.
 * @param columns width of the terminal; absent where there is none: then nothing is broken
 */
export function wrapLines(text: string, columns: number | undefined): string {
  return columns === undefined
    ? text
    : text
        .split('\n')
        .flatMap((line) => wrapLine(line, columns))
        .join('\n');
}

function wrapLine(line: string, columns: number): string[] {
  if (line.length <= columns) return [line];
  const head = COLUMN.exec(line)?.[0] ?? /^ *(?:- )?/.exec(line)?.[0] ?? '';
  const indent = ' '.repeat(head.length < columns / 2 ? head.length : 2);
  const lines: string[] = [];
  let current = head;
  for (const word of line.slice(head.length).split(' ')) {
    const isFirst = current === head || current === indent;
    const longer = isFirst ? current + word : `${current} ${word}`;
    if (longer.length <= columns || isFirst) current = longer;
    else {
      lines.push(current);
      current = indent + word;
    }
  }
  return [...lines, current];
}
