import type { Random } from '../sim/random.ts';
import { fill, type Variables } from './fill.ts';
import { judgeCheck } from './judge-check.ts';
import type { Control, LessonStep, Prediction, Question } from './lesson.ts';
import type { LessonRun, Mark } from './lesson-run.ts';
import { measure } from './measure.ts';
import { type OpenQuestion, questionOfControl, questionOfPrediction, questionOfQuiz } from './question.ts';
import { actionsOf, one, orderOf, type Truth, truthOf } from './truth.ts';

/** A question with what decides it. */
export type AskedQuestion = { readonly question: OpenQuestion; readonly tolerance: number } & (
  | { readonly about: 'future'; readonly prediction: Prediction }
  | { readonly about: 'reconcile'; readonly control: Control }
  | { readonly about: 'quiz'; readonly asks: Question }
);

/** The questions that a step asks, in order; those of a pool as chance draws them. */
export function questionsOf(step: LessonStep, variables: Variables, random: Random): AskedQuestion[] {
  const shuffle = (items: readonly string[]): string[] => draw(items, items.length, random);
  if (step.step === 'predict') {
    const prediction = fill(step.predict, variables);
    const tolerance = prediction.ask.kind === 'number' ? prediction.ask.tolerance : 0;
    return [{ about: 'future', question: questionOfPrediction(step.id, prediction, shuffle), tolerance, prediction: step.predict }];
  }
  if (step.step === 'control')
    return [{ about: 'reconcile', question: questionOfControl(step.id, step.control), tolerance: 0, control: step.control }];
  if (step.step !== 'quiz') return [];
  const drawn = step.draw < step.questions.length ? draw(step.questions, step.draw, random) : step.questions;
  return fill(drawn, variables).map((asks) => {
    const question = questionOfQuiz(step.id, asks, shuffle);
    return { about: 'quiz', question, tolerance: asks.kind === 'number' ? asks.tolerance : 0, asks };
  });
}

/** So many of the items, in an order of chance. */
function draw<T>(items: readonly T[], count: number, random: Random): T[] {
  const left = [...items];
  const drawn: T[] = [];
  while (drawn.length < count && left.length) drawn.push(...left.splice(random.integer(left.length), 1));
  return drawn;
}

/** The truth about a question: out of a fork for what is to come, out of the run (since `start`) or the lesson for what is known. */
export function truthAbout(asked: AskedQuestion, run: LessonRun, start: Mark): Promise<Truth> | Truth {
  if (asked.about === 'future') return truthOf(asked.prediction, run);
  if (asked.about === 'reconcile') return actionsOf(asked.control, run);
  const { asks } = asked;
  switch (asks.kind) {
    case 'choice': {
      const evidence = run.evidence(start);
      return one(Object.entries(asks.options).flatMap(([name, holds]) => (isTrue(holds, evidence) ? [name] : [])));
    }
    case 'order':
      return asks.events ? orderOf(fill(asks.events, run.variables), run.evidence(start)) : { answer: asks.items };
    case 'number': {
      if (typeof asks.answer === 'number') return { answer: String(asks.answer) };
      const value = measure(asks.answer, run.evidence(start));
      return value === undefined ? { answer: '', problem: 'there is nothing to measure' } : { answer: value };
    }
    default:
      return { answer: asks.answer };
  }
}

function isTrue(holds: boolean | Parameters<typeof judgeCheck>[0], evidence: Parameters<typeof judgeCheck>[1]): boolean {
  return typeof holds === 'boolean' ? holds : judgeCheck(holds, evidence).ok;
}
