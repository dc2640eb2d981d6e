import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { proveLesson } from '../lesson/prove-lesson.ts';
import { DocumentError } from '../scenario/document-error.ts';
import { fitProblems } from '../tui/lesson/lesson-slots.ts';
import { playByKeys } from '../tui/lesson/play-by-keys.ts';
import { findLesson } from './lesson-files.ts';

/** A lesson's folder, or its `lesson.yaml`. */
export function isLesson(path: string): boolean {
  return basename(path) === 'lesson.yaml' || existsSync(join(path, 'lesson.yaml'));
}

/** Proves a lesson: what is wrong with it, one line for each. */
export async function lintLesson(path: string): Promise<string[]> {
  const folder = basename(path) === 'lesson.yaml' ? dirname(path) : path;
  try {
    const loaded = findLesson(`${folder}/`);
    const proven = [...(await proveLesson(loaded)), ...fitProblems(loaded)];
    const problems = proven.length ? proven : await playByKeys(loaded);
    return problems.map(({ file, where, problem }) => `${join(folder, file)}: ${where ? `${where}: ` : ''}${problem}`);
  } catch (error) {
    if (error instanceof DocumentError || (error as Error).name === 'ScenarioError') return [(error as Error).message];
    throw error;
  }
}
