import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from './usage-error.ts';

/** @throws UsageError when it cannot be read */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${path}: ${fileProblem(error)}`);
  }
}

/** @throws UsageError when it cannot be written */
export function writeText(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new UsageError(`${path}: ${fileProblem(error)}`);
  }
}

/** Reads files beside another one; undefined when they are not there. */
export function besides(path: string): (name: string) => string | undefined {
  const folder = dirname(resolve(path));
  return (name) => {
    try {
      return readFileSync(resolve(folder, name), 'utf8');
    } catch {
      return undefined;
    }
  };
}

/** A folder that comes with the package, e.g. `scenarios`; from the sources and from `dist` alike. */
export function packageFolder(name: string): string {
  let folder = fileURLToPath(new URL('.', import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return join(folder, name);
}

/** What is wrong with a file, in words for a person. */
export function fileProblem(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const words: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file',
    EISDIR: 'this is a folder, not a file',
    EACCES: 'not allowed',
  };
  return words[code ?? ''] ?? message;
}
