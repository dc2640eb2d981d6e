import { textIn } from '../lesson/load-lesson.ts';
import { type Language, phrasesOf } from '../lesson/phrases.ts';
import { type Missed, withWarmUp } from '../lesson/progress.ts';
import type { LessonSession } from '../lesson/session.ts';
import { type LessonWords, lessonLines, recallLines } from '../tui/lesson/lesson-lines.ts';
import { AnswerReader } from '../tui/lesson/read-answer.ts';
import type { ProgressFile } from './progress-file.ts';
import type { WarmUp } from './warm-up-of.ts';

/** A missed prediction in a changed case, line by line: three lines to read, one answer. */
export class LineWarmUp {
  readonly #asked: Missed;
  readonly #session: LessonSession;
  readonly #words: LessonWords | undefined;
  readonly #progress: ProgressFile;
  readonly #answers = new AnswerReader();

  constructor(of: WarmUp, options: { readonly lang: Language; readonly progress: ProgressFile }) {
    this.#asked = of.asked;
    this.#session = of.session;
    this.#progress = options.progress;
    const text = textIn(of.folder, options.lang);
    this.#words = text && { session: of.session, text, phrases: phrasesOf(options.lang) };
  }

  async start(): Promise<void> {
    const { question } = this.#session;
    if (!this.#words || !question) return;
    print([...recallLines(this.#asked.step, this.#words), ...lessonLines({ event: 'question', question }, this.#words)]);
  }

  async take(line: string): Promise<boolean> {
    const words = this.#words;
    const { question } = this.#session;
    if (!words || !question) return false;
    const read = this.#answers.take(question, line);
    if (read.say)
      print([
        read.say === 'sure'
          ? `${words.phrases.labels.howSure} ${words.phrases.labels.sureScale}`
          : words.phrases.refused('not-an-answer', line),
      ]);
    if (!read.input) return true;
    await this.#session.send(read.input);
    const verdict = this.#session.verdicts.at(-1);
    if (!verdict) return true;
    print([...lessonLines({ event: 'verdict', verdict }, words), '']);
    this.#progress.save(withWarmUp(this.#progress.progress, this.#asked, verdict.right));
    return false;
  }
}

function print(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}
