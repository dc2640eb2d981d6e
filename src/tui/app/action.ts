import type { Fault } from '../../cluster/faults.ts';
import type { Load } from '../../cluster/load.ts';
import type { UiState } from './ui-state.ts';

/** What is asked of the run itself: it takes time, and its answer comes later. */
export type Action =
  /** A line that was typed on the kubectl line. */
  | { readonly do: 'kubectl'; readonly line: string }
  | { readonly do: 'interrupt' }
  /** Time passes until the next event, the next turn, a breakpoint, the end of all work, or for so many milliseconds. */
  | { readonly do: 'pass'; readonly until: 'event' | 'breakpoint' | 'settled' | number }
  | { readonly do: 'fault'; readonly fault: Fault }
  | { readonly do: 'visit'; readonly host: string; readonly port: number; readonly path: string }
  | { readonly do: 'load'; readonly load: Load }
  | { readonly do: 'fork' }
  | { readonly do: 'undo' }
  | { readonly do: 'redo' }
  | { readonly do: 'branch'; readonly name: string }
  | { readonly do: 'name'; readonly name: string }
  | { readonly do: 'save'; readonly file: string }
  | { readonly do: 'export'; readonly file: string };

/** What a key does beyond changing the state. */
export type Effect = 'quit' | 'suspend' | Action;

export interface Outcome {
  readonly state: UiState;
  readonly effect?: Effect;
}
