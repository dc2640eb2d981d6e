import { LessonPlayer } from '../lesson/player.ts';
import { resumable, withSession } from '../lesson/progress.ts';
import { simplificationLines } from '../simplifications.ts';
import type { LearnOptions } from './learn-in-lines.ts';
import type { LessonFolder } from './lesson-files.ts';

/** Plays a lesson in the terminal UI; what was saved is taken up again. */
export async function learnInTui(
  folder: LessonFolder,
  { lang, progress, again }: LearnOptions,
  look: { readonly theme?: string; readonly glyphs?: string },
): Promise<number> {
  const saved = again ? [] : resumable(progress.progress, folder.lesson);
  const player = await LessonPlayer.start(folder.lesson, saved);
  const { runLesson } = await import('../tui/lesson/run-lesson.tsx');
  const lines = await runLesson({
    loaded: folder,
    player,
    lang,
    name: folder.lesson.id,
    truth: simplificationLines(),
    onProgress: (session) => progress.save(withSession(progress.progress, session)),
    ...look,
  });
  for (const line of lines) process.stdout.write(`${line}\n`);
  if (progress.problem) process.stderr.write(`bottleship: ${progress.problem}\n`);
  return 0;
}
