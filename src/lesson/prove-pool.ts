import { Random } from '../sim/random.ts';
import { questionsOf, truthAbout } from './asked-question.ts';
import type { LessonProblem } from './check-texts.ts';
import type { LessonStep } from './lesson.ts';
import type { LessonSession } from './session.ts';

/** What is wrong with the questions of a pool, also with those that chance does not draw in this run. */
export async function poolProblems(step: LessonStep, { lesson, run, marks }: LessonSession): Promise<LessonProblem[]> {
  const start = marks.get(lesson.steps[0]?.id ?? '');
  if (step.step !== 'quiz' || step.draw === step.questions.length || !start) return [];
  const problems: LessonProblem[] = [];
  for (const asked of questionsOf({ ...step, draw: step.questions.length }, run.variables, new Random(''))) {
    const { problem } = await truthAbout(asked, run, start);
    if (problem) problems.push({ file: 'lesson.yaml', where: `steps.${step.id}.questions.${asked.question.id}`, problem });
  }
  return problems;
}
