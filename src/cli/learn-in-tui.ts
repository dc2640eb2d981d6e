import { textIn } from '../lesson/load-lesson.ts';
import { type Language, phrasesOf } from '../lesson/phrases.ts';
import { LessonPlayer } from '../lesson/player.ts';
import { resumable, withSession, withWarmUp } from '../lesson/progress.ts';
import { formatRunFile } from '../lesson/run-file.ts';
import { simplificationLines } from '../simplifications.ts';
import { lessonWordsOf } from '../tui/lesson/lesson-words.ts';
import { LiveRun } from '../tui/live/live-run.ts';
import type { AskedLook } from '../tui/view/look.ts';
import { writeText } from './files.ts';
import type { LearnOptions } from './learn-in-lines.ts';
import { findLesson, type LessonFolder, lessonAfter, lessonNames } from './lesson-files.ts';
import { NODE_FILES } from './node-files.ts';
import { warmUpBefore } from './warm-up-of.ts';

/** Plays a lesson in the terminal UI; what was saved is taken up again. */
export async function learnInTui(folder: LessonFolder, options: LearnOptions, look: AskedLook): Promise<number> {
  const { progress, again } = options;
  const { runLesson } = await import('../tui/lesson/run-lesson.tsx');
  let lang = await playWarmUp(folder, options, look);
  const saved = again ? [] : resumable(progress.progress, folder.lesson);
  const player = await LessonPlayer.start(folder.lesson, saved);
  for (;;) {
    const left = await runLesson({
      loaded: folder,
      player,
      lang,
      name: folder.lesson.id,
      truth: simplificationLines(),
      lessons: lessonNames(),
      onProgress: (session) => progress.save(withSession(progress.progress, session)),
      ...look,
    });
    const copy = left.wants === 'sandbox' ? await playFreely(folder, { player, lang: left.lang, look }) : undefined;
    ({ lang } = copy ?? left);
    if (copy && copy.next === undefined) continue;
    if (options.save) writeText(options.save, formatRunFile(player.runFile()));
    const after = player.session.step ? undefined : lessonAfter(folder);
    const more = after ? [phrasesOf(lang).next(`bottleship learn ${after}`)] : [];
    for (const line of [...left.lines, ...more]) process.stdout.write(`${line}\n`);
    if (progress.problem) process.stderr.write(`bottleship: ${progress.problem}\n`);
    const { next } = copy ?? left;
    return next === undefined ? 0 : learnInTui(findLesson(next), { ...options, lang, again: false }, look);
  }
}

/** A missed prediction of another lesson, if one is due; returns the language that the person left it in. */
async function playWarmUp({ lesson }: LessonFolder, { lang, progress }: LearnOptions, look: AskedLook): Promise<Language> {
  const warmUp = await warmUpBefore(lesson.id, progress.progress);
  if (!warmUp) return lang;
  const { asked, folder, session } = warmUp;
  const { runLesson } = await import('../tui/lesson/run-lesson.tsx');
  const before = session.verdicts.length;
  const left = await runLesson({
    loaded: folder,
    player: LessonPlayer.of(session),
    lang,
    name: folder.lesson.id,
    truth: simplificationLines(),
    recalls: true,
    ...look,
  });
  const verdict = session.verdicts.length > before ? session.verdicts.at(-1) : undefined;
  if (verdict) progress.save(withWarmUp(progress.progress, asked, verdict.right));
  return left.lang;
}

/**
 * A copy of the lesson's cluster at this moment, with everything that the sandbox can do; the lesson stays where it is. Returns in which language it was left, and for
 * which lesson.
 */
async function playFreely(
  folder: LessonFolder,
  at: { player: LessonPlayer; lang: Language; look: AskedLook },
): Promise<{ readonly lang: Language; readonly next?: string | undefined }> {
  const { player, lang, look } = at;
  const { cluster } = await player.session.run.fork();
  const { runTui } = await import('../tui/run-tui.tsx');
  const title = textIn(folder, lang)?.title ?? folder.lesson.id;
  const live = new LiveRun(cluster, `${title} (${lessonWordsOf(lang).sandbox})`);
  const truth = simplificationLines();
  return runTui({ live, title: live.title, truth, lessons: lessonNames(), files: NODE_FILES, at: 'end', kubectl: true, lang, ...look });
}
