import { type Missed, nextWarmUp, type Progress } from '../lesson/progress.ts';
import type { LessonSession } from '../lesson/session.ts';
import { startWarmUp } from '../lesson/warm-up.ts';
import { findLesson, type LessonFolder } from './lesson-files.ts';
import { UsageError } from './usage-error.ts';

/** A prediction that was missed in another lesson and comes back before this one, in a changed case. */
export interface WarmUp {
  readonly asked: Missed;
  readonly folder: LessonFolder;
  readonly session: LessonSession;
}

export async function warmUpBefore(lesson: string, progress: Progress): Promise<WarmUp | undefined> {
  const asked = nextWarmUp(progress, lesson);
  const folder = asked && findIfThere(asked.lesson);
  const session = asked && folder && (await startWarmUp(folder.lesson, asked));
  return session && { asked, folder, session };
}

function findIfThere(id: string): LessonFolder | undefined {
  try {
    return findLesson(id);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
