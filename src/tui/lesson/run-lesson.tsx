import type { Instance } from 'ink';
import { lookFor, renderFullScreen, suspendProcess } from '../app/full-screen.ts';
import { initialState } from '../app/ui-state.ts';
import { glyphsOf } from '../view/glyphs.ts';
import { chooseLook } from '../view/look.ts';
import { colorDepth } from '../view/theme.ts';
import type { Language } from '../words/words.ts';
import { LessonApp } from './LessonApp.tsx';
import { LessonBench, type LessonBenchOptions } from './lesson-bench.ts';
import { type LessonState, lessonState } from './lesson-state.ts';
import { lessonWordsOf } from './lesson-words.ts';

export interface LessonTuiOptions extends LessonBenchOptions {
  readonly lang: Language;
  /** What is typed after `bottleship learn` to get back here. */
  readonly name: string;
  readonly theme?: string | undefined;
  readonly glyphs?: string | undefined;
  readonly motion?: string | undefined;
  readonly stdin?: NodeJS.ReadStream | undefined;
  readonly stdout?: NodeJS.WriteStream | undefined;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** How a person left a lesson. */
export interface LessonSummary {
  /** To be printed after the screen is restored. */
  readonly lines: readonly string[];
  readonly wants: 'end' | 'sandbox';
  /** The language that was chosen last. */
  readonly lang: Language;
  /** The lesson for which the person left. */
  readonly next?: string | undefined;
}

/** Plays a lesson in the terminal until the person leaves. Needs a terminal at both ends. */
export async function runLesson(options: LessonTuiOptions): Promise<LessonSummary> {
  const { stdin = process.stdin, stdout = process.stdout, env = process.env } = options;
  const { instance, summary } = mountLesson({ ...options, ...(await lookFor(options, { stdin, stdout }, env)) });
  await instance.waitUntilExit();
  return summary();
}

/** The screen and the way to its summary, for whoever wants to look at it from outside. */
export function mountLesson(options: LessonTuiOptions): { readonly instance: Instance; summary(): LessonSummary } {
  const { stdin = process.stdin, stdout = process.stdout, env = process.env, lang, name } = options;
  const look = chooseLook(options, env);
  const bench = new LessonBench(options);
  const ui = initialState({ cursor: bench.view.timeline.last, theme: look.theme, motion: look.motion, lang });
  const initial = lessonState(ui, bench.lesson.takeEvents());
  let left: { readonly state: LessonState; readonly wants: 'end' | 'sandbox' } = { state: initial, wants: 'end' };
  const app = (
    <LessonApp
      bench={bench}
      initial={initial}
      onLeave={(state, wants) => {
        left = { state, wants };
      }}
      depth={colorDepth(env)}
      glyphs={glyphsOf(look.glyphs)}
      suspend={suspendProcess}
    />
  );
  const instance = renderFullScreen(app, { stdin, stdout });
  return {
    instance,
    summary: () => ({
      lines: summaryOf(bench, left.state.ui.lang, name),
      wants: left.wants,
      lang: left.state.ui.lang,
      next: left.state.ui.next,
    }),
  };
}

function summaryOf(bench: LessonBench, lang: Language, name: string): readonly string[] {
  const words = lessonWordsOf(lang);
  const { text } = bench.wordsIn(lang);
  const { step, lesson } = bench.lesson;
  if (!step) return [words.finished(text.title)];
  return [words.left(text.title, lesson.steps.indexOf(step) + 1, lesson.steps.length), words.continueHow(name)];
}
