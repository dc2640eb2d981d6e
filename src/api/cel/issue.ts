/** Something wrong with an expression, and where. */
export interface Issue {
  readonly pos: number;
  readonly message: string;
}

/** Issues with the lines that they are about, as cel-go prints them. cel-go common.Error.ToDisplayString */
export function formatIssues(source: string, issues: readonly Issue[]): string {
  return [...issues]
    .sort((a, b) => a.pos - b.pos)
    .map((issue) => formatIssue(source, issue))
    .join('\n');
}

function formatIssue(source: string, { pos, message }: Issue): string {
  const start = source.lastIndexOf('\n', pos - 1) + 1;
  const line = source.slice(0, start).split('\n').length;
  const end = source.indexOf('\n', start);
  const text = source.slice(start, end < 0 ? undefined : end).replaceAll('\t', ' ');
  const column = [...source.slice(start, pos)].length;
  return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${text}\n | ${'.'.repeat(column)}^`;
}
