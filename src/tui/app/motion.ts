import { breakpointAt } from '../model/breakpoints.ts';
import { entryAt } from '../model/run-view.ts';
import { sentenceOf } from '../model/sentence.ts';
import { printable } from '../text/cells.ts';
import { wordsOf } from '../words/words.ts';
import type { Session } from './session.ts';
import type { UiState } from './ui-state.ts';

/** Moves the cursor to a row, as far as there are rows. */
export function toRow(state: UiState, session: Session, row: number): UiState {
  const rows = session.rows(state.all);
  if (rows.count === 0) return state;
  const cursor = rows.at(Math.min(Math.max(row, 0), rows.count - 1));
  return { ...state, cursor, diffScroll: 0, notice: '' };
}

/** Moves the cursor to the row of an entry. */
export function toSeq(state: UiState, session: Session, seq: number): UiState {
  return toRow(state, session, session.rows(state.all).rowOf(seq));
}

/** Moves by events. */
export function stepEvents(state: UiState, session: Session, by: number): UiState {
  return toRow(state, session, session.rows(state.all).rowOf(state.cursor) + by);
}

/** Moves to the beginning of the next or the previous turn of an actor. */
export function stepTurn(state: UiState, session: Session, direction: 1 | -1): UiState {
  const rows = session.rows(state.all);
  const { timeline } = session;
  const turnAt = (row: number): number => timeline.turnOf(rows.at(row));
  const begins = (row: number): boolean => row <= 0 || turnAt(row) !== turnAt(row - 1);
  let row = rows.rowOf(state.cursor) + direction;
  while (row > 0 && row < rows.count - 1 && !begins(row)) row += direction;
  return toRow(state, session, row);
}

/** The entry of the next or the previous input, fault or crash. */
export function markBeside(state: UiState, { timeline }: Session, direction: 1 | -1): number | undefined {
  const { marks } = timeline;
  return direction > 0 ? marks.find(({ seq }) => seq > state.cursor)?.seq : marks.findLast(({ seq }) => seq < state.cursor)?.seq;
}

export function toMark(state: UiState, session: Session, direction: 1 | -1): UiState {
  const seq = markBeside(state, session, direction);
  return seq === undefined ? state : toSeq(state, session, seq);
}

/** True at the newest event. */
export function isAtEnd(state: UiState, session: Session): boolean {
  const rows = session.rows(state.all);
  return rows.rowOf(state.cursor) >= rows.count - 1;
}

export function isAtStart(state: UiState, session: Session): boolean {
  return session.rows(state.all).rowOf(state.cursor) <= 0;
}

/** Moves to the next event whose sentence has `state.sought` in it, or selects the next such object where the tree has the focus. */
export function find(state: UiState, session: Session, direction: 1 | -1): UiState {
  if (!state.sought) return { ...state, notice: wordsOf(state.lang).notices.nothingSought };
  const sought = state.sought.toLowerCase();
  return state.focus === 'objects' ? findObject(state, session, { sought, direction }) : findEvent(state, session, { sought, direction });
}

function findEvent(state: UiState, session: Session, { sought, direction }: { sought: string; direction: 1 | -1 }): UiState {
  const rows = session.rows(state.all);
  for (let row = rows.rowOf(state.cursor) + direction; row >= 0 && row < rows.count; row += direction) {
    const entry = entryAt(session.run, rows.at(row));
    if (!entry) continue;
    const { who, what } = sentenceOf(session.run, entry, wordsOf(state.lang).telling);
    if (`${who} ${what}`.toLowerCase().includes(sought)) return toRow(state, session, row);
  }
  const { noLater, noEarlier } = wordsOf(state.lang).notices;
  return { ...state, notice: (direction > 0 ? noLater : noEarlier)(printable(state.sought)) };
}

function findObject(state: UiState, session: Session, { sought, direction }: { sought: string; direction: 1 | -1 }): UiState {
  const { tree, selected } = session.momentOf(state);
  for (let step = 1; step <= tree.length; step++) {
    const row = tree[(Math.max(selected, 0) + direction * step + tree.length * 2) % tree.length];
    if (row?.key.toLowerCase().includes(sought)) return { ...state, selected: row.key, notice: '' };
  }
  return { ...state, notice: wordsOf(state.lang).notices.noObject(printable(state.sought)) };
}

/** Moves the selection in the tree of objects. */
export function selectObject(state: UiState, session: Session, by: number): UiState {
  const { tree, selected } = session.momentOf(state);
  const row = tree[Math.min(Math.max(selected + by, 0), tree.length - 1)];
  return row ? { ...state, selected: row.key, notice: '' } : state;
}

/** The next row that fits a breakpoint; undefined when there is none. */
export function nextBreak(state: UiState, session: Session): { readonly seq: number; readonly text: string } | undefined {
  const rows = session.rows(state.all);
  for (let row = rows.rowOf(state.cursor) + 1; row < rows.count; row++) {
    const entry = entryAt(session.run, rows.at(row));
    const found = entry && breakpointAt(state.breaks, session.run, entry);
    if (entry && found) return { seq: entry.seq, text: found.text };
  }
  return undefined;
}
