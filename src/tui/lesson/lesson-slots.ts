import { type LessonProblem, sentencesOf } from '../../lesson/check-texts.ts';
import type { LessonText } from '../../lesson/lesson-text.ts';
import type { LoadedLesson } from '../../lesson/load-lesson.ts';
import { LANGUAGES } from '../../lesson/phrases.ts';
import { wrapSentence } from '../text/wrap-sentence.ts';

/** How long a name that a placeholder stands for may be: that of a Pod of a Deployment. */
const NAME = 'web-b764f44c8-4728h';

/** How many lines a text may take in the lesson pane: `narrow` beside the stage at 120x36, `wide` below it at 80x24. */
const SLOTS: Readonly<Record<string, { readonly narrow: number; readonly wide: number }>> = {
  title: { narrow: 1, wide: 1 },
  summary: { narrow: 3, wide: 2 },
  say: { narrow: 16, wide: 8 },
  ask: { narrow: 5, wide: 3 },
  goal: { narrow: 4, wide: 2 },
  recall: { narrow: 8, wide: 4 },
  done: { narrow: 10, wide: 6 },
  hint: { narrow: 6, wide: 3 },
  label: { narrow: 3, wide: 1 },
  why: { narrow: 10, wide: 5 },
  check: { narrow: 3, wide: 1 },
  mistake: { narrow: 10, wide: 5 },
  link: { narrow: 2, wide: 1 },
};
export const NARROW = 38;
export const WIDE = 74;

/** Texts that do not fit the slot in which the terminal UI shows them, in any language at any size. */
export function fitProblems({ texts }: LoadedLesson): LessonProblem[] {
  return LANGUAGES.flatMap((lang) => {
    const text = texts[lang];
    return text ? tooLong(text).map((problem) => ({ file: `${lang}.yaml`, ...problem })) : [];
  });
}

function tooLong(text: LessonText): { where: string; problem: string }[] {
  return sentencesOf(text).flatMap(([where, sentence]) => {
    const slot = SLOTS[slotOf(where)];
    if (!slot) return [];
    const filled = sentence.replace(/\{[\w-]+\}/g, NAME);
    return (
      [
        ['narrow', NARROW, '120x36'],
        ['wide', WIDE, '80x24'],
      ] as const
    ).flatMap(([size, width, screen]) => {
      const lines = wrapSentence(filled, width).length;
      return lines > slot[size] ? [{ where, problem: `takes ${lines} lines at ${screen}; there is room for ${slot[size]}` }] : [];
    });
  });
}

/** `steps.delete.options.never.why` is shown in the slot `why`. */
function slotOf(where: string): string {
  if (/\.hints\[/.test(where)) return 'hint';
  if (/\.checks\./.test(where)) return 'check';
  if (where.startsWith('mistakes.')) return 'mistake';
  if (where.startsWith('links[')) return 'link';
  return where.split('.').at(-1) ?? '';
}
