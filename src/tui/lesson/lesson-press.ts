import type { LessonInput } from '../../lesson/lesson-event.ts';
import { phrasesOf } from '../../lesson/phrases.ts';
import type { OpenQuestion } from '../../lesson/question.ts';
import type { LessonSession } from '../../lesson/session.ts';
import { onlyLooks } from '../../lesson/typed-command.ts';
import { isResource } from '../app/commands.ts';
import { PROMPT, typedLine } from '../app/line-editor.ts';
import { press } from '../app/press.ts';
import type { Session } from '../app/session.ts';
import type { UiState } from '../app/ui-state.ts';
import { editDraft, inputOf, NO_DRAFT } from './draft.ts';
import type { LessonState } from './lesson-state.ts';
import { lessonWordsOf } from './lesson-words.ts';
import { readAnswer } from './read-answer.ts';

/** What a key asks of the lesson or of the program. */
export type LessonAction =
  | { readonly do: 'send'; readonly input: LessonInput }
  | { readonly do: 'undo' | 'redo' | 'quit' | 'suspend' | 'restart' | 'sandbox' };

export interface LessonOutcome {
  readonly state: LessonState;
  readonly action?: LessonAction;
}

/** What a key is pressed in. */
export interface LessonPlace {
  readonly lesson: LessonSession;
  readonly view: Session;
  /** Rows of the lesson pane, and how many of its text there are. */
  readonly height: number;
  readonly count: number;
}

/** What one key does while a lesson is on the screen: first what the lesson asks, then what it does everywhere. */
export function pressLesson(before: LessonState, key: string, place: LessonPlace): LessonOutcome {
  const state = key === 'S' ? before : { ...before, asksSolution: false };
  const { ui } = state;
  if (ui.mode === 'kubectl' || ui.mode === 'command') return pressInText(state, key, place);
  if (ui.mode !== 'normal' || ui.overlay) return passOn(state, key, place);
  return answerKey(state, key, place) ?? scrollKey(state, key, place) ?? lessonKey(state, key, place) ?? passOn(state, key, place);
}

function answerKey(state: LessonState, key: string, { lesson }: LessonPlace): LessonOutcome | undefined {
  const { question } = lesson;
  const draft = question && editDraft(question, state.draft, key);
  return draft ? { state: { ...state, draft } } : undefined;
}

/** In the lesson alone, lines are gone through as in a pager; beside other panes by page. */
function scrollKey(state: LessonState, key: string, { height, count }: LessonPlace): LessonOutcome | undefined {
  const page: Readonly<Record<string, number>> = { pagedown: height - 1, pageup: 1 - height };
  const line: Readonly<Record<string, number>> = state.full ? { j: 1, down: 1, k: -1, up: -1 } : {};
  const by = line[key] ?? page[key];
  if (by === undefined) return undefined;
  return { state: { ...state, scroll: Math.min(Math.max(state.scroll + by, 0), Math.max(0, count - height)) } };
}

function lessonKey(state: LessonState, key: string, place: LessonPlace): LessonOutcome | undefined {
  const { ui } = state;
  const words = lessonWordsOf(ui.lang);
  switch (key) {
    case 'enter':
      return pressEnter(state, place);
    case 'i':
      return typing(state, place);
    case 'H':
      return { state, action: { do: 'send', input: { do: 'hint' } } };
    case 'S':
      if (state.asksSolution) return { state: { ...state, asksSolution: false }, action: { do: 'send', input: { do: 'solution' } } };
      return { state: { ...state, asksSolution: true, ui: { ...ui, notice: words.confirmSolution } } };
    case 'u':
      return { state, action: { do: 'undo' } };
    case 'ctrl-r':
      return { state, action: { do: 'redo' } };
    case 'f':
      return place.lesson.veil ? { state: { ...state, ui: { ...ui, notice: words.hidden } } } : { state, action: { do: 'sandbox' } };
    case '4':
      return { state: { ...state, full: !state.full, scroll: 0 } };
    case 'esc':
      return state.full ? { state: { ...state, full: false, scroll: 0 } } : undefined;
    case '1':
    case '2':
    case '3':
    case '5':
      return passOn({ ...state, full: false }, key, place);
    default:
      return undefined;
  }
}

