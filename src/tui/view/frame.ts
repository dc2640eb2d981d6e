import { cellWidth, truncate } from '../text/cells.ts';
import type { Words } from '../words/en.ts';
import type { Glyphs } from './glyphs.ts';
import { fitLines, type Line, span } from './span.ts';

/** What stands in a pane. */
export interface PaneContent {
  readonly title: string;
  /** At the right end of the upper border. */
  readonly note?: string;
  readonly lines: readonly Line[];
  /** How far the content can be scrolled, for panes that can. */
  readonly maxScroll?: number;
}

/** The room inside a border, and how it is filled. */
export interface PaneSize {
  readonly width: number;
  readonly height: number;
  readonly glyphs: Glyphs;
  readonly words: Words;
  /** How far the message of the present step has come, from 0 to 1. Default 1. */
  readonly travelled?: number | undefined;
}

/** Cells and rows that the border of a pane takes. */
export const BORDER = 2;

/**
 * A pane with its border: exactly `height` rows of `width` cells. The focused pane has a double border, so that no colour is needed to find it. With `open`, nothing stands
 * beside the content: it can be copied as it is.
 */
export function framePane(
  content: PaneContent,
  size: { width: number; height: number; focused: boolean; glyphs: Glyphs; open?: boolean },
): Line[] {
  const { width, height, focused, glyphs } = size;
  const token = focused ? 'focus' : 'border';
  const bar = focused ? glyphs.focusHorizontal : glyphs.horizontal;
  const [topLeft, topRight, bottomLeft, bottomRight] = glyphs.corners;
  const title = truncate(content.title, Math.max(0, width - 8));
  const room = width - 6 - cellWidth(title) - 3;
  const note = content.note && room > 4 ? ` ${truncate(content.note, room)} ` : '';
  const filler = Math.max(0, width - 6 - cellWidth(title) - cellWidth(note));
  const top: Line = [
    span(`${topLeft}${bar} `, token),
    span(title, focused ? 'focus' : 'title'),
    span(` ${bar.repeat(filler)}${note}${bar}${topRight}`, token),
  ];
  const bottom: Line = [span(`${bottomLeft}${bar.repeat(width - 2)}${bottomRight}`, token)];
  const side = span(glyphs.vertical, token);
  const inner = size.open
    ? fitLines(content.lines, width, height - BORDER)
    : fitLines(content.lines, width - BORDER, height - BORDER).map((line): Line => [side, ...line, side]);
  return [top, ...inner, bottom];
}
