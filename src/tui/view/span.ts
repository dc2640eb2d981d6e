import { cellWidth, padCells, printable, takeCells, truncate } from '../text/cells.ts';

/** What a piece of text means; a theme says how it looks. */
export type Token =
  | 'text'
  | 'dim'
  | 'title'
  | 'border'
  | 'focus'
  | 'actor'
  | 'request'
  | 'watch'
  | 'input'
  | 'added'
  | 'removed'
  | 'changed'
  | 'good'
  | 'busy'
  | 'bad'
  | 'cursor'
  | 'selected'
  | 'key';

export interface Span {
  readonly text: string;
  readonly token: Token;
}

/** One row of the screen. */
export type Line = readonly Span[];

export function span(text: string, token: Token = 'text'): Span {
  return { text: printable(text), token };
}

export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + cellWidth(text), 0);
}

/** `line` cut or filled to exactly `width` cells. */
function fitLine(line: Line, width: number): Line {
  const spans: Span[] = [];
  let left = width;
  for (const [index, piece] of line.entries()) {
    const size = cellWidth(piece.text);
    const rest = index < line.length - 1 && size >= left;
    if (size > left || (rest && lineWidth(line.slice(index)) > left)) {
      spans.push({ text: truncateHard(piece.text, left), token: piece.token });
      left = 0;
      break;
    }
    spans.push(piece);
    left -= size;
  }
  if (left > 0) spans.push({ text: ' '.repeat(left), token: 'text' });
  return spans;
}

/** Cuts with a mark even where the text alone would fit, since something after it is lost. */
function truncateHard(text: string, width: number): string {
  const cut = truncate(text, width);
  return padCells(cut === text && width > 2 ? `${takeCells(text, width - 2)}..` : cut, width);
}

/** `left` and `right` at the two ends of `width` cells; `left` gives way. */
export function spread(left: Line, right: Line, width: number): Line {
  const size = lineWidth(right);
  if (size >= width) return fitLine(right, width);
  return [...fitLine(left, width - size), ...right];
}

/** Exactly `height` lines of `width` cells. */
export function fitLines(lines: readonly Line[], width: number, height: number): Line[] {
  const fitted = lines.slice(0, height).map((line) => fitLine(line, width));
  while (fitted.length < height) fitted.push(fitLine([], width));
  return fitted;
}
