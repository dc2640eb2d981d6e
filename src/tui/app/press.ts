import { wordsOf } from '../words/words.ts';
import type { Outcome } from './action.ts';
import { completeCommand, runCommand } from './commands.ts';
import { completeKubectl } from './complete-kubectl.ts';
import { KEY_TABLE } from './keys.ts';
import { editLine, PROMPT, typedLine } from './line-editor.ts';
import { find, toSeq } from './motion.ts';
import type { Session } from './session.ts';
import type { UiState } from './ui-state.ts';

const BINDINGS = new Map(KEY_TABLE.flatMap((binding) => binding.keys.map((key) => [key, binding])));
const MAX_HISTORY = 200;
const PAGE = 5;

/** What one key does: the only way in which the state changes. */
export function press(before: UiState, key: string, session: Session): Outcome {
  const state = before.notice ? { ...before, notice: '' } : before;
  if (state.mode === 'quit') return pressInQuestion(state, key);
  if (state.mode === 'mark' || state.mode === 'jump') return { state: pressLetter(state, key, session) };
  if (state.mode !== 'normal') return pressInText(state, key, session);
  if (state.overlay && key === 'q') return { state: { ...state, overlay: undefined } };
  const binding = BINDINGS.get(key);
  if (!binding || (binding.when && !binding.when(state, session))) return { state };
  return outcome(binding.run(state, session));
}

function pressInQuestion(state: UiState, key: string): Outcome {
  const leaves = key === 'y' || key === 'enter' || key === 'q' || key === 'ctrl-c';
  return leaves ? { state, effect: 'quit' } : { state: { ...state, mode: 'normal' } };
}

/** The letter after `m` or `'`. */
function pressLetter(state: UiState, key: string, session: Session): UiState {
  const { notices } = wordsOf(state.lang);
  const normal: UiState = { ...state, mode: 'normal' };
  if (!/^\p{L}$/u.test(key)) return normal;
  if (state.mode === 'mark') return { ...normal, marks: { ...state.marks, [key]: state.cursor }, notice: notices.marked(key) };
  const seq = state.marks[key];
  return seq === undefined ? { ...normal, notice: notices.noMark(key) } : toSeq({ ...normal, playing: false }, session, seq);
}

/** In text entry all keys are text. */
function pressInText(state: UiState, key: string, session: Session): Outcome {
  switch (key) {
    case 'esc':
      return { state: leaveText(state) };
    case 'ctrl-c':
      return interrupt(state, session);
    case 'enter':
      return submit(state, session);
    case 'tab':
      return { state: complete(state, session) };
    case 'up':
    case 'down':
      return { state: state.mode === 'kubectl' ? recall(state, key === 'up' ? -1 : 1) : state };
    case 'backspace':
      if (state.typed === '' && state.mode !== 'kubectl') return { state: leaveText(state) };
      break;
    case 'ctrl-l':
      return { state: { ...state, console: [], consoleScroll: 0 } };
    case 'pageup':
    case 'pagedown':
      return { state: { ...state, consoleScroll: Math.max(0, state.consoleScroll + (key === 'pageup' ? PAGE : -PAGE)) } };
  }
  const edited = editLine(state, key);
  return { state: edited ? { ...state, ...edited } : state };
}

function leaveText(state: UiState): UiState {
  return { ...state, mode: 'normal', typed: '', caret: 0 };
}

function interrupt(state: UiState, session: Session): Outcome {
  if (state.mode !== 'kubectl') return { state: leaveText(state) };
  if (session.live?.jobs.length) return { state, effect: { do: 'interrupt' } };
  return { state: state.typed.trim() === '' || state.typed.trim() === 'kubectl' ? leaveText(state) : { ...state, ...typedLine(PROMPT) } };
}

function complete(state: UiState, session: Session): UiState {
  if (state.mode === 'command') return { ...state, ...typedLine(completeCommand(state.typed, session)) };
  if (state.mode !== 'kubectl') return state;
  const { line, choices } = completeKubectl(state.typed, session.namesAt(state));
  return { ...state, ...typedLine(line), notice: choices.length > 1 ? choices.join('  ') : '' };
}

function recall(state: UiState, by: 1 | -1): UiState {
  const recalled = Math.min(Math.max(state.recalled + by, 0), state.history.length);
  return { ...state, recalled, ...typedLine(state.history[recalled] ?? PROMPT) };
}

function submit(state: UiState, session: Session): Outcome {
  const { mode, typed } = state;
  if (mode === 'kubectl') return submitKubectl(state);
  const normal = leaveText(state);
  if (mode === 'command') return outcome(runCommand(normal, session, typed));
  return outcome(typed ? find({ ...normal, sought: typed }, session, 1) : normal);
}

function submitKubectl(state: UiState): Outcome {
  const line = state.typed.trim();
  const empty: UiState = { ...state, ...typedLine(PROMPT) };
  if (line === '' || line === 'kubectl') return { state: empty };
  const history = [...state.history.filter((other) => other !== line), line].slice(-MAX_HISTORY);
  return { state: { ...empty, history, recalled: history.length }, effect: { do: 'kubectl', line } };
}

function outcome(result: UiState | Outcome): Outcome {
  return 'state' in result ? result : { state: result };
}
