import { isSchedulingDecision } from '../model/scheduling-decision.ts';
import { PANE_ORDER, type PaneId } from '../view/layout.ts';
import { find, isAtEnd, isAtStart, markBeside, selectObject, stepEvents, stepTurn, toMark, toRow } from './motion.ts';
import type { Session } from './session.ts';
import { SPEEDS, type UiState } from './ui-state.ts';

/** What a key does beyond changing the state. */
type Effect = 'quit' | 'suspend';

export interface Outcome {
  readonly state: UiState;
  readonly effect?: Effect;
}

/** One line of the help, one hint of the footer, one entry of the dispatcher: all from here. */
export interface KeyBinding {
  /** Names as `decodeKeys` gives them. */
  readonly keys: readonly string[];
  readonly group: 'Time' | 'Panes' | 'Look' | 'Program';
  readonly help: string;
  /** For the footer; absent where there is no room for everything. Lower ranks are kept longest. */
  readonly hint?: { readonly text: string; readonly rank: number };
  /** Whether it does anything now; always when absent. */
  readonly when?: (state: UiState, session: Session) => boolean;
  readonly run: (state: UiState, session: Session) => UiState | Outcome;
}

const forward = (state: UiState, session: Session): boolean => !isAtEnd(state, session);
const back = (state: UiState, session: Session): boolean => !isAtStart(state, session);
const HALF_PAGE = 10;

const TIME_KEYS: readonly KeyBinding[] = [
  {
    keys: ['space'],
    group: 'Time',
    help: 'play, pause',
    hint: { text: 'play', rank: 2 },
    run: (state, session) => {
      if (state.playing) return { ...state, playing: false };
      return isAtEnd(state, session) ? { ...toRow(state, session, 0), playing: true } : { ...state, playing: true };
    },
  },
  {
    keys: ['.', 'right'],
    group: 'Time',
    help: 'one event on',
    hint: { text: 'step', rank: 3 },
    when: forward,
    run: (state, session) => paused(stepEvents(state, session, 1)),
  },
  {
    keys: [',', 'left'],
    group: 'Time',
    help: 'one event back',
    hint: { text: 'step back', rank: 4 },
    when: back,
    run: (state, session) => paused(stepEvents(state, session, -1)),
  },
  {
    keys: ['>'],
    group: 'Time',
    help: 'one turn of an actor on (a whole reconcile)',
    hint: { text: 'turn', rank: 5 },
    when: forward,
    run: (state, session) => paused(stepTurn(state, session, 1)),
  },
  {
    keys: ['<'],
    group: 'Time',
    help: 'one turn back',
    hint: { text: 'turn back', rank: 6 },
    when: back,
    run: (state, session) => paused(stepTurn(state, session, -1)),
  },
  {
    keys: ['g', 'home'],
    group: 'Time',
    help: 'to the first moment',
    hint: { text: 'start', rank: 12 },
    when: back,
    run: (state, session) => paused(toRow(state, session, 0)),
  },
  {
    keys: ['G', 'end'],
    group: 'Time',
    help: 'to the newest moment',
    hint: { text: 'now', rank: 11 },
    when: forward,
    run: (state, session) => paused(toRow(state, session, Number.MAX_SAFE_INTEGER)),
  },
  {
    keys: ['}'],
    group: 'Time',
    help: 'to the next command or fault',
    when: (state, session) => markBeside(state, session, 1) !== undefined,
    run: (state, session) => paused(toMark(state, session, 1)),
  },
  {
    keys: ['{'],
    group: 'Time',
    help: 'to the one before',
    when: (state, session) => markBeside(state, session, -1) !== undefined,
    run: (state, session) => paused(toMark(state, session, -1)),
  },
  {
    keys: ['+', '='],
    group: 'Time',
    help: 'play faster',
    when: (state) => state.speed < SPEEDS.length - 1,
    run: (state) => speed(state, 1),
  },
  { keys: ['-', '_'], group: 'Time', help: 'play slower', when: (state) => state.speed > 0, run: (state) => speed(state, -1) },
];

const PANE_KEYS: readonly KeyBinding[] = [
  { keys: ['tab'], group: 'Panes', help: 'focus the next pane', hint: { text: 'pane', rank: 8 }, run: (state) => focusBeside(state, 1) },
  { keys: ['shift-tab'], group: 'Panes', help: 'focus the previous pane', run: (state) => focusBeside(state, -1) },
  { keys: ['1'], group: 'Panes', help: 'the stage: who sends what to whom', run: (state) => focusOn(state, 'stage') },
  { keys: ['2'], group: 'Panes', help: 'the objects below their owners', run: (state) => focusOn(state, 'objects') },
  { keys: ['3'], group: 'Panes', help: 'what this step changed', run: (state) => focusOn(state, 'diff') },
  { keys: ['5'], group: 'Panes', help: 'the timeline and the log', run: (state) => focusOn(state, 'timeline') },
  {
    keys: ['z'],
    group: 'Panes',
    help: 'the focused pane alone, and back',
    hint: { text: 'zoom', rank: 14 },
    run: (state) => ({ ...state, zoom: !state.zoom }),
  },
  { keys: ['j', 'down'], group: 'Panes', help: 'down: next object, line or event', run: (state, session) => moveDown(state, session, 1) },
  { keys: ['k', 'up'], group: 'Panes', help: 'up', run: (state, session) => moveDown(state, session, -1) },
  { keys: ['ctrl-d', 'pagedown'], group: 'Panes', help: 'half a page down', run: (state, session) => moveDown(state, session, HALF_PAGE) },
  { keys: ['ctrl-u', 'pageup'], group: 'Panes', help: 'half a page up', run: (state, session) => moveDown(state, session, -HALF_PAGE) },
];

