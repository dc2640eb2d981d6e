import { fillText } from '../../lesson/fill.ts';
import type { LessonStep } from '../../lesson/lesson.ts';
import type { LessonEvent } from '../../lesson/lesson-event.ts';
import { stepText } from '../../lesson/lesson-text.ts';
import type { OpenQuestion } from '../../lesson/question.ts';
import { wrapSentence } from '../text/wrap-sentence.ts';
import { type Line, span, type Token } from '../view/span.ts';
import type { Draft } from './draft.ts';
import { answerOf, takesSeveral } from './draft.ts';
import { type LessonWords, lessonLines, optionLabel, recallLines, ruleLines, stepLines } from './lesson-lines.ts';
import type { LessonState } from './lesson-state.ts';
import { lessonWordsOf } from './lesson-words.ts';

/** The lesson as rows of at most `width` cells: what was said since the last input, the present step, the open question. */
export function lessonRows(state: LessonState, words: LessonWords & { readonly recalls?: boolean }, width: number): Line[] {
  const { session } = words;
  const { step, question } = session;
  const inner = width - 2;
  const tells = state.events.some((event) => event.event === 'step' && event.step === step?.id);
  const before =
    !step || tells
      ? []
      : words.recalls
        ? recallRows(step.id, words, inner)
        : stepRows(step.id, { ...words, brief: isBrief(state, step) }, inner);
  const asked = question && !tells ? questionRows(question, state.draft, { words, width: inner }) : [];
  const said = state.events.flatMap((event) => eventRows(event, state, { words, width: inner }));
  const rows = [...before, ...asked, ...(before.length && said.length ? [BLANK] : []), ...said];
  return trimBlank(rows).map((line) => [span(' '), ...line]);
}

/** Instead of the step: that the question comes back, and what one must know. */
function recallRows(step: string, words: LessonWords, width: number): Line[] {
  return recallLines(step, words).flatMap((text, index) => wrapped(text, width, index === 0 ? 'title' : 'text'));
}

const BLANK: Line = [span('')];

interface Room {
  readonly words: LessonWords;
  readonly width: number;
}

function eventRows(event: LessonEvent, state: LessonState, { words, width }: Room): Line[] {
  if (event.event === 'step') return [BLANK, ...stepRows(event.step, words, width)];
  // They stand below the step already.
  if (event.event === 'rules') return [];
  if (event.event === 'question') {
    const open = words.session.question;
    return open && open.step === event.question.step && open.id === event.question.id
      ? questionRows(open, state.draft, { words, width })
      : [];
  }
  return lessonLines(event, words).flatMap((text, index) => wrapped(text, width, tokenOf(event, text, index)));
}

/** What a line means, so that marks carry a colour besides. */
function tokenOf(event: LessonEvent, text: string, index: number): Token {
  if (/^ *\[x\]/.test(text)) return 'good';
  if (/^ *\[ \]/.test(text)) return 'busy';
  switch (event.event) {
    case 'verdict':
      return index === 0 ? (event.verdict.right ? 'good' : 'bad') : 'text';
    case 'mistake':
    case 'refused':
    case 'unexpected':
    case 'in-vain':
      return 'bad';
    case 'output':
    case 'visited':
      return 'dim';
    case 'hint':
    case 'solution':
      return 'key';
    case 'passed':
      return 'good';
    default:
      return 'text';
  }
}

/** Who writes line after line wants to see these, and the reply to the last one; the lesson alone has room for all. */
function isBrief({ full, events }: LessonState, { step }: LessonStep): boolean {
  return step === 'reconcile' && !full && events.length > 0;
}

function stepRows(id: string, words: LessonWords & { readonly brief?: boolean }, width: number): Line[] {
  const { session } = words;
  const [title = '', ...rest] = stepLines(id, words, words.brief);
  const goal = stepText(words.text, id).goal !== undefined;
  return [
    ...wrapped(title, width, 'title'),
    ...rest.flatMap((text, index) => wrapped(text, width, goal && index === rest.length - 1 ? 'focus' : 'text')),
    ...(session.writes && session.step?.id === id ? reconcileRows(words, width) : []),
  ];
}

function reconcileRows({ session, phrases }: LessonWords, width: number): Line[] {
  const { rules, running } = session.reconcile;
  const token = (text: string): Token => (/^ {2}/.test(text) ? 'cursor' : running ? 'dim' : 'key');
  return rules.length || session.step?.step === 'reconcile'
    ? ruleLines(session.reconcile, phrases).flatMap((text) => wrapped(text, width, token(text)))
    : [];
}

function questionRows(question: OpenQuestion, draft: Draft, { words, width }: Room): Line[] {
  const { labels } = words.phrases;
  const pane = lessonWordsOf(words.phrases.lang);
  const { ask = '' } = stepText(words.text, question.step, question.id);
  const prediction = words.session.step?.step === 'predict';
  const options = question.options.flatMap((option, index) => optionRows(question, { option, index, draft }, { words, width }));
  const typed: Line[] = question.kind === 'number' ? [[span(` ${draft.typed || '_'}`, 'cursor')]] : [];
  const actions: Line[] =
    question.kind === 'control' && draft.chosen.length
      ? wrapped(draft.chosen.map((option) => optionLabel(question, option, words)).join(' > '), width, 'selected')
      : [];
  const sure: Line[] = question.confidence ? [sureRow(draft, pane, answerOf(question, draft) !== undefined)] : [];
  return [
    ...wrapped(`${prediction ? labels.predict : labels.question}: ${fillText(ask, words.session.run.variables)}`, width, 'focus'),
    ...options,
    ...typed,
    ...actions,
    ...sure,
  ];
}

/** `(*) b now, while web-1 still runs`; the place in the order instead of the star where several are chosen. */
function optionRows(
  question: OpenQuestion,
  { option, index, draft }: { option: string; index: number; draft: Draft },
  { words, width }: Room,
): Line[] {
  const places = draft.chosen.flatMap((chosen, place) => (chosen === option ? [place + 1] : []));
  const several = takesSeveral(question);
  const mark = !places.length ? ' ' : several ? (question.kind === 'order' ? String(places[0]) : String(places.length)) : '*';
  const head = `(${mark}) ${String.fromCharCode(97 + index)} `;
  const token: Token = places.length ? 'cursor' : 'text';
  const lines = wrapSentence(optionLabel(question, option, words), width - head.length);
  return lines.map((text, at) => [span(at === 0 ? head : ' '.repeat(head.length), places.length ? 'cursor' : 'key'), span(text, token)]);
}

/** There from the start, so that nothing moves when an answer is chosen. */
function sureRow(draft: Draft, pane: ReturnType<typeof lessonWordsOf>, ready: boolean): Line {
  const parts = pane.sure.flatMap((word, index) => {
    const chosen = draft.confidence === index + 1;
    return [span(`${chosen ? '*' : ' '}${index + 1} ${word} `, chosen ? 'cursor' : ready ? 'text' : 'dim')];
  });
  return [span(`${pane.howSure} `, ready ? 'focus' : 'dim'), ...parts];
}

/** A line that begins with blanks keeps them in each of its rows. */
function wrapped(text: string, width: number, token: Token): Line[] {
  const indent = /^ */.exec(text)?.[0] ?? '';
  return wrapSentence(text.trimStart(), Math.max(8, width - indent.length)).map((row) => [span(indent + row, token)]);
}

function trimBlank(rows: readonly Line[]): Line[] {
  const first = rows.findIndex((row) => row !== BLANK);
  return first < 0 ? [] : rows.slice(first);
}
