import type { Timeline } from './timeline.ts';

/** The entries that a person steps through, by row. */
export interface Rows {
  readonly count: number;
  /** The entry's number at this row. */
  at(row: number): number;
  /** The row of the newest of them up to `seq`; -1 before the first. */
  rowOf(seq: number): number;
}

/** The chosen entries, or with `all` every entry of the trace. */
export function rowsOf(timeline: Timeline, all: boolean): Rows {
  const { first, last } = timeline;
  if (all) return { count: last === 0 ? 0 : last - first + 1, at: (row) => first + row, rowOf: (seq) => Math.min(seq, last) - first };
  return { count: timeline.rows.length, at: (row) => timeline.rows[row] ?? 0, rowOf: (seq) => timeline.rowOf(seq) };
}
