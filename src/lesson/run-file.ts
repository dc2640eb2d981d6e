import type { Lesson } from './lesson.ts';
import type { LessonInput } from './lesson-event.ts';
import { replayInputs } from './replay-inputs.ts';

/** A lesson's run as data: it replays to the same digest. */
export interface LessonRunFile {
  readonly lesson: string;
  readonly hash: string;
  readonly seed: string;
  readonly inputs: readonly LessonInput[];
  /** Of the trace at the end. */
  readonly digest: string;
}

/** What became of a run file that was played again. */
export type Rerun = 'same' | 'differs' | 'other-lesson' | 'other-version';

/** Plays a run file again and compares. */
export async function rerun(lesson: Lesson, file: LessonRunFile): Promise<Rerun> {
  if (file.lesson !== lesson.id) return 'other-lesson';
  if (file.hash !== lesson.hash) return 'other-version';
  const session = await replayInputs(lesson, file.inputs, {});
  return session.run.digest === file.digest ? 'same' : 'differs';
}

/** The text of a run file: small, and easy to compare. */
export function formatRunFile(file: LessonRunFile): string {
  return `${JSON.stringify(file, null, 1)}\n`;
}

/** Undefined when the text is no run file. */
export function parseRunFile(text: string): LessonRunFile | undefined {
  try {
    const file = JSON.parse(text) as Partial<LessonRunFile> | null;
    const sound = file && typeof file.lesson === 'string' && typeof file.digest === 'string' && Array.isArray(file.inputs);
    return sound ? (file as LessonRunFile) : undefined;
  } catch {
    return undefined;
  }
}
