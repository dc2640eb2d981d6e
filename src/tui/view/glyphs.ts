/** Characters that the panes are drawn with. All take one cell. */
export interface Glyphs {
  readonly horizontal: string;
  readonly vertical: string;
  readonly corners: readonly [string, string, string, string];
  readonly focusHorizontal: string;
  readonly lifeline: string;
  readonly request: string;
  readonly watch: string;
  readonly arrowRight: string;
  readonly arrowLeft: string;
  readonly source: string;
  readonly branch: string;
  readonly lastBranch: string;
  readonly guide: string;
  readonly passed: string;
  readonly ahead: string;
  readonly cursor: string;
  /** Where a branch left the run before. */
  readonly fork: string;
}

export const ASCII_GLYPHS: Glyphs = {
  horizontal: '-',
  vertical: '|',
  corners: ['+', '+', '+', '+'],
  focusHorizontal: '=',
  lifeline: '|',
  request: '-',
  watch: '=',
  arrowRight: '>',
  arrowLeft: '<',
  source: 'o',
  branch: '|-',
  lastBranch: '`-',
  guide: '| ',
  passed: '=',
  ahead: '-',
  cursor: '>',
  fork: 'Y',
};

export const UNICODE_GLYPHS: Glyphs = {
  horizontal: '─',
  vertical: '│',
  corners: ['┌', '┐', '└', '┘'],
  focusHorizontal: '═',
  lifeline: '│',
  request: '─',
  watch: '═',
  arrowRight: '►',
  arrowLeft: '◄',
  source: '●',
  branch: '├─',
  lastBranch: '└─',
  guide: '│ ',
  passed: '━',
  ahead: '─',
  cursor: '>',
  fork: '┬',
};

export type GlyphSet = 'ascii' | 'unicode';

export function glyphsOf(set: GlyphSet): Glyphs {
  return set === 'ascii' ? ASCII_GLYPHS : UNICODE_GLYPHS;
}
