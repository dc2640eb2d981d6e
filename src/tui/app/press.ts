import { graphemes } from '../text/cells.ts';
import { completeCommand, runCommand } from './commands.ts';
import { KEY_TABLE, type Outcome } from './keys.ts';
import { find } from './motion.ts';
import type { Session } from './session.ts';
import type { UiState } from './ui-state.ts';

const BINDINGS = new Map(KEY_TABLE.flatMap((binding) => binding.keys.map((key) => [key, binding])));
const MAX_TYPED = 200;

/** What one key does: the only way in which the state changes. */
export function press(before: UiState, key: string, session: Session): Outcome {
  const state = before.notice ? { ...before, notice: '' } : before;
  if (state.mode === 'quit') return pressInQuestion(state, key);
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

/** In text entry all keys are text. */
function pressInText(state: UiState, key: string, session: Session): Outcome {
  switch (key) {
    case 'esc':
    case 'ctrl-c':
      return { state: { ...state, mode: 'normal', typed: '' } };
    case 'enter':
      return submit(state, session);
    case 'backspace':
      return { state: state.typed ? { ...state, typed: graphemes(state.typed).slice(0, -1).join('') } : { ...state, mode: 'normal' } };
    case 'ctrl-u':
      return { state: { ...state, typed: '' } };
    case 'tab':
      return { state: state.mode === 'command' ? { ...state, typed: completeCommand(state.typed) } : state };
    case 'space':
      return { state: { ...state, typed: `${state.typed} ` } };
    default:
      return graphemes(key).length === 1 && state.typed.length < MAX_TYPED ? { state: { ...state, typed: state.typed + key } } : { state };
  }
}

function submit(state: UiState, session: Session): Outcome {
  const { mode, typed } = state;
  const normal: UiState = { ...state, mode: 'normal', typed: '' };
  if (mode === 'command') return outcome(runCommand(normal, session, typed));
  return outcome(typed ? find({ ...normal, sought: typed }, session, 1) : normal);
}

function outcome(result: UiState | Outcome): Outcome {
  return 'state' in result ? result : { state: result };
}
