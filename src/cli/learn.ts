import { textIn } from '../lesson/load-lesson.ts';
import { LANGUAGES, type Language, phrasesOf } from '../lesson/phrases.ts';
import type { CliCommand, OptionValues } from './command.ts';
import { learnInLines } from './learn-in-lines.ts';
import { findLesson, type LessonFolder, lessonsIn, shippedLessons } from './lesson-files.ts';
import { stringOption } from './option-values.ts';
import { UsageError } from './usage-error.ts';

export const learn: CliCommand = {
  summary: 'an interactive lesson; without a name it lists the lessons',
  usage: '[LESSON] [options]',
  example: 'bottleship learn delete-a-pod --lang ja',
  options: {
    lang: { type: 'string' },
    line: { type: 'boolean' },
  },
  optionHelp: {
    lang: `language: ${LANGUAGES.join(' or ')} (default: that of the terminal)`,
    line: 'line by line: for pipes and screen readers',
  },
  async run(args, options) {
    const lang = languageOption(options);
    const [name, ...more] = args;
    if (more.length) throw new UsageError(`one lesson at a time, not ${args.length}: ${args.join(' ')}`);
    if (name === undefined) return listLessons(shippedLessons(), lang);
    const several = /[./\\]/.test(name) ? lessonsIn(name) : [];
    if (several.length > 1) return listLessons(several, lang);
    return learnInLines(findLesson(name), lang);
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

function listLessons(lessons: readonly LessonFolder[], lang: Language): number {
  const phrases = phrasesOf(lang);
  for (const folder of lessons) {
    const text = textIn(folder, lang);
    const { minutes, concepts } = folder.lesson;
    process.stdout.write(`${folder.name}: ${text?.title ?? folder.lesson.id} (${phrases.minutes(minutes)})\n`);
    process.stdout.write(`    ${text?.summary ?? ''}\n    ${concepts.join(', ')}\n`);
  }
  return 0;
}
