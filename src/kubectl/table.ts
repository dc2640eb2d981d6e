import type { KubernetesObject } from '../api/object.ts';

/** What the server answers when asked for a Table: meta.k8s.io/v1 Table. */
export interface Table {
  readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[];
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object?: Partial<KubernetesObject> }[];
}

export interface TableOptions {
  /** Columns that are shown with `-o wide` only. */
  readonly wide: boolean;
  /** A first column with namespaces. */
  readonly namespaces: boolean;
  /** Headings stay as they are. */
  readonly asWritten?: boolean;
  /** Before each name, e.g. `pod/`, where several kinds are shown. */
  readonly prefix: string;
}

const GAP = 3;

/** Lines as kubectl prints them: upper-case headings, columns three spaces apart. cli-runtime pkg/printers TablePrinter */
export function printTable(table: Table, options: TableOptions): string[] {
  const shown = table.columnDefinitions.flatMap(({ priority }, index) => (priority === 0 || options.wide ? [index] : []));
  const head = shown.map((index) => headingOf(table.columnDefinitions[index]?.name ?? '', options));
  const body = table.rows.map(({ cells, object }) => {
    const texts = shown.map((index) => (index === 0 ? options.prefix : '') + cellText(cells[index]));
    return options.namespaces ? [object?.metadata?.namespace ?? '', ...texts] : texts;
  });
  const lines = [options.namespaces ? ['NAMESPACE', ...head] : head, ...body];
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line) =>
    line
      .map((text, column) => (column === line.length - 1 ? text : text.padEnd((widths[column] ?? 0) + GAP)))
      .join('')
      .trimEnd(),
  );
}

function headingOf(name: string, { asWritten }: TableOptions): string {
  return asWritten ? name : name.toUpperCase();
}

/** The first line of a text; what has more of them ends with dots. */
function cellText(cell: unknown): string {
  const text = cell === null || cell === undefined ? '' : String(cell);
  const end = text.search(/[\r\n]/);
  return end < 0 ? text : `${text.slice(0, end)}...`;
}
