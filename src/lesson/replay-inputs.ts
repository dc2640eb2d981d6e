import type { Lesson } from './lesson.ts';
import type { LessonInput } from './lesson-event.ts';
import { LessonSession } from './session.ts';
import type { SessionOptions } from './session-options.ts';

/** Plays a lesson from its beginning with the inputs of an earlier run: the same run comes of it. */
export async function replayInputs(lesson: Lesson, inputs: readonly LessonInput[], options: SessionOptions): Promise<LessonSession> {
  const session = await LessonSession.start(lesson, options);
  for (const input of inputs) {
    session.takeEvents();
    await session.send(input);
  }
  return session;
}
