import type { ReadFile } from '../scenario/scenario.ts';
import type { Lesson } from './lesson.ts';
import { type LessonText, parseLessonText } from './lesson-text.ts';
import { LANGUAGES, type Language } from './phrases.ts';
import { parseLesson } from './read-lesson.ts';

/** A lesson with its words in every language that it has. */
export interface LoadedLesson {
  readonly lesson: Lesson;
  readonly texts: Readonly<Partial<Record<Language, LessonText>>>;
}

/**
 * Reads `lesson.yaml` and the texts beside it.
 * @param folder named in errors
 * @throws DocumentError
 */
export function loadLesson(folder: string, readFile: ReadFile): LoadedLesson | undefined {
  const source = readFile('lesson.yaml');
  if (source === undefined) return undefined;
  const texts = LANGUAGES.flatMap((lang) => {
    const text = readFile(`${lang}.yaml`);
    return text === undefined ? [] : [[lang, parseLessonText(text, `${folder}/${lang}.yaml`)] as const];
  });
  return { lesson: parseLesson(source, `${folder}/lesson.yaml`, readFile), texts: Object.fromEntries(texts) };
}

/** The words in a language, or in one that the lesson has. */
export function textIn({ texts }: LoadedLesson, lang: Language): LessonText | undefined {
  return texts[lang] ?? texts.en ?? Object.values(texts)[0];
}
