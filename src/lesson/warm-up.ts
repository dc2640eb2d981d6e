import type { Lesson, LessonCluster } from './lesson.ts';
import type { Missed } from './progress.ts';
import { LessonSession } from './session.ts';
import type { SessionOptions } from './session-options.ts';

const MAX_INPUTS = 200;

/**
 * A missed prediction in a changed case: its lesson, played by its solution up to the question, on the next of its variants (on another seed when it has none). Undefined when
 * the lesson no longer comes to such a step.
 */
export async function startWarmUp(lesson: Lesson, asked: Missed, options: SessionOptions = {}): Promise<LessonSession | undefined> {
  if (!lesson.steps.some(({ id, step }) => id === asked.step && step === 'predict')) return undefined;
  const session = await LessonSession.start(lesson, { ...options, atOnce: true, cluster: changedCase(lesson, asked.times) });
  for (let left = MAX_INPUTS; left > 0 && session.step && session.step.id !== asked.step; left--) {
    const inputs = await session.solution();
    if (!inputs.length) return undefined;
    for (const input of inputs) await session.send(input);
  }
  session.takeEvents();
  return session.step?.id === asked.step ? session : undefined;
}

function changedCase({ variants, cluster }: Lesson, times: number): LessonCluster {
  return variants[times % variants.length] ?? { ...cluster, config: { ...cluster.config, seed: `again-${times + 1}` } };
}
