import { PANE_ORDER, type PaneId } from '../view/layout.ts';
import { wordsOf } from '../words/words.ts';
import { selectObject, stepEvents } from './motion.ts';
import type { Session } from './session.ts';
import type { Overlay, UiState } from './ui-state.ts';

export function focusOn(state: UiState, focus: PaneId): UiState {
  return { ...state, focus, lower: focus === 'stage' ? state.lower : focus, overlay: undefined, notice: '' };
}

export function focusBeside(state: UiState, by: number): UiState {
  const count = PANE_ORDER.length;
  return focusOn(state, PANE_ORDER[(PANE_ORDER.indexOf(state.focus) + by + count) % count] ?? 'stage');
}

/** Down by lines, objects or events, whatever the focused pane shows. */
export function moveDown(state: UiState, session: Session, by: number): UiState {
  if (state.overlay) return { ...state, overlay: { ...state.overlay, scroll: Math.max(0, state.overlay.scroll + by) } };
  if (state.focus === 'objects') return selectObject(state, session, by);
  if (state.focus === 'diff') return { ...state, diffScroll: Math.max(0, state.diffScroll + by) };
  return { ...stepEvents(state, session, by), playing: false };
}

/** Opens what covers the panes; closes it where it is open already. */
export function open(state: UiState, kind: Overlay['kind'], key?: string): UiState {
  const overlay: Overlay | undefined =
    state.overlay?.kind === kind && state.overlay.key === key ? undefined : { kind, scroll: 0, ...(key === undefined ? {} : { key }) };
  return { ...state, overlay, playing: false };
}

export function hasSelection(state: UiState, session: Session): boolean {
  return session.momentOf(state).selected >= 0;
}

export function openObject(state: UiState, session: Session, kind: 'yaml' | 'details'): UiState {
  const { tree, selected } = session.momentOf(state);
  const row = tree[selected];
  return row ? open(state, kind, row.key) : { ...state, notice: wordsOf(state.lang).notices.selectFirst };
}

export function unfold(state: UiState, session: Session): UiState {
  const { tree, selected } = session.momentOf(state);
  const key = tree[selected]?.key;
  if (key === undefined) return state;
  const folded = state.folded.includes(key) ? state.folded.filter((other) => other !== key) : [...state.folded, key];
  return { ...state, folded, selected: key };
}

/** Closes what is open, one thing after the other. */
export function goBack(state: UiState): UiState {
  if (state.overlay) return { ...state, overlay: undefined };
  if (state.consoleOpen) return { ...state, consoleOpen: false };
  if (state.zoom) return { ...state, zoom: false };
  return { ...state, selected: undefined, sought: '', notice: '', diffScroll: 0 };
}
