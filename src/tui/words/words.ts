import { EN, type Words } from './en.ts';
import { JA } from './ja.ts';

/** Languages of the user interface. */
export const LANGUAGES = ['en', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

export function isLanguage(name: string): name is Language {
  return (LANGUAGES as readonly string[]).includes(name);
}

export function wordsOf(language: Language): Words {
  return language === 'ja' ? JA : EN;
}

/** What the locale of the terminal asks for. */
export function languageOf(env: Readonly<Record<string, string | undefined>>): Language {
  return (env.LC_ALL || env.LC_MESSAGES || env.LANG || '').startsWith('ja') ? 'ja' : 'en';
}
