import { FIXED_ROWS, MIN_COLUMNS, MIN_ROWS, type PaneId, type PanePlace } from '../view/layout.ts';

/** Where the panes stand while a lesson is on the screen. */
export interface LessonLayout {
  readonly tier: 'none' | 'stacked' | 'beside';
  readonly columns: number;
  readonly rows: number;
  /** Above the lesson, or left of it. */
  readonly panes: readonly PanePlace[];
  readonly lesson: { readonly width: number; readonly height: number };
}

/** Cells of the lesson where it stands beside the other panes. */
const BESIDE_COLUMNS = 46;
/** Rows of the stage that show something: names, facts, states and a few events in a border. */
const LEAST_STAGE = 8;
const LEAST_LESSON = 6;
/** Header, scrubber, why, footer. */
const BARS = FIXED_ROWS + 1;

interface LessonLayoutRequest {
  readonly columns: number;
  readonly rows: number;
  readonly focus: PaneId;
  readonly lower: PaneId;
  readonly full: boolean;
  /** Rows that the lesson would fill. */
  readonly wanted: number;
}

/** Gives every row to something: the panes, the lesson and four bars make exactly `rows`. */
export function lessonLayoutFor({ columns, rows, focus, lower, full, wanted }: LessonLayoutRequest): LessonLayout {
  if (columns < MIN_COLUMNS || rows < MIN_ROWS) return { tier: 'none', columns, rows, panes: [], lesson: { width: 0, height: 0 } };
  const body = rows - BARS;
  if (full) return { tier: 'stacked', columns, rows, panes: [], lesson: { width: columns, height: body } };
  if (columns >= 120 && rows >= 36) {
    const width = columns - BESIDE_COLUMNS;
    const stage = Math.ceil(body / 2);
    const below = lower === 'stage' ? 'objects' : lower;
    return {
      tier: 'beside',
      columns,
      rows,
      panes: [
        { id: 'stage', width, height: stage },
        { id: below, width, height: body - stage },
      ],
      lesson: { width: BESIDE_COLUMNS, height: body },
    };
  }
  const height = Math.min(Math.max(wanted + 2, LEAST_LESSON), body - LEAST_STAGE);
  return {
    tier: 'stacked',
    columns,
    rows,
    panes: [{ id: focus, width: columns, height: body - height }],
    lesson: { width: columns, height },
  };
}
