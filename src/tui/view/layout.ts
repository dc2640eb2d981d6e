/** The panes by what they show. Number keys: 1 stage, 2 objects, 3 diff, 5 timeline (4 is the lesson's). */
export type PaneId = 'stage' | 'objects' | 'diff' | 'timeline';

export const PANE_NUMBERS: Readonly<Record<PaneId, string>> = { stage: '1', objects: '2', diff: '3', timeline: '5' };
export const PANE_ORDER: readonly PaneId[] = ['stage', 'objects', 'diff', 'timeline'];

export interface PanePlace {
  readonly id: PaneId;
  readonly width: number;
  readonly height: number;
}

/** Which panes stand where. Bands are stacked; panes in a band stand side by side. */
export interface Layout {
  readonly tier: 'none' | 'tabs' | 'half' | 'full';
  readonly columns: number;
  readonly rows: number;
  readonly bands: readonly (readonly PanePlace[])[];
  /** A row of its own for the scrubber, where the timeline pane is not on the screen. */
  readonly scrubber: boolean;
  /** Rows of the kubectl pane above the last two; 0 while it is closed. */
  readonly console: number;
}

export const MIN_COLUMNS = 80;
export const MIN_ROWS = 24;
/** Header, why and footer. */
export const FIXED_ROWS = 3;
const TIMELINE_ROWS = 4;

interface LayoutRequest {
  readonly columns: number;
  readonly rows: number;
  readonly focus: PaneId;
  /** The pane below the stage, where there is room for two. */
  readonly lower: PaneId;
  readonly zoom: boolean;
  readonly console?: boolean;
}

/** The share of the kubectl pane: less where other panes need it. */
const CONSOLE_SHARES = { full: 0.34, half: 0.4, tabs: 0.45 } as const;
const MAX_CONSOLE = 16;

/** Gives every row of the terminal to something: the bands, the scrubber and three fixed rows make exactly `rows`. */
export function layoutFor({ columns, rows, focus, lower, zoom, console: open = false }: LayoutRequest): Layout {
  if (columns < MIN_COLUMNS || rows < MIN_ROWS) return { tier: 'none', columns, rows, bands: [], scrubber: false, console: 0 };
  const full = columns >= 120 && rows >= 36;
  const half = columns >= 100 && rows >= 30;
  const tier = full ? 'full' : half ? 'half' : 'tabs';
  const consoleRows = open ? Math.min(MAX_CONSOLE, Math.floor((rows - FIXED_ROWS) * CONSOLE_SHARES[tier])) : 0;
  const body = rows - FIXED_ROWS - consoleRows;
  // Beside the console there is room for one band less.
  if (zoom || tier === 'tabs' || (tier === 'half' && open)) {
    const scrubber = focus !== 'timeline';
    return {
      tier,
      columns,
      rows,
      bands: [[{ id: focus, width: columns, height: scrubber ? body - 1 : body }]],
      scrubber,
      console: consoleRows,
    };
  }
  if (tier === 'half') {
    const scrubber = lower !== 'timeline';
    const room = scrubber ? body - 1 : body;
    const stage = Math.ceil(room / 2);
    return {
      tier,
      columns,
      rows,
      bands: [[{ id: 'stage', width: columns, height: stage }], [{ id: lower, width: columns, height: room - stage }]],
      scrubber,
      console: consoleRows,
    };
  }
  const room = body - TIMELINE_ROWS;
  const stage = Math.ceil(room / 2);
  const left = Math.floor(columns * 0.45);
  const bands: PanePlace[][] = [
    [{ id: 'stage', width: columns, height: stage }],
    [
      { id: 'objects', width: left, height: room - stage },
      { id: 'diff', width: columns - left, height: room - stage },
    ],
    [{ id: 'timeline', width: columns, height: TIMELINE_ROWS }],
  ];
  return { tier, columns, rows, bands, scrubber: false, console: consoleRows };
}
