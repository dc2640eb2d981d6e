import type { Matcher } from '../../scenario/matcher.ts';
import type { PaneId } from '../view/layout.ts';
import type { Motion } from '../view/pace.ts';
import type { ThemeName } from '../view/theme.ts';
import type { Language } from '../words/words.ts';

/** What covers the panes, full size. */
export interface Overlay {
  readonly kind:
    | 'help'
    | 'why'
    | 'decision'
    | 'request'
    | 'connection'
    | 'yaml'
    | 'details'
    | 'truth'
    | 'cache'
    | 'compare'
    | 'faults'
    | 'breaks';
  readonly scroll: number;
  /** The object that is looked at, for `yaml` and `details`; the two branches, for `compare`. */
  readonly key?: string;
}

/** One line of the kubectl pane. */
export interface ConsoleLine {
  readonly kind: 'prompt' | 'out' | 'error' | 'note';
  readonly text: string;
}

/** Where `c` and playing stop. */
export interface Breakpoint {
  /** As a person would write it after `:break`. */
  readonly text: string;
  readonly matcher: Matcher;
}

/** How the diff pane compares: what the step changed, both versions beside each other, or everything since the last command. */
export const DIFF_MODES = ['changes', 'side', 'since'] as const;
export type DiffMode = (typeof DIFF_MODES)[number];

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
  /** Objects whose possessions are hidden. */
  readonly folded: readonly string[];
  readonly diffScroll: number;
  readonly diffMode: DiffMode;
  readonly overlay?: Overlay | undefined;
  readonly mode: 'normal' | 'command' | 'find' | 'kubectl' | 'quit' | 'mark' | 'jump';
  /** What the line is for, where it is no command of kubectl. */
  readonly asks?: 'reconcile' | 'answer' | undefined;
  /** What has been typed in the modes that take text. */
  readonly typed: string;
  /** Where in it the next letter goes, in characters that a person sees. */
  readonly caret: number;
  /** What `n` and `N` look for. */
  readonly sought: string;
  readonly notice: string;
  readonly theme: ThemeName;
  readonly motion: Motion;
  readonly lang: Language;
  /** kubectl commands of before, oldest first, and which of them is shown. */
  readonly history: readonly string[];
  readonly recalled: number;
  readonly console: readonly ConsoleLine[];
  readonly consoleOpen: boolean;
  /** Rows that its newest line is below the lower end of the pane. */
  readonly consoleScroll: number;
  readonly marks: Readonly<Record<string, number>>;
  readonly breaks: readonly Breakpoint[];
  /** The lesson to which the person leaves. */
  readonly next?: string | undefined;
  /** Something is being worked out: the run goes on, or a branch is made. */
  readonly busy: boolean;
}

/** Events a second while playing. */
export const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32] as const;
const NORMAL_SPEED = 2;

export function initialState(options: { cursor: number; theme: ThemeName; lang?: Language; motion?: Motion }): UiState {
  return {
    cursor: options.cursor,
    theme: options.theme,
    motion: options.motion ?? 'step',
    lang: options.lang ?? 'en',
    playing: false,
    speed: NORMAL_SPEED,
    all: false,
    focus: 'stage',
    lower: 'objects',
    zoom: false,
    folded: [],
    diffScroll: 0,
    diffMode: 'changes',
    mode: 'normal',
    typed: '',
    caret: 0,
    sought: '',
    notice: '',
    history: [],
    recalled: 0,
    console: [],
    consoleOpen: false,
    consoleScroll: 0,
    marks: {},
    breaks: [],
    busy: false,
  };
}
