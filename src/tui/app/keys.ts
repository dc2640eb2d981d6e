import { breakpointLike, parseBreakpoint } from '../model/breakpoints.ts';
import { requestOf } from '../model/request-walk.ts';
import { isSchedulingDecision } from '../model/scheduling-decision.ts';
import type { Words } from '../words/en.ts';
import { wordsOf } from '../words/words.ts';
import type { Outcome } from './action.ts';
import { PROMPT } from './line-editor.ts';
import { find, isAtEnd, isAtStart, markBeside, nextBreak, stepEvents, stepTurn, toMark, toRow, toSeq } from './motion.ts';
import { focusBeside, focusOn, goBack, hasSelection, moveDown, open, openObject, unfold } from './panes.ts';
import type { Session } from './session.ts';
import { DIFF_MODES, SPEEDS, type UiState } from './ui-state.ts';

/** One line of the help, one hint of the footer, one entry of the dispatcher: all from here. */
export interface KeyBinding {
  /** Names as `decodeKeys` gives them. */
  readonly keys: readonly string[];
  /** What it does, in the words of each language. */
  readonly id: keyof Words['keys'];
  readonly group: keyof Words['groups'];
  /** For the footer; absent where there is no room for everything. Lower ranks are kept longest. */
  readonly hint?: { readonly id: keyof Words['hints']; readonly rank: number };
  /** Whether it does anything now; always when absent. */
  readonly when?: (state: UiState, session: Session) => boolean;
  readonly run: (state: UiState, session: Session) => UiState | Outcome;
}

/** A running cluster goes on beyond its newest moment. */
const forward = (state: UiState, session: Session): boolean => session.live !== undefined || !isAtEnd(state, session);
const back = (state: UiState, session: Session): boolean => !isAtStart(state, session);
const live = (_: UiState, session: Session): boolean => session.live !== undefined;
const HALF_PAGE = 10;

const TIME_KEYS: readonly KeyBinding[] = [
  { keys: ['space'], id: 'play', group: 'time', hint: { id: 'play', rank: 2 }, run: play },
  {
    keys: ['.', 'right'],
    id: 'next',
    group: 'time',
    hint: { id: 'next', rank: 3 },
    when: forward,
    run: (state, session) =>
      isAtEnd(state, session) ? { state: paused(state), effect: { do: 'pass', until: 'event' } } : paused(stepEvents(state, session, 1)),
  },
  {
    keys: [',', 'left'],
    id: 'previous',
    group: 'time',
    hint: { id: 'previous', rank: 4 },
    when: back,
    run: (state, session) => paused(stepEvents(state, session, -1)),
  },
  {
    keys: ['>'],
    id: 'turnOn',
    group: 'time',
    hint: { id: 'turnOn', rank: 6 },
    when: forward,
    run: (state, session) =>
      isAtEnd(state, session) ? { state: paused(state), effect: { do: 'pass', until: 'event' } } : paused(stepTurn(state, session, 1)),
  },
  {
    keys: ['<'],
    id: 'turnBack',
    group: 'time',
    hint: { id: 'turnBack', rank: 12 },
    when: back,
    run: (state, session) => paused(stepTurn(state, session, -1)),
  },
  {
    keys: ['g', 'home'],
    id: 'start',
    group: 'time',
    hint: { id: 'start', rank: 15 },
    when: back,
    run: (state, session) => paused(toRow(state, session, 0)),
  },
  {
    keys: ['G', 'end'],
    id: 'now',
    group: 'time',
    hint: { id: 'now', rank: 13 },
    when: forward,
    run: toNow,
  },
  {
    keys: ['}'],
    id: 'nextMark',
    group: 'time',
    when: (state, session) => markBeside(state, session, 1) !== undefined,
    run: (state, session) => paused(toMark(state, session, 1)),
  },
  {
    keys: ['{'],
    id: 'previousMark',
    group: 'time',
    when: (state, session) => markBeside(state, session, -1) !== undefined,
    run: (state, session) => paused(toMark(state, session, -1)),
  },
  { keys: ['+', '='], id: 'faster', group: 'time', when: (state) => state.speed < SPEEDS.length - 1, run: (state) => speed(state, 1) },
  { keys: ['-', '_'], id: 'slower', group: 'time', when: (state) => state.speed > 0, run: (state) => speed(state, -1) },
  { keys: ['c'], id: 'continue', group: 'time', run: (state, session) => goOn(paused(state), session) },
  { keys: ['b'], id: 'breakHere', group: 'time', run: breakHere },
  { keys: ['m'], id: 'mark', group: 'time', run: (state) => askLetter(state, 'mark') },
  { keys: ["'"], id: 'jump', group: 'time', run: (state) => askLetter(state, 'jump') },
  {
    keys: ['f'],
    id: 'fork',
    group: 'time',
    hint: { id: 'fork', rank: 14 },
    when: live,
    run: (state) => ({ state: paused(state), effect: { do: 'fork' } }),
  },
  { keys: ['u'], id: 'undo', group: 'time', when: live, run: (state) => ({ state: paused(state), effect: { do: 'undo' } }) },
  { keys: ['ctrl-r'], id: 'redo', group: 'time', when: live, run: (state) => ({ state: paused(state), effect: { do: 'redo' } }) },
];

