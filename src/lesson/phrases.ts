import type { Check } from './check.ts';
import type { CheckResult } from './judge-check.ts';
import type { RefusedWhy } from './lesson-event.ts';
import { ENGLISH } from './phrases-en.ts';
import { JAPANESE } from './phrases-ja.ts';

/** What the lesson engine says of itself in one language. Names of components and kinds are never translated. */
export interface Phrases {
  readonly lang: Language;
  /** Ends a sentence that another follows. */
  readonly stop: string;
  /** What a check wants, for goals that the lesson's text does not word. */
  wants(check: Check): string;
  /** What was there instead. */
  found(result: CheckResult): string;
  readonly labels: Readonly<Record<Label, string>>;
  refused(why: RefusedWhy, detail: string): string;
  stepOf(number: number, count: number): string;
  minutes(count: number): string;
  hint(tier: number): string;
  /** `right` of `asked` answers. */
  score(right: number, asked: number): string;
  sure(confidence: number): string;
  next(command: string): string;
  chose(answer: string): string;
  truth(answer: string): string;
}

export type Label =
  | 'lesson'
  | 'goal'
  | 'question'
  | 'options'
  | 'answerOne'
  | 'answerOrder'
  | 'answerNumber'
  | 'answerActions'
  | 'howSure'
  | 'sureScale'
  | 'command'
  | 'writeRule'
  | 'reconcile'
  | 'noRules'
  | 'running'
  | 'notRunning'
  | 'tested'
  | 'goOn'
  | 'right'
  | 'wrong'
  | 'taken'
  | 'done'
  | 'notYet'
  | 'expected'
  | 'found'
  | 'look'
  | 'lookAtLog'
  | 'mistake'
  | 'solution'
  | 'unexpected'
  | 'inVain'
  | 'replay'
  | 'debrief'
  | 'predictions'
  | 'mistakes'
  | 'hints'
  | 'links'
  | 'none'
  | 'finished'
  | 'undone'
  | 'nothingToUndo'
  | 'redone'
  | 'nothingToRedo'
  | 'help'
  | 'resumed'
  | 'saved'
  | 'warmUp'
  | 'sandbox'
  | 'started'
  | 'testedOut'
  | 'veiled'
  | 'nothing'
  | 'predict'
  | 'quiz';

export const LANGUAGES = ['en', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

const PHRASES: Readonly<Record<Language, Phrases>> = { en: ENGLISH, ja: JAPANESE };

export function phrasesOf(lang: Language): Phrases {
  return PHRASES[lang];
}
