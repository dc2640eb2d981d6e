import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type LoadedLesson, loadLesson } from '../lesson/load-lesson.ts';
import { besides, packageFolder } from './files.ts';
import { UsageError } from './usage-error.ts';

/** A lesson in its folder. */
export interface LessonFolder extends LoadedLesson {
  /** `06-delete-a-pod`: where it stands in the course. */
  readonly name: string;
  readonly path: string;
}

/** The lessons that come with the package, in order. @throws DocumentError */
export function shippedLessons(): LessonFolder[] {
  return lessonsIn(packageFolder('lessons'));
}

/** The lessons in the folders of a folder, by name; or the one that it is itself. @throws DocumentError, UsageError */
export function lessonsIn(path: string): LessonFolder[] {
  const own = loadFolder(path);
  if (own) return [own];
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .sort()
    .flatMap((name) => loadFolder(join(path, name)) ?? []);
}

function loadFolder(path: string): LessonFolder | undefined {
  const file = join(path, 'lesson.yaml');
  if (!existsSync(file)) return undefined;
  const loaded = loadLesson(path, besides(file));
  return loaded && { ...loaded, name: basename(path), path };
}

/** A lesson by its number, id or folder's name; or by the path of its folder or file. @throws UsageError, DocumentError */
export function findLesson(name: string): LessonFolder {
  if (existsSync(name) && /[./\\]/.test(name)) {
    const path = statSync(name).isDirectory() ? name : dirname(name);
    const found = loadFolder(path);
    if (found) return found;
    throw new UsageError(`${name}: there is no lesson.yaml here`);
  }
  const lessons = shippedLessons();
  const number = /^\d+$/.test(name) ? name.padStart(2, '0') : undefined;
  const found = lessons.find(
    (lesson) => lesson.lesson.id === name || lesson.name === name || (number && lesson.name.startsWith(`${number}-`)),
  );
  if (found) return found;
  throw new UsageError(`there is no lesson "${name}"; there are ${lessons.map((lesson) => lesson.lesson.id).join(', ') || 'none'}`);
}
