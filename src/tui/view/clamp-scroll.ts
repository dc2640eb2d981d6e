import type { Session } from '../app/session.ts';
import type { UiState } from '../app/ui-state.ts';
import { wordsOf } from '../words/words.ts';
import { diffContent } from './diff-view.ts';
import { BORDER } from './frame.ts';
import { FIXED_ROWS, layoutFor } from './layout.ts';
import { overlayContent } from './overlay-view.ts';

/** `state` without scrolling beyond the end of what is shown: going back up then takes effect at once. */
export function clampScroll(state: UiState, session: Session, { columns, rows }: { columns: number; rows: number }): UiState {
  if (state.consoleScroll > state.console.length) return { ...state, consoleScroll: state.console.length };
  const { overlay, diffScroll } = state;
  if (overlay && overlay.scroll > 0) {
    const { maxScroll = 0 } = overlayContent(session, session.momentOf(state), {
      overlay,
      state,
      width: columns - BORDER,
      height: rows - FIXED_ROWS - BORDER,
    });
    return overlay.scroll > maxScroll ? { ...state, overlay: { ...overlay, scroll: maxScroll } } : state;
  }
  if (diffScroll === 0) return state;
  const { bands } = layoutFor({ columns, rows, focus: state.focus, lower: state.lower, zoom: state.zoom, console: state.consoleOpen });
  const place = bands.flat().find(({ id }) => id === 'diff');
  if (!place) return state;
  const inner = { width: place.width - BORDER, height: place.height - BORDER, scroll: diffScroll };
  const words = wordsOf(state.lang);
  const { maxScroll = 0 } = diffContent(session, session.momentOf(state), { ...inner, mode: state.diffMode, words });
  return diffScroll > maxScroll ? { ...state, diffScroll: maxScroll } : state;
}
