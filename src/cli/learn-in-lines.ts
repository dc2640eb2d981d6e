import { createInterface } from 'node:readline';
import type { Language } from '../lesson/phrases.ts';
import { formatRunFile } from '../lesson/run-file.ts';
import { writeText } from './files.ts';
import type { LessonFolder } from './lesson-files.ts';
import { LineLesson } from './line-lesson.ts';
import { LineWarmUp } from './line-warm-up.ts';
import type { ProgressFile } from './progress-file.ts';
import { warmUpBefore } from './warm-up-of.ts';

export interface LearnOptions {
  readonly lang: Language;
  readonly progress: ProgressFile;
  /** Only the questions; all right means that the lesson is known. */
  readonly testOut: boolean;
  /** From the beginning, whatever was saved. */
  readonly again: boolean;
  /** Where lines go. Default: standard output. */
  readonly print?: (line: string) => void;
  /** Where to write the run at the end. */
  readonly save?: string;
}

/** Something that is played line by line. */
interface LineGame {
  start(): Promise<void>;
  /** Takes one line; returns whether there is more to come. */
  take(line: string): Promise<boolean>;
}

/** Plays a lesson line by line: append-only, one labelled sentence an event, an answer by number. */
export async function learnInLines(folder: LessonFolder, options: LearnOptions): Promise<number> {
  const terminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  let lesson = new LineLesson(folder, options);
  let games: LineGame[] = [...(options.testOut ? [] : await warmUps(folder, options)), lesson];
  let game = games.shift();
  await game?.start();
  for await (const line of createInterface({ input: process.stdin, terminal, prompt: '' })) {
    if (!terminal) process.stdout.write(`> ${line.trim()}\n`);
    if (/^(q|quit|exit)$/i.test(line.trim())) break;
    if (!game || (await game.take(line.trim()))) continue;
    if (lesson.next) {
      const { lang } = lesson;
      const how = { ...options, lang, again: false };
      games = [...(await warmUps(lesson.next, how))];
      lesson = new LineLesson(lesson.next, how);
      games.push(lesson);
    }
    game = games.shift();
    if (!game) break;
    await game.start();
  }
  const run = lesson.runFile();
  if (options.save && run) writeText(options.save, formatRunFile(run));
  if (options.progress.problem) process.stderr.write(`bottleship: ${options.progress.problem}\n`);
  return 0;
}

/** A prediction missed in another lesson, if there is one. */
async function warmUps({ lesson }: LessonFolder, { lang, progress }: LearnOptions): Promise<LineGame[]> {
  const warmUp = await warmUpBefore(lesson.id, progress.progress);
  return warmUp ? [new LineWarmUp(warmUp, { lang, progress })] : [];
}
