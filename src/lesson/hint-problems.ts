import type { LessonProblem } from './check-texts.ts';
import { canonicalCommand } from './command-line.ts';
import type { LessonStep } from './lesson.ts';
import type { Verdict } from './lesson-event.ts';
import { stepText } from './lesson-text.ts';
import type { LoadedLesson } from './load-lesson.ts';
import { LANGUAGES } from './phrases.ts';

/** Hints that give the answer away before the third tier. */
export function hintProblems({ lesson, texts }: LoadedLesson, verdicts: readonly Verdict[]): LessonProblem[] {
  return LANGUAGES.flatMap((lang) => {
    const text = texts[lang];
    if (!text) return [];
    return lesson.steps.flatMap((step) => {
      const words = stepText(text, step.id);
      const truths = verdicts.flatMap(({ question, truth }) =>
        question.step === step.id && question.worded && typeof truth === 'string' ? (words.options[truth]?.label ?? []) : [],
      );
      const answers = [...commandsOf(step, lesson.tests.solution[step.id]), ...truths].map(plain);
      return words.hints.slice(0, 2).flatMap((hint, index) => {
        const told = answers.find((answer) => plain(hint).includes(answer));
        const where = `steps.${step.id}.hints[${index}]`;
        return told === undefined
          ? []
          : [{ file: `${lang}.yaml`, where, problem: `gives the answer away ("${told}"); only the third hint may` }];
      });
    });
  });
}

/** Numbers that are right, and of which no text says why. */
export function reasonProblems({ texts }: LoadedLesson, verdicts: readonly Verdict[]): LessonProblem[] {
  return verdicts.flatMap(({ question: { kind, step, id }, truth }) => {
    if (kind !== 'number' || typeof truth !== 'string') return [];
    const where = `steps.${step}.${id ? `questions.${id}.` : ''}options."${truth}"`;
    return LANGUAGES.filter((lang) => {
      const text = texts[lang];
      return text && !stepText(text, step, id).options[truth]?.why;
    }).map((lang) => ({ file: `${lang}.yaml`, where, problem: 'say why it is this number: that is what people learn from' }));
  });
}

/** The commands that do a step, as a whole and by their flags. */
function commandsOf(step: LessonStep, solution: readonly string[] = []): string[] {
  if (step.step === 'reconcile') return solution.filter((line) => line !== 'run');
  const commands = step.step === 'run' ? [step.expect, ...step.accept] : solution;
  return commands.flatMap((command) => {
    const canonical = canonicalCommand(command);
    return [command, canonical, ...canonical.split(' ').filter((word) => /^--\w+=/.test(word) && !word.startsWith('--namespace'))];
  });
}

function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}
