import { padCells, truncate } from '../text/cells.ts';
import type { PaneContent } from './frame.ts';
import { type Line, span } from './span.ts';

/** One thing to choose. */
export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly note?: string;
}

const LABEL = 34;

/** The list with the selected item marked, and the keys below. */
export function menuContent(menu: {
  readonly title: string;
  readonly items: readonly MenuItem[];
  readonly selected: number;
  readonly width: number;
  readonly height: number;
  readonly keys: string;
}): PaneContent {
  const { title, items, selected, width, height, keys } = menu;
  const room = Math.max(1, height - 4);
  const first = Math.min(Math.max(0, selected - Math.floor(room / 2)), Math.max(0, items.length - room));
  const lines = items.slice(first, first + room).map(({ label, note = '' }, index): Line => {
    const own = first + index === selected;
    const text = note ? `${padCells(label, Math.min(LABEL, width - 6))}  ${note}` : label;
    return [span(own ? ' > ' : '   ', 'cursor'), span(truncate(text, width - 4), own ? 'selected' : 'text')];
  });
  const filler = Array.from({ length: Math.max(0, room - lines.length) }, (): Line => []);
  return { title: 'bottleship', lines: [[span(` ${title}`, 'title')], [], ...lines, ...filler, [], [span(` ${keys}`, 'dim')]] };
}

/** The item that a key leads to; digits choose at once. */
export function moveInMenu(selected: number, key: string, count: number): number {
  const last = Math.max(0, count - 1);
  if (/^[1-9]$/.test(key)) return Math.min(last, Number(key) - 1);
  const moves: Readonly<Record<string, number>> = { j: 1, down: 1, k: -1, up: -1, g: -count, G: count, home: -count, end: count };
  return Math.min(last, Math.max(0, selected + (moves[key] ?? 0)));
}
