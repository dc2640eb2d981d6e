import { existsSync } from 'node:fs';
import { textIn } from '../lesson/load-lesson.ts';
import { LANGUAGES, type Language, phrasesOf } from '../lesson/phrases.ts';
import { formatProgress, type Progress, ProgressError, parseProgress } from '../lesson/progress.ts';
import { parseRunFile, rerun } from '../lesson/run-file.ts';
import { canRunTui } from '../tui/can-run-tui.ts';
import type { CliCommand, OptionValues } from './command.ts';
import { readText, writeText } from './files.ts';
import { learnInLines } from './learn-in-lines.ts';
import { findLesson, type LessonFolder, lessonsIn, shippedLessons } from './lesson-files.ts';
import { LOOK_HELP, LOOK_OPTIONS, tuiOptions } from './look-options.ts';
import { stringOption } from './option-values.ts';
import { ProgressFile } from './progress-file.ts';
import { UsageError } from './usage-error.ts';

export const learn: CliCommand = {
  summary: 'an interactive lesson; without a name it lists the lessons',
  usage: '[LESSON | FOLDER | progress export FILE | progress import FILE | progress reset] [options]',
  example: 'bottleship learn delete-a-pod --lang ja',
  options: {
    lang: { type: 'string' },
    line: { type: 'boolean' },
    again: { type: 'boolean' },
    'test-out': { type: 'boolean' },
    save: { type: 'string' },
    replay: { type: 'string' },
    ...LOOK_OPTIONS,
  },
  optionHelp: {
    lang: `language: ${LANGUAGES.join(' or ')} (default: that of the terminal)`,
    line: 'line by line: for pipes and screen readers',
    again: 'from the beginning, not from where you left',
    'test-out': 'only the questions: all right, and the lesson counts as known (line by line)',
    save: 'write what you did to this file at the end: seed, content hash, inputs',
    replay: 'play such a file again; fails when it does not come out the same',
    ...LOOK_HELP,
  },
  async run(args, options) {
    const lang = languageOption(options);
    const [name, ...more] = args;
    if (name === 'progress') return changeProgress(more);
    if (more.length) throw new UsageError(`one lesson at a time, not ${args.length}: ${args.join(' ')}`);
    const progress = new ProgressFile();
    if (name === undefined) return listLessons(shippedLessons(), lang, progress);
    const several = /[./\\]/.test(name) ? lessonsIn(name) : [];
    if (several.length > 1) return listLessons(several, lang, progress);
    const folder = findLesson(name);
    const replay = stringOption(options, 'replay');
    if (replay !== undefined) return playAgain(folder, replay);
    const save = stringOption(options, 'save');
    const how = { lang, progress, testOut: options['test-out'] === true, again: options['again'] === true, ...(save ? { save } : {}) };
    const look = tuiOptions(options);
    if (options['line'] === true || how.testOut || !canRunTui(process.stdin, process.stdout, process.env)) return learnInLines(folder, how);
    const { learnInTui } = await import('./learn-in-tui.ts');
    return learnInTui(folder, how, look);
  },
};

/** @throws UsageError */
function languageOption(options: OptionValues): Language {
  const wanted = stringOption(options, 'lang');
  const found = LANGUAGES.find((lang) => lang === wanted);
  if (wanted !== undefined && !found) throw new UsageError(`--lang takes one of ${LANGUAGES.join(', ')}, not "${wanted}"`);
  const { LC_ALL, LC_MESSAGES, LANG } = process.env;
  return found ?? (/^ja/.test(LC_ALL || LC_MESSAGES || LANG || '') ? 'ja' : 'en');
}

/** Not begun, begun, done. */
export function markOf({ lessons }: Progress, id: string): string {
  const state = lessons[id]?.state;
  return state === 'started' ? '[>]' : state ? '[x]' : '[ ]';
}

/** One line for each lesson, with a mark, and what it is about. */
function listLessons(lessons: readonly LessonFolder[], lang: Language, { progress }: ProgressFile): number {
  const phrases = phrasesOf(lang);
  const { labels } = phrases;
  for (const folder of lessons) {
    const text = textIn(folder, lang);
    const { id, minutes, concepts } = folder.lesson;
    const state = progress.lessons[id]?.state;
    const words = state && { started: labels.started, done: labels.done, 'tested-out': labels.testedOut }[state];
    process.stdout.write(
      `${markOf(progress, id)} ${folder.name}: ${text?.title ?? id} (${phrases.minutes(minutes)}${words ? `, ${words}` : ''})\n`,
    );
    process.stdout.write(`    ${text?.summary ?? ''}\n    ${concepts.join(', ')}\n`);
  }
  return 0;
}

/** @throws UsageError */
async function playAgain({ lesson }: LessonFolder, path: string): Promise<number> {
  const file = parseRunFile(readText(path));
  if (!file) throw new UsageError(`${path}: this is not a run of a lesson; learn --save makes them`);
  const outcome = await rerun(lesson, file);
  if (outcome === 'other-lesson') throw new UsageError(`${path}: this is a run of lesson ${file.lesson}, not of ${lesson.id}`);
  if (outcome === 'other-version') throw new UsageError(`${path}: lesson ${lesson.id} has changed since this run`);
  process.stdout.write(outcome === 'same' ? `the same run: ${file.digest}\n` : `not the same run: expected ${file.digest}\n`);
  return outcome === 'same' ? 0 : 1;
}

/** `export FILE`, `import FILE`, `reset` @throws UsageError */
function changeProgress([what, path, ...more]: readonly string[]): number {
  const file = new ProgressFile();
  const wrong = new UsageError('say one of: progress export FILE, progress import FILE, progress reset');
  if (more.length || (what !== 'reset' && path === undefined)) throw wrong;
  if (what === 'export' && path) {
    if (path === '-') process.stdout.write(formatProgress(file.progress));
    else if (existsSync(path)) throw new UsageError(`${path}: there is such a file already`);
    else writeText(path, formatProgress(file.progress));
  } else if (what === 'import' && path) file.save(readProgress(path));
  else if (what === 'reset') file.reset();
  else throw wrong;
  if (file.problem) throw new UsageError(file.problem);
  return 0;
}

/** @throws UsageError */
function readProgress(path: string) {
  try {
    return parseProgress(readText(path));
  } catch (error) {
    if (error instanceof ProgressError) throw new UsageError(`${path}: ${error.message}`);
    throw error;
  }
}
