import type { KubernetesObject } from '../api/object.ts';

/** What the server answers when asked for a Table: meta.k8s.io/v1 Table. */
export interface Table {
  readonly metadata?: { readonly resourceVersion?: string };
  readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[];
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object?: Partial<KubernetesObject> }[];
}

export interface TableOptions {
  /** Columns that are shown with `-o wide` only. */
  readonly wide: boolean;
  /** A first column with namespaces. */
  readonly namespaces: boolean;
  /** Before each name, e.g. `pod/`, where several kinds are shown. */
  readonly prefix: string;
  /** A last column with all labels; and one for each of these labels. */
  readonly labels?: boolean;
  readonly labelColumns?: readonly string[];
  /** Widths of the columns of what was printed before, which are kept; for `-w`. */
  readonly widths?: number[];
  /** Headings as they are: `CPU(cores)`. */
  readonly asWritten?: boolean;
  /** False leaves the first line away. */
  readonly headings?: boolean;
}

const GAP = 3;

/** Lines as kubectl prints them: upper-case headings, columns three spaces apart. cli-runtime pkg/printers TablePrinter */
export function printTable(table: Table, options: TableOptions): string[] {
  const { headings = true } = options;
  const rows = cellsOf(table, options);
  const lines = headings ? rows : rows.slice(1);
  const kept = options.widths ?? [];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(kept[column] ?? 0, ...lines.map((line) => line[column]?.length ?? 0)));
  kept.splice(0, kept.length, ...widths);
  return lines.map((line) =>
    line
      .map((text, column) => (column === line.length - 1 ? text : text.padEnd((widths[column] ?? 0) + GAP)))
      .join('')
      .trimEnd(),
  );
}

/** Headings, then rows, as texts. */
function cellsOf(table: Table, options: TableOptions): string[][] {
  const { labels = false, labelColumns = [] } = options;
  const shown = table.columnDefinitions.flatMap(({ priority }, index) => (priority === 0 || options.wide ? [index] : []));
  const heading = (name: string): string => (options.asWritten ? name : name.toUpperCase());
  const head = [
    ...(options.namespaces ? ['NAMESPACE'] : []),
    ...shown.map((index) => heading(table.columnDefinitions[index]?.name ?? '')),
    ...labelColumns.map((label) => (label.split('/').at(-1) ?? label).toUpperCase()),
    ...(labels ? ['LABELS'] : []),
  ];
  const body = table.rows.map(({ cells, object }) => [
    ...(options.namespaces ? [object?.metadata?.namespace ?? ''] : []),
    ...shown.map((index) => (index === 0 ? options.prefix : '') + cellText(cells[index])),
    ...labelColumns.map((label) => object?.metadata?.labels?.[label] ?? ''),
    ...(labels ? [labelText(object)] : []),
  ]);
  return [head, ...body];
}

function labelText(object: Partial<KubernetesObject> | undefined): string {
  const entries = Object.entries(object?.metadata?.labels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, value]) => `${key}=${value}`).join(',') || '<none>';
}

/** The first line of a text; what has more of them ends with dots. */
function cellText(cell: unknown): string {
  const text = cell === null || cell === undefined ? '' : String(cell);
  const end = text.search(/[\r\n]/);
  return end < 0 ? text : `${text.slice(0, end)}...`;
}
