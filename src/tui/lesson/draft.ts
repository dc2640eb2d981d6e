import type { Confidence, LessonInput } from '../../lesson/lesson-event.ts';
import { type Answer, isPossible, type OpenQuestion } from '../../lesson/question.ts';

/** An answer that is being put together. */
export interface Draft {
  /** Options in the order in which they were chosen. */
  readonly chosen: readonly string[];
  /** Of a number. */
  readonly typed: string;
  /** The number is complete: the next digit says how sure the learner is. */
  readonly typedAll?: boolean;
  readonly confidence?: Confidence;
}

export const NO_DRAFT: Draft = { chosen: [], typed: '' };

/** Whether several options make one answer. */
export function takesSeveral({ kind }: OpenQuestion): boolean {
  return kind === 'order' || kind === 'control';
}

/** The answer, once it could be one. */
export function answerOf(question: OpenQuestion, draft: Draft): Answer | undefined {
  const answer = question.kind === 'number' ? draft.typed : takesSeveral(question) ? draft.chosen : draft.chosen[0];
  return answer !== undefined && isPossible(question, answer) ? answer : undefined;
}

/** The input that commits it; undefined while something is missing. */
export function inputOf(question: OpenQuestion, draft: Draft): LessonInput | undefined {
  const answer = answerOf(question, draft);
  if (answer === undefined || (question.confidence && !draft.confidence)) return undefined;
  return { do: 'answer', answer, ...(question.confidence && draft.confidence ? { confidence: draft.confidence } : {}) };
}

/** The draft after one key; undefined for a key that has nothing to do with it. */
export function editDraft(question: OpenQuestion, draft: Draft, key: string): Draft | undefined {
  const sure = ([1, 2, 3] as const).find((value) => String(value) === key);
  const ready = answerOf(question, draft) !== undefined;
  if (question.kind === 'number') return editNumber(question, draft, { key, sure });
  if (sure && question.confidence && ready) return { ...draft, confidence: sure };
  if (key === 'backspace') return { ...draft, chosen: draft.chosen.slice(0, -1) };
  if (!takesSeveral(question) && (key === 'up' || key === 'down')) return moveChoice(question, draft, key === 'up' ? -1 : 1);
  const option = /^[a-z]$/.test(key) ? question.options[key.charCodeAt(0) - 97] : undefined;
  return option === undefined ? undefined : choose(question, draft, option);
}

/** Digits are the number until Enter ends it; then they say how sure the learner is. */
function editNumber(question: OpenQuestion, draft: Draft, { key, sure }: { key: string; sure: Confidence | undefined }): Draft | undefined {
  if (key === 'backspace') return { chosen: [], typed: draft.typedAll ? draft.typed : draft.typed.slice(0, -1) };
  if (draft.typedAll) return sure ? { ...draft, confidence: sure } : undefined;
  if (key === 'enter' && question.confidence && answerOf(question, draft) !== undefined) return { ...draft, typedAll: true };
  return /^[\d.-]$/.test(key) ? { ...draft, typed: draft.typed + key } : undefined;
}

function choose(question: OpenQuestion, draft: Draft, option: string): Draft {
  if (!takesSeveral(question)) return { ...draft, chosen: [option] };
  if (question.kind === 'control') return { ...draft, chosen: [...draft.chosen, option] };
  return draft.chosen.includes(option)
    ? { ...draft, chosen: draft.chosen.filter((other) => other !== option) }
    : { ...draft, chosen: [...draft.chosen, option] };
}

function moveChoice({ options }: OpenQuestion, draft: Draft, by: 1 | -1): Draft {
  const at = options.indexOf(draft.chosen[0] ?? '');
  const next = options[at < 0 ? (by > 0 ? 0 : options.length - 1) : Math.min(Math.max(at + by, 0), options.length - 1)];
  return next === undefined ? draft : { ...draft, chosen: [next] };
}
