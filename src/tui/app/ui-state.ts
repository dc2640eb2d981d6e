import type { PaneId } from '../view/layout.ts';
import type { ThemeName } from '../view/theme.ts';

/** What covers the panes, full size. */
export interface Overlay {
  readonly kind: 'help' | 'why' | 'decision' | 'yaml' | 'details' | 'truth';
  readonly scroll: number;
  /** The object that is looked at, for `yaml` and `details`. */
  readonly key?: string;
}

/** Everything that a person has set; with the run it decides the whole screen. */
export interface UiState {
  /** The entry that is looked at; 0 before the first. */
  readonly cursor: number;
  readonly playing: boolean;
  /** An index into `SPEEDS`. */
  readonly speed: number;
  /** Step through every entry of the trace, and show every object. */
  readonly all: boolean;
  readonly focus: PaneId;
  readonly lower: PaneId;
  readonly zoom: boolean;
  /** The object that a person chose; absent while the selection follows the events. */
  readonly selected?: string | undefined;
  readonly diffScroll: number;
  readonly overlay?: Overlay | undefined;
  readonly mode: 'normal' | 'command' | 'find' | 'quit';
  /** What has been typed in the modes `command` and `find`. */
  readonly typed: string;
  /** What `n` and `N` look for. */
  readonly sought: string;
  readonly notice: string;
  readonly theme: ThemeName;
}

/** Events a second while playing. */
export const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32] as const;
const NORMAL_SPEED = 2;

export function initialState(options: { cursor: number; theme: ThemeName }): UiState {
  return {
    cursor: options.cursor,
    theme: options.theme,
    playing: false,
    speed: NORMAL_SPEED,
    all: false,
    focus: 'stage',
    lower: 'objects',
    zoom: false,
    diffScroll: 0,
    mode: 'normal',
    typed: '',
    sought: '',
    notice: '',
  };
}
