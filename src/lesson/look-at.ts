import type { LessonEvent, LessonInput } from './lesson-event.ts';
import type { LessonSession } from './session.ts';
import { onlyLooks, readTyped, shownFile } from './typed-command.ts';

/**
 * What a command that only looks prints where a lesson waits for something else: an answer, or to go on. A copy of the cluster is asked, so the run of the lesson stays
 * as it is. Undefined for other commands, and where the lesson waits for commands.
 */
export async function lookAt(
  { lesson, run, waits }: LessonSession,
  { line, files }: LessonInput & { do: 'command' },
): Promise<LessonEvent | undefined> {
  if ((waits !== 'next' && waits !== 'answer') || !onlyLooks(line)) return undefined;
  const typed = readTyped(line);
  if (typed.typed === 'show') return { event: 'output', command: line, result: shownFile(lesson, typed.file) };
  if (typed.typed !== 'kubectl') return undefined;
  const copy = await run.fork({ digest: false });
  copy.type(line, typed.args, { ...lesson.files, ...files });
  await copy.follow(typed);
  const [output] = copy.takeOutputs();
  return output && { event: 'output', ...output };
}
