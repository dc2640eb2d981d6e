import type { GlyphSet } from './glyphs.ts';
import { isThemeName, THEME_NAMES, type ThemeName } from './theme.ts';

/** What a person may write after `--theme`. */
const LOOK_NAMES: readonly string[] = [...THEME_NAMES, 'ascii'];

/** Theme and glyphs from what a person asked for and what the terminal says of itself. @throws RangeError for names that do not exist */
export function chooseLook(
  asked: { theme?: string | undefined; glyphs?: string | undefined },
  env: Readonly<Record<string, string | undefined>>,
): { theme: ThemeName; glyphs: GlyphSet } {
  const { theme = 'dark', glyphs = theme === 'ascii' ? 'ascii' : defaultGlyphs(env) } = asked;
  const name = theme === 'ascii' ? 'mono' : theme;
  if (!isThemeName(name)) throw new RangeError(`there is no theme "${theme}"; there are ${LOOK_NAMES.join(', ')}`);
  if (glyphs !== 'ascii' && glyphs !== 'unicode') throw new RangeError(`glyphs are ascii or unicode, not "${glyphs}"`);
  return { theme: name, glyphs };
}

/** Box-drawing characters need a UTF-8 locale; where Chinese, Japanese or Korean is spoken, many fonts draw them two cells wide. */
function defaultGlyphs(env: Readonly<Record<string, string | undefined>>): GlyphSet {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  return /utf-?8/i.test(locale) && !/^(zh|ja|ko)/.test(locale) ? 'unicode' : 'ascii';
}
