import { isUtf8 } from 'node:buffer';
import { accessSync, constants, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from './usage-error.ts';

/** @throws UsageError when it cannot be read */
export function readText(path: string): string {
  try {
    return textOf(readFileSync(path), path);
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`${path}: ${fileProblem(error)}`);
  }
}

/** @throws UsageError, with line and column, for what is not UTF-8 */
function textOf(bytes: Buffer, path: string): string {
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return text;
  const lines = text.slice(0, text.indexOf('\uFFFD')).split('\n');
  throw new UsageError(`${path}:${lines.length}:${(lines.at(-1) ?? '').length + 1}: expected text in UTF-8, found other bytes`);
}

/** @throws UsageError when it cannot be written */
export function writeText(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new UsageError(`${path}: ${writeProblem(error)}`);
  }
}

/** Before something is done whose outcome is to be written there. @throws UsageError when that could not be done */
export function willWrite(path: string | undefined): void {
  if (path === undefined) return;
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    accessSync(existsSync(path) ? path : dirname(resolve(path)), constants.W_OK);
  } catch (error) {
    throw new UsageError(`${path}: ${writeProblem(error)}`);
  }
}

function writeProblem(error: unknown): string {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such folder to put it in' : fileProblem(error);
}

/** Reads files beside another one; undefined when they are not there. */
export function besides(path: string): (name: string) => string | undefined {
  const folder = dirname(resolve(path));
  return (name) => {
    try {
      return textOf(readFileSync(resolve(folder, name)), name);
    } catch (error) {
      if (error instanceof UsageError) throw error;
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
    EROFS: 'this file system can only be read',
    ENOSPC: 'there is no space left',
  };
  return words[code ?? ''] ?? message;
}
