import type { LessonEvent } from '../../lesson/lesson-event.ts';
import type { UiState } from '../app/ui-state.ts';
import { type Draft, NO_DRAFT } from './draft.ts';

/** Everything that a person has set while a lesson is on the screen. */
export interface LessonState {
  /** The panes beside the lesson: cursor, focus, what is typed, … */
  readonly ui: UiState;
  /** What the lesson said since the last input. */
  readonly events: readonly LessonEvent[];
  readonly draft: Draft;
  /** The lesson alone, as large as the screen. */
  readonly full: boolean;
  readonly scroll: number;
  /** `S` was pressed once. */
  readonly asksSolution: boolean;
}

export function lessonState(ui: UiState, events: readonly LessonEvent[]): LessonState {
  return { ui, events, draft: NO_DRAFT, full: false, scroll: 0, asksSolution: false };
}
