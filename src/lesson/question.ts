import type { Control, Prediction, Question } from './lesson.ts';

/** A question as it stands open before the learner. */
export interface OpenQuestion {
  readonly step: string;
  /** Of a question of a pool; '' for the only one of its step. */
  readonly id: string;
  readonly kind: Question['kind'] | 'control';
  /** What may be chosen, in the order shown. Names of options, items, lanes, objects. Empty for numbers. */
  readonly options: readonly string[];
  /** Whether the options are names that the lesson's text words. */
  readonly worded: boolean;
  readonly confidence: boolean;
}

/** Option, lane, name or number; a list for an order or for actions. */
export type Answer = string | readonly string[];

export function questionOfPrediction(step: string, prediction: Prediction, shuffle: Shuffle): OpenQuestion {
  const { ask, confidence } = prediction;
  const base = { step, id: '', kind: ask.kind, confidence };
  switch (ask.kind) {
    case 'choice':
      return { ...base, options: Object.keys(ask.options), worded: true };
    case 'order':
      return { ...base, options: shuffle(Object.keys(ask.items)), worded: true };
    case 'number':
      return { ...base, options: [], worded: false };
    default:
      return { ...base, options: ask.options, worded: false };
  }
}

export function questionOfQuiz(step: string, question: Question, shuffle: Shuffle): OpenQuestion {
  const base = { step, id: question.id, kind: question.kind, confidence: false };
  switch (question.kind) {
    case 'choice':
      return { ...base, options: Object.keys(question.options), worded: true };
    case 'order':
      return { ...base, options: shuffle(question.items), worded: true };
    case 'number':
      return { ...base, options: [], worded: false };
    default:
      return { ...base, options: question.options, worded: false };
  }
}

export function questionOfControl(step: string, control: Control): OpenQuestion {
  return { step, id: '', kind: 'control', options: [...control.actions, 'nothing'], worded: false, confidence: false };
}

export type Shuffle = (items: readonly string[]) => string[];

/** Whether the answer could be one: among the options, a number, each item once. */
export function isPossible(question: OpenQuestion, answer: Answer): boolean {
  const { kind, options } = question;
  if (kind === 'number') return typeof answer === 'string' && /^-?\d+(\.\d+)?$/.test(answer);
  if (typeof answer === 'string') return kind !== 'order' && kind !== 'control' && options.includes(answer);
  if (kind === 'control') return answer.length > 0 && answer.every((item) => options.includes(item));
  return kind === 'order' && answer.length === options.length && options.every((item) => answer.includes(item));
}

/** Whether the answer is the truth. */
export function isRight(question: OpenQuestion, answer: Answer, truth: { readonly answer: Answer; readonly tolerance?: number }): boolean {
  if (question.kind === 'number') return Math.abs(Number(answer) - Number(truth.answer)) <= (truth.tolerance ?? 0);
  if (typeof answer === 'string') return answer === truth.answer;
  const wanted = typeof truth.answer === 'string' ? [truth.answer] : truth.answer;
  if (question.kind === 'order') return answer.join('\n') === wanted.join('\n');
  const actions = answer.filter((item) => item !== 'nothing');
  return [...actions].sort().join('\n') === [...wanted].sort().join('\n');
}
