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
  /** What is sought in the list; absent while nothing is. */
  readonly sought?: string | undefined;
}): PaneContent {
  const { title, items, selected, width, height, keys, sought } = menu;
  const room = Math.max(1, height - 4);
  const first = Math.min(Math.max(0, selected - Math.floor(room / 2)), Math.max(0, items.length - room));
  const lines = items.slice(first, first + room).map(({ label, note = '' }, index): Line => {
    const own = first + index === selected;
    const text = note ? `${padCells(label, Math.min(LABEL, width - 6))}  ${note}` : label;
    return [span(own ? ' > ' : '   ', 'cursor'), span(truncate(text, width - 4), own ? 'selected' : 'text')];
  });
  const filler = Array.from({ length: Math.max(0, room - lines.length) }, (): Line => []);
  const head: Line = [span(` ${title}`, 'title'), ...(sought === undefined ? [] : [span(`  /${sought}`, 'cursor')])];
  return { title: 'bottleship', lines: [head, [], ...lines, ...filler, [], [span(` ${keys}`, 'dim')]] };
}

/** Where somebody is in a menu. */
export interface MenuState {
  /** An index into what is found. */
  readonly selected: number;
  /** Typed after `/`; absent while nothing is sought. */
  readonly sought?: string;
  /** Keys are text. */
  readonly typing: boolean;
}

export const MENU_START: MenuState = { selected: 0, typing: false };

/** The items in which the sought text stands. */
export function foundItems(items: readonly MenuItem[], { sought = '' }: MenuState): readonly MenuItem[] {
  const text = sought.toLowerCase();
  return items.filter(({ id, label, note = '' }) => `${id} ${label} ${note}`.toLowerCase().includes(text));
}

/** The menu after one key: `/` seeks, Esc shows all again, the others move. */
export function pressInMenu(state: MenuState, key: string, items: readonly MenuItem[]): MenuState {
  const { selected, sought = '', typing } = state;
  if (key === '/' && !typing) return { selected: 0, sought: '', typing: true };
  if (key === 'esc') return MENU_START;
  if (typing && key === 'backspace') return { selected: 0, sought: sought.slice(0, -1), typing };
  if (typing && (key === 'space' || /^.$/u.test(key))) return { selected: 0, sought: sought + (key === 'space' ? ' ' : key), typing };
  return { ...state, selected: moveInMenu(selected, key, foundItems(items, state).length) };
}

/** The item that a key leads to; digits choose at once. */
export function moveInMenu(selected: number, key: string, count: number): number {
  const last = Math.max(0, count - 1);
  if (/^[1-9]$/.test(key)) return Math.min(last, Number(key) - 1);
  const moves: Readonly<Record<string, number>> = { j: 1, down: 1, k: -1, up: -1, g: -count, G: count, home: -count, end: count };
  return Math.min(last, Math.max(0, selected + (moves[key] ?? 0)));
}