const PANE_KEYS: readonly KeyBinding[] = [
  { keys: ['tab'], id: 'focusNext', group: 'panes', hint: { id: 'focusNext', rank: 8 }, run: (state) => focusBeside(state, 1) },
  { keys: ['shift-tab'], id: 'focusPrevious', group: 'panes', run: (state) => focusBeside(state, -1) },
  { keys: ['1'], id: 'stage', group: 'panes', run: (state) => focusOn(state, 'stage') },
  { keys: ['2'], id: 'objects', group: 'panes', run: (state) => focusOn(state, 'objects') },
  { keys: ['3'], id: 'diff', group: 'panes', run: (state) => focusOn(state, 'diff') },
  { keys: ['5'], id: 'timeline', group: 'panes', run: (state) => focusOn(state, 'timeline') },
  { keys: ['z'], id: 'zoom', group: 'panes', hint: { id: 'zoom', rank: 17 }, run: (state) => ({ ...state, zoom: !state.zoom }) },
  { keys: ['j', 'down'], id: 'down', group: 'panes', run: (state, session) => moveDown(state, session, 1) },
  { keys: ['k', 'up'], id: 'up', group: 'panes', run: (state, session) => moveDown(state, session, -1) },
  { keys: ['ctrl-d', 'pagedown'], id: 'halfDown', group: 'panes', run: (state, session) => moveDown(state, session, HALF_PAGE) },
  { keys: ['ctrl-u', 'pageup'], id: 'halfUp', group: 'panes', run: (state, session) => moveDown(state, session, -HALF_PAGE) },
  { keys: ['o'], id: 'unfold', group: 'panes', when: hasSelection, run: unfold },
];

const LOOK_KEYS: readonly KeyBinding[] = [
  { keys: ['w'], id: 'why', group: 'look', hint: { id: 'why', rank: 7 }, run: (state) => open(state, 'why') },
  { keys: ['enter'], id: 'open', group: 'look', hint: { id: 'open', rank: 9 }, run: enter },
  {
    keys: ['y'],
    id: 'yaml',
    group: 'look',
    hint: { id: 'yaml', rank: 10 },
    when: hasSelection,
    run: (state, session) => openObject(state, session, 'yaml'),
  },
  {
    keys: ['d'],
    id: 'details',
    group: 'look',
    hint: { id: 'details', rank: 16 },
    when: hasSelection,
    run: (state, session) => openObject(state, session, 'details'),
  },
  { keys: ['l'], id: 'log', group: 'look', when: hasSelection, run: showLog },
  { keys: ['v'], id: 'cache', group: 'look', run: (state) => open(state, 'cache') },
  { keys: ['D'], id: 'diffMode', group: 'look', run: nextDiffMode },
  {
    keys: ['/'],
    id: 'find',
    group: 'look',
    hint: { id: 'find', rank: 11 },
    run: (state) => ({ ...state, mode: 'find', typed: '', caret: 0, notice: '', playing: false }),
  },
  { keys: ['n'], id: 'findNext', group: 'look', run: (state, session) => find(state, session, 1) },
  { keys: ['N'], id: 'findPrevious', group: 'look', run: (state, session) => find(state, session, -1) },
  { keys: ['a'], id: 'all', group: 'look', run: toggleAll },
  { keys: ['esc'], id: 'back', group: 'look', run: (state) => goBack(state) },
];

const PROGRAM_KEYS: readonly KeyBinding[] = [
  {
    keys: ['i'],
    id: 'kubectl',
    group: 'program',
    hint: { id: 'kubectl', rank: 5 },
    when: live,
    run: (state) => ({
      ...state,
      mode: 'kubectl',
      typed: PROMPT,
      caret: PROMPT.length,
      consoleOpen: true,
      overlay: undefined,
      notice: '',
      playing: false,
    }),
  },
  {
    keys: [':'],
    id: 'command',
    group: 'program',
    hint: { id: 'command', rank: 18 },
    run: (state) => ({ ...state, mode: 'command', typed: '', caret: 0, notice: '', playing: false }),
  },
  { keys: ['?'], id: 'help', group: 'program', hint: { id: 'help', rank: 0 }, run: (state) => open(state, 'help') },
  {
    keys: ['q', 'ctrl-c'],
    id: 'leave',
    group: 'program',
    hint: { id: 'leave', rank: 1 },
    run: (state) => ({ ...state, mode: 'quit', playing: false }),
  },
  { keys: ['ctrl-z'], id: 'suspend', group: 'program', run: (state) => ({ state: paused(state), effect: 'suspend' }) },
];