const LOOK_KEYS: readonly KeyBinding[] = [
  { keys: ['w'], group: 'Look', help: 'why: all causes of this event', hint: { text: 'why', rank: 7 }, run: (state) => open(state, 'why') },
  {
    keys: ['enter'],
    group: 'Look',
    help: 'open the selected object, the decision, or the causes of this event',
    run: (state, session) => enter(state, session),
  },
  {
    keys: ['y'],
    group: 'Look',
    help: 'YAML of the selected object as it was at this moment',
    hint: { text: 'yaml', rank: 9 },
    when: hasSelection,
    run: (state, session) => openObject(state, session, 'yaml'),
  },
  {
    keys: ['d'],
    group: 'Look',
    help: 'details of the selected object: owners, conditions, history',
    hint: { text: 'details', rank: 13 },
    when: hasSelection,
    run: (state, session) => openObject(state, session, 'details'),
  },
  {
    keys: ['/'],
    group: 'Look',
    help: 'find an event, or an object in pane 2',
    hint: { text: 'find', rank: 10 },
    run: (state) => ({ ...state, mode: 'find', typed: '', notice: '', playing: false }),
  },
  { keys: ['n'], group: 'Look', help: 'find the next', run: (state, session) => find(state, session, 1) },
  { keys: ['N'], group: 'Look', help: 'find the previous', run: (state, session) => find(state, session, -1) },
  {
    keys: ['a'],
    group: 'Look',
    help: 'show everything, heartbeats too, or only what matters',
    run: (state) => ({ ...state, all: !state.all, notice: state.all ? 'only what matters is shown' : 'everything is shown' }),
  },
  { keys: ['esc'], group: 'Look', help: 'back: close, unselect, leave the zoom', run: (state) => goBack(state) },
];

const PROGRAM_KEYS: readonly KeyBinding[] = [
  {
    keys: [':'],
    group: 'Program',
    help: 'a command, e.g. :theme light',
    hint: { text: 'command', rank: 15 },
    run: (state) => ({ ...state, mode: 'command', typed: '', notice: '', playing: false }),
  },
  { keys: ['?'], group: 'Program', help: 'these keys', hint: { text: 'keys', rank: 0 }, run: (state) => open(state, 'help') },
  {
    keys: ['q', 'ctrl-c'],
    group: 'Program',
    help: 'leave (asks once)',
    hint: { text: 'quit', rank: 1 },
    run: (state) => ({ ...state, mode: 'quit', playing: false }),
  },
  {
    keys: ['ctrl-z'],
    group: 'Program',
    help: 'suspend the program; fg brings it back',
    run: (state) => ({ state: paused(state), effect: 'suspend' }),
  },
];

/** Every key of the normal mode. */
export const KEY_TABLE: readonly KeyBinding[] = [...TIME_KEYS, ...PANE_KEYS, ...LOOK_KEYS, ...PROGRAM_KEYS];

function paused(state: UiState): UiState {
  return { ...state, playing: false };
}

function speed(state: UiState, by: number): UiState {
  const next = state.speed + by;
  return { ...state, speed: next, notice: `${SPEEDS[next] ?? 1} events a second` };
}

function focusOn(state: UiState, focus: PaneId): UiState {
  return { ...state, focus, lower: focus === 'stage' ? state.lower : focus, overlay: undefined, notice: '' };
}

function focusBeside(state: UiState, by: number): UiState {
  const count = PANE_ORDER.length;
  return focusOn(state, PANE_ORDER[(PANE_ORDER.indexOf(state.focus) + by + count) % count] ?? 'stage');
}

function moveDown(state: UiState, session: Session, by: number): UiState {
  if (state.overlay) return { ...state, overlay: { ...state.overlay, scroll: Math.max(0, state.overlay.scroll + by) } };
  if (state.focus === 'objects') return selectObject(state, session, by);
  if (state.focus === 'diff') return { ...state, diffScroll: Math.max(0, state.diffScroll + by) };
  return paused(stepEvents(state, session, by));
}

function open(state: UiState, kind: 'why' | 'help' | 'decision'): UiState {
  return { ...state, overlay: state.overlay?.kind === kind ? undefined : { kind, scroll: 0 }, playing: false };
}

function hasSelection(state: UiState, session: Session): boolean {
  return session.momentOf(state).selected >= 0;
}

function openObject(state: UiState, session: Session, kind: 'yaml' | 'details'): UiState {
  const { tree, selected } = session.momentOf(state);
  const row = tree[selected];
  if (!row) return { ...state, notice: 'select an object first: 2, then j and k' };
  return { ...state, overlay: state.overlay?.kind === kind ? undefined : { kind, scroll: 0, key: row.key }, playing: false };
}

function enter(state: UiState, session: Session): UiState {
  if (state.overlay) return { ...state, overlay: undefined };
  if (state.focus === 'objects' && hasSelection(state, session)) return openObject(state, session, 'details');
  return open(state, isSchedulingDecision(session.momentOf(state).entry) ? 'decision' : 'why');
}

function goBack(state: UiState): UiState {
  if (state.overlay) return { ...state, overlay: undefined };
  if (state.zoom) return { ...state, zoom: false };
  return { ...state, selected: undefined, sought: '', notice: '', diffScroll: 0 };
}
