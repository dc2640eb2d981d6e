import type { LessonProblem } from '../../lesson/check-texts.ts';
import type { LessonInput } from '../../lesson/lesson-event.ts';
import { type LoadedLesson, textIn } from '../../lesson/load-lesson.ts';
import { LANGUAGES, type Language } from '../../lesson/phrases.ts';
import { LessonPlayer } from '../../lesson/player.ts';
import { initialState } from '../app/ui-state.ts';
import { cellWidth } from '../text/cells.ts';
import { BORDER } from '../view/frame.ts';
import { lineWidth } from '../view/span.ts';
import { LessonBench } from './lesson-bench.ts';
import { lessonLayoutFor } from './lesson-layout.ts';
import { lessonLines } from './lesson-lines.ts';
import { lessonRows } from './lesson-pane.ts';
import { pressLesson } from './lesson-press.ts';
import { type LessonState, lessonState } from './lesson-state.ts';

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 36 },
] as const;
const MAX_KEYS = 4_000;

/** Plays a lesson by its solution with nothing but keys at 80x24; at each step looks at it in every language and size. Returns what is wrong. */
export async function playByKeys(loaded: LoadedLesson): Promise<LessonProblem[]> {
  const problems: string[] = [];
  const bench = new LessonBench({ loaded, player: await LessonPlayer.start(loaded.lesson) });
  const ui = initialState({ cursor: bench.view.timeline.last, theme: 'mono', lang: 'en' });
  let state = lessonState(ui, bench.lesson.takeEvents());
  let keys = 0;
  const press = async (key: string): Promise<void> => {
    keys++;
    const { height, count } = lookAt(bench, state, { lang: 'en', ...SIZES[0] });
    const { state: pressed, action } = pressLesson(state, key, { lesson: bench.lesson, view: bench.view, height, count });
    state = pressed;
    if (!action) return;
    const inputs = bench.lesson.inputs.length;
    await bench.act(action, (update) => {
      state = update(state);
    });
    if (bench.lesson.inputs.length > inputs) problems.push(...problemsOf(bench, state));
  };
  while (bench.lesson.step && keys < MAX_KEYS) {
    const { step } = bench.lesson;
    for (const input of await bench.lesson.solution()) {
      if (bench.lesson.step !== step) break;
      await readOn(bench, press);
      for (const key of keysOf(input, bench)) await press(key);
    }
  }
  if (bench.lesson.step) problems.push(`${bench.lesson.step.id}: the keys lead nowhere`);
  return [...new Set(problems)].map((problem) => ({ file: 'lesson.yaml', where: 'on the screen', problem }));
}

/** Pages through what does not fit. */
async function readOn(bench: LessonBench, press: (key: string) => Promise<void>): Promise<void> {
  const { inputs } = bench.lesson;
  const before = inputs.length;
  for (let page = 0; page < 20 && inputs.length === before; page++) await press('pagedown');
}

function keysOf(input: LessonInput, bench: LessonBench): string[] {
  if (input.do === 'next') return ['enter'];
  if (input.do === 'command') return ['i', ...Array.from(input.line, (letter) => (letter === ' ' ? 'space' : letter)), 'enter'];
  if (input.do !== 'answer') return [];
  const { question } = bench.lesson;
  const answers = typeof input.answer === 'string' ? [input.answer] : input.answer;
  const letters = answers.map((answer) => String.fromCharCode(97 + (question?.options.indexOf(answer) ?? 0)));
  const chosen = question?.kind === 'number' ? [...Array.from(String(input.answer)), ...(question.confidence ? ['enter'] : [])] : letters;
  return [...chosen, ...(question?.confidence ? ['2'] : []), 'enter'];
}

interface Look {
  readonly lang: Language;
  readonly columns: number;
  readonly rows: number;
}

function lookAt(bench: LessonBench, state: LessonState, { lang, columns, rows }: Look) {
  const request = { columns, rows, focus: state.ui.focus, lower: state.ui.lower, full: false };
  const { lesson } = lessonLayoutFor({ ...request, wanted: 0 });
  const width = lesson.width - BORDER;
  const text = lessonRows(state, bench.wordsIn(lang), width);
  const height = lessonLayoutFor({ ...request, wanted: text.length }).lesson.height - BORDER;
  return { text, width, height, count: text.length };
}

/** Rows that are too wide, and questions that cannot be seen whole. */
function problemsOf(bench: LessonBench, state: LessonState): string[] {
  const { step, question } = bench.lesson;
  return LANGUAGES.flatMap((lang) => {
    if (!textIn(bench.loaded, lang)) return [];
    const line = lineProblems(bench, state, lang);
    return line.concat(
      SIZES.flatMap(({ columns, rows }) => {
        const where = `${step?.id ?? 'end'} (${lang}, ${columns}x${rows})`;
        const { text, width } = lookAt(bench, state, { lang, columns, rows });
        const wide = text.filter((row) => lineWidth(row) > width).map(() => `${where}: a row is too wide`);
        const alone = question ? lookAt(bench, { ...state, events: [] }, { lang, columns, rows }) : undefined;
        const room = rows === 24 ? rows - 4 - BORDER : Number.POSITIVE_INFINITY;
        return alone && alone.count > room
          ? [...wide, `${where}: the question takes ${alone.count} rows; there is room for ${room}`]
          : wide;
      }),
    );
  });
}

/** In line mode every event has words. */
function lineProblems(bench: LessonBench, state: LessonState, lang: Language): string[] {
  const words = bench.wordsIn(lang);
  return state.events.flatMap((event) => {
    const lines = lessonLines(event, words);
    const silent =
      (event.event === 'verdict' || event.event === 'question' || event.event === 'checked') && !lines.some((text) => cellWidth(text) > 0);
    const raw = lines.filter((text) => /\{[a-z][\w-]*\}/i.test(text) && event.event !== 'output');
    return [
      ...(silent ? [`${event.event} says nothing (${lang}, line)`] : []),
      ...raw.map((text) => `a name is not filled in (${lang}, line): ${text}`),
    ];
  });
}