/** Every key of the normal mode. */
export const KEY_TABLE: readonly KeyBinding[] = [...TIME_KEYS, ...PANE_KEYS, ...LOOK_KEYS, ...PROGRAM_KEYS];

/** The order in which help and documentation show the groups. */
export const KEY_GROUPS = ['time', 'panes', 'look', 'program'] as const;

function paused(state: UiState): UiState {
  return { ...state, playing: false };
}

/** To the newest moment; there, on until all is settled. */
function toNow(state: UiState, session: Session): UiState | Outcome {
  return isAtEnd(state, session)
    ? { state: paused(state), effect: { do: 'pass', until: 'settled' } }
    : paused(toRow(state, session, Number.MAX_SAFE_INTEGER));
}

/** Where nothing is to move by itself, it goes at once to where playing would stop. */
function play(state: UiState, session: Session): UiState | Outcome {
  if (state.motion === 'none') return state.breaks.length > 0 ? goOn(paused(state), session) : toNow(state, session);
  if (state.playing) return { ...state, playing: false };
  return isAtEnd(state, session) && !session.live ? { ...toRow(state, session, 0), playing: true } : { ...state, playing: true };
}

export function toggleAll(state: UiState): UiState {
  const { onlyMatters, everything } = wordsOf(state.lang).notices;
  return { ...state, all: !state.all, notice: state.all ? onlyMatters : everything };
}

function speed(state: UiState, by: number): UiState {
  const next = state.speed + by;
  return { ...state, speed: next, notice: wordsOf(state.lang).notices.speed(SPEEDS[next] ?? 1) };
}

function askLetter(state: UiState, mode: 'mark' | 'jump'): UiState {
  return { ...paused(state), mode, notice: '' };
}

/** To the next breakpoint that the trace has; beyond it, time passes. */
function goOn(state: UiState, session: Session): UiState | Outcome {
  const { breakAt, breakNone, breakHow } = wordsOf(state.lang).notices;
  if (state.breaks.length === 0) return { ...state, notice: breakHow };
  const found = nextBreak(state, session);
  if (found) return { ...toSeq(state, session, found.seq), notice: breakAt(found.text) };
  return session.live ? { state, effect: { do: 'pass', until: 'breakpoint' } } : { ...state, notice: breakNone };
}

function breakHere(state: UiState, session: Session): UiState {
  const { entry } = session.momentOf(state);
  const made = entry && parseBreakpoint(breakpointLike(session.run, entry));
  const { breakHow, breakGone, breakSet } = wordsOf(state.lang).notices;
  if (!made) return { ...state, notice: breakHow };
  const rest = state.breaks.filter(({ text }) => text !== made.text);
  if (rest.length < state.breaks.length) return { ...state, breaks: rest, notice: breakGone(made.text) };
  return { ...state, breaks: [...state.breaks, made], notice: breakSet(made.text) };
}

function nextDiffMode(state: UiState): UiState {
  const diffMode = DIFF_MODES[(DIFF_MODES.indexOf(state.diffMode) + 1) % DIFF_MODES.length] ?? 'changes';
  return { ...focusOn(state, 'diff'), diffMode, diffScroll: 0, notice: wordsOf(state.lang).notices.diffMode[diffMode] };
}

function showLog(state: UiState, session: Session): UiState | Outcome {
  const { tree, selected } = session.momentOf(state);
  const { kind, metadata } = tree[selected]?.object ?? {};
  if (kind !== 'Pod' || !metadata?.name || !session.live) return { ...state, notice: wordsOf(state.lang).notices.selectPod };
  const namespace = metadata.namespace && metadata.namespace !== 'default' ? ` -n ${metadata.namespace}` : '';
  return {
    state: { ...paused(state), consoleOpen: true, overlay: undefined },
    effect: { do: 'kubectl', line: `kubectl logs ${metadata.name}${namespace}` },
  };
}

/** What stands behind this step: the decision's table, the connection's path, the request's walk, else all causes. */
function enter(state: UiState, session: Session): UiState {
  if (state.overlay) return { ...state, overlay: undefined };
  if (state.focus === 'objects' && hasSelection(state, session)) return openObject(state, session, 'details');
  const { entry } = session.momentOf(state);
  if (isSchedulingDecision(entry)) return open(state, 'decision');
  if (entry?.kind === 'runtime' && entry.what === 'connection') return open(state, 'connection');
  return open(state, entry && requestOf(session.run, entry) ? 'request' : 'why');
}
