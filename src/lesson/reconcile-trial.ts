import type { ReconcileTask } from './lesson.ts';
import type { LessonRun, Mark } from './lesson-run.ts';

/** The run in which a reconcile shows what it does, and since when that counts; of what was typed only the last line does. */
export async function tryReconcile(
  { future }: ReconcileTask,
  run: LessonRun,
  begun: Mark,
): Promise<{ readonly run: LessonRun; readonly since: Mark }> {
  const trial = future.length ? await run.fork({ digest: false }) : run;
  const since = { ...(future.length ? trial.now : begun), commands: Math.max(0, trial.commands.length - 1) };
  await trial.act(future, { refusalsAllowed: true });
  return { run: trial, since };
}
