import type { GlyphSet } from './glyphs.ts';
import { isMotion, MOTIONS, type Motion } from './pace.ts';
import { isThemeName, THEME_NAMES, type ThemeName } from './theme.ts';

/** What a person may write after `--theme`. */
const LOOK_NAMES: readonly string[] = [...THEME_NAMES, 'ascii'];

/** How a person wants it; each may be left out. */
export interface AskedLook {
  readonly theme?: string | undefined;
  readonly glyphs?: string | undefined;
  readonly motion?: string | undefined;
}

export interface Look {
  readonly theme: ThemeName;
  readonly glyphs: GlyphSet;
  readonly motion: Motion;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Theme, glyphs and motion from what a person asked for and what the terminal says of itself.
 * @param cells how many cells the terminal takes for a character of ambiguous width, if it has told
 * @throws RangeError for names that do not exist
 */
export function chooseLook(asked: AskedLook, env: Env, cells?: number): Look {
  const { theme = 'dark', glyphs = theme === 'ascii' ? 'ascii' : defaultGlyphs(env, cells), motion = 'step' } = asked;
  const name = theme === 'ascii' ? 'mono' : theme;
  if (!isThemeName(name)) throw new RangeError(`there is no theme "${theme}"; there are ${LOOK_NAMES.join(', ')}`);
  if (glyphs !== 'ascii' && glyphs !== 'unicode') throw new RangeError(`glyphs are ascii or unicode, not "${glyphs}"`);
  if (!isMotion(motion)) throw new RangeError(`motion is ${MOTIONS.join(', ')}, not "${motion}"`);
  return { theme: name, glyphs, motion };
}

/** Whether the glyphs depend on what the terminal answers. */
export function needsProbe({ theme, glyphs }: AskedLook, env: Env): boolean {
  return glyphs === undefined && theme !== 'ascii' && /utf-?8/i.test(localeOf(env));
}

/** Box-drawing characters need a UTF-8 locale; where Chinese, Japanese or Korean is spoken, many fonts draw them two cells wide. */
function defaultGlyphs(env: Env, cells: number | undefined): GlyphSet {
  const locale = localeOf(env);
  const narrow = cells === undefined ? !/^(zh|ja|ko)/.test(locale) : cells === 1;
  return /utf-?8/i.test(locale) && narrow ? 'unicode' : 'ascii';
}

function localeOf(env: Env): string {
  return env.LC_ALL || env.LC_CTYPE || env.LANG || '';
}
