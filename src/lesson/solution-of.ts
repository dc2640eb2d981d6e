import { fill } from './fill.ts';
import type { LessonInput } from './lesson-event.ts';
import type { LessonSession } from './session.ts';

/** What does the present step of a lesson, as inputs. */
export async function solutionOf(session: LessonSession): Promise<LessonInput[]> {
  const { step, waits, question, lesson, run } = session;
  if (!step) return [];
  if (waits === 'next') return [{ do: 'next' }];
  if (waits === 'answer') {
    const { answer } = await session.truth();
    const list = typeof answer !== 'string' && !answer.length ? ['nothing'] : answer;
    return [{ do: 'answer', answer: list, ...(question?.confidence ? { confidence: 3 as const } : {}) }];
  }
  const commands = step.step === 'run' ? [step.expect] : (lesson.tests.solution[step.id] ?? []);
  return fill(commands, run.variables).map((line) => ({ do: 'command', line }));
}
