import { createContext } from 'react';
import { type Glyphs, UNICODE_GLYPHS } from '../view/glyphs.ts';
import { type ColorDepth, THEMES, type Theme } from '../view/theme.ts';
import type { Words } from '../words/en.ts';
import { wordsOf } from '../words/words.ts';

/** What components need to know of the terminal and of the person's taste. */
export interface Paint {
  readonly theme: Theme;
  readonly depth: ColorDepth;
  readonly glyphs: Glyphs;
  readonly words: Words;
  /** How far the message of the present step has come, from 0 to 1. Default 1. */
  readonly travelled?: number;
}

export const PaintContext = createContext<Paint>({ theme: THEMES.mono, depth: 0, glyphs: UNICODE_GLYPHS, words: wordsOf('en') });
