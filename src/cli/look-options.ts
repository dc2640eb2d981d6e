import { type AskedLook, chooseLook } from '../tui/view/look.ts';
import { isLanguage, LANGUAGES, type Language } from '../tui/words/words.ts';
import type { OptionValues } from './command.ts';
import { stringOption } from './option-values.ts';
import { UsageError } from './usage-error.ts';

/** Options of every command that can open the terminal UI. */
export const LOOK_OPTIONS = { theme: { type: 'string' }, glyphs: { type: 'string' }, motion: { type: 'string' } } as const;
export const LOOK_HELP = {
  theme: 'colours of the terminal UI',
  glyphs: 'ascii or unicode (terminal UI; default: what suits the terminal)',
  motion: 'none, step or full: what moves by itself (terminal UI; default: step)',
};
export const LANG_OPTION = { lang: { type: 'string' } } as const;
export const LANG_HELP = { lang: 'en or ja' };

/** How a person wants the terminal UI. @throws UsageError */
export function tuiOptions(options: OptionValues): AskedLook & { readonly lang?: Language } {
  const [theme, glyphs, motion, lang] = ['theme', 'glyphs', 'motion', 'lang'].map((name) => stringOption(options, name));
  if (lang !== undefined && !isLanguage(lang)) throw new UsageError(`there is no language "${lang}"; there are ${LANGUAGES.join(', ')}`);
  try {
    chooseLook({ theme, glyphs, motion }, process.env);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  return { theme, glyphs, motion, ...(lang ? { lang } : {}) };
}