/** Commits an answer that is complete; else more of the text first, then what the step waits for. */
function pressEnter(state: LessonState, place: LessonPlace): LessonOutcome {
  const { lesson, height, count } = place;
  const input = lesson.question && inputOf(lesson.question, state.draft);
  if (input) return { state: { ...state, draft: NO_DRAFT }, action: { do: 'send', input } };
  if (state.scroll + height < count) return { state: { ...state, scroll: Math.min(state.scroll + height - 1, count - height) } };
  if (lesson.waits === 'next') return { state, action: { do: 'send', input: { do: 'next' } } };
  if (lesson.waits === 'command') return typing(state, place);
  return lesson.waits === 'nothing' ? { state, action: { do: 'quit' } } : { state };
}

function typing(state: LessonState, { lesson }: LessonPlace): LessonOutcome {
  const { ui } = state;
  if (lesson.waits === 'nothing') return { state: { ...state, ui: { ...ui, notice: lessonWordsOf(ui.lang).notHere } } };
  const asks = lesson.question?.kind === 'control' ? 'answer' : lesson.step?.step === 'reconcile' ? 'reconcile' : undefined;
  return {
    state: {
      ...state,
      ui: { ...ui, mode: 'kubectl', ...typedLine(asks ? '' : PROMPT), asks, overlay: undefined, notice: '', playing: false },
    },
  };
}

/** In text entry all keys are text; the lesson takes the line when it is done. */
function pressInText(state: LessonState, key: string, place: LessonPlace): LessonOutcome {
  const { ui } = state;
  if (key === 'enter' && ui.mode === 'kubectl') {
    const line = ui.typed.trim();
    const left = leaveText(ui);
    if (line === '' || line === 'kubectl') return { state: { ...state, ui: left } };
    const { question } = place.lesson;
    if (question?.kind === 'control' && !onlyLooks(line)) return typedAnswer({ ...state, ui: left }, line, question);
    const history = [...ui.history.filter((other) => other !== line), line];
    return {
      state: { ...state, ui: { ...left, history, recalled: history.length } },
      action: { do: 'send', input: { do: 'command', line } },
    };
  }
  if (key === 'enter' && ui.mode === 'command') {
    const typed = ui.typed.trim();
    const action = COMMANDS[typed];
    if (action) return { state: { ...state, ui: leaveText(ui) }, action };
    const own = commandOfCluster(typed, { ...state, ui: leaveText(ui) }, place);
    if (own) return own;
  }
  return passOn(state, key, place);
}

/** The actions of a reconcile, typed: `create Pod x2, delete Service`. */
function typedAnswer(state: LessonState, line: string, question: OpenQuestion): LessonOutcome {
  const answer = readAnswer(question, line);
  if (answer !== undefined) return { state: { ...state, draft: NO_DRAFT }, action: { do: 'send', input: { do: 'answer', answer } } };
  return { state: { ...state, ui: { ...state.ui, notice: phrasesOf(state.ui.lang).refused('not-an-answer', line) } } };
}

/** Commands of the palette that act in a running cluster: here they are for a copy of it, or read it. */
function commandOfCluster(typed: string, state: LessonState, place: LessonPlace): LessonOutcome | undefined {
  const [name = ''] = typed.split(/\s+/);
  const words = lessonWordsOf(state.ui.lang);
  if (name === 'fork') return lessonKey(state, 'f', place);
  if (OF_CLUSTER.has(name)) return { state: { ...state, ui: { ...state.ui, notice: words.inSandbox } } };
  if (!isResource(name)) return undefined;
  if (place.lesson.waits === 'nothing') return { state: { ...state, ui: { ...state.ui, notice: words.notHere } } };
  return { state, action: { do: 'send', input: { do: 'command', line: `get ${typed}` } } };
}

const OF_CLUSTER: ReadonlySet<string> = new Set(['fault', 'wait', 'visit', 'load', 'branch', 'name', 'compare', 'save', 'export']);

/** Commands of the palette that are about the lesson. */
const COMMANDS: Readonly<Record<string, LessonAction>> = {
  hint: { do: 'send', input: { do: 'hint' } },
  solution: { do: 'send', input: { do: 'solution' } },
  undo: { do: 'undo' },
  redo: { do: 'redo' },
  restart: { do: 'restart' },
};

function leaveText(ui: UiState): UiState {
  return { ...ui, mode: 'normal', typed: '', caret: 0 };
}

function passOn(state: LessonState, key: string, { view }: LessonPlace): LessonOutcome {
  const { state: ui, effect } = press(state.ui, key, view);
  const next = { ...state, ui: { ...ui, consoleOpen: false } };
  if (effect === 'quit' || effect === 'suspend') return { state: next, action: { do: effect } };
  return { state: next };
}
