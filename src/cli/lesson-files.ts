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
  return lessonFolders(path).flatMap((name) => loadFolder(join(path, name)) ?? []);
}

function loadFolder(path: string): LessonFolder | undefined {
  const file = join(path, 'lesson.yaml');
  if (!existsSync(file)) return undefined;
  const loaded = loadLesson(path, besides(file));
  return loaded && { ...loaded, name: basename(path), path };
}

/** A lesson by its number, id or folder's name; or by the path of its folder or file. Reads no other lesson. @throws UsageError, DocumentError */
export function findLesson(name: string): LessonFolder {
  if (existsSync(name) && /[./\\]/.test(name)) {
    const path = statSync(name).isDirectory() ? name : dirname(name);
    const found = loadFolder(path);
    if (found) return found;
    throw new UsageError(`${name}: there is no lesson.yaml here`);
  }
  const root = packageFolder('lessons');
  const folders = lessonFolders(root);
  const number = /^\d+$/.test(name) ? name.padStart(2, '0') : undefined;
  const folder = folders.find((each) => each === name || idOf(each) === name || (number && each.startsWith(`${number}-`)));
  const found = folder === undefined ? undefined : loadFolder(join(root, folder));
  if (found) return found;
  throw new UsageError(`there is no lesson "${name}"; there are ${folders.map(idOf).join(', ') || 'none'}`);
}

/** Names of the folders in which there are lessons, in order. */
export function lessonFolders(root = packageFolder('lessons')): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .filter((name) => existsSync(join(root, name, 'lesson.yaml')))
    .sort();
}

/** Numbers and ids of the lessons of the package. */
export function lessonNames(): string[] {
  const ids = lessonFolders().map(idOf);
  return [...ids.map((_, index) => String(index + 1)), ...ids];
}

/** What comes after a lesson of the package; undefined for the last one, and for lessons from elsewhere. */
export function lessonAfter({ name, path }: LessonFolder): string | undefined {
  const folders = lessonFolders();
  const next = path === join(packageFolder('lessons'), name) ? folders[folders.indexOf(name) + 1] : undefined;
  return next && idOf(next);
}

/** `06-delete-a-pod` → `delete-a-pod` */
function idOf(folder: string): string {
  return folder.replace(/^\d+-/, '');
}
