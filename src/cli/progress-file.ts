import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { formatProgress, NO_PROGRESS, type Progress, ProgressError, parseProgress } from '../lesson/progress.ts';

/** `$XDG_STATE_HOME/bottleship/progress.json` */
export function progressPath(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return join(env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'bottleship', 'progress.json');
}

/** The learner's progress in a file that survives a crash in the middle of writing. */
export class ProgressFile {
  readonly path: string;
  /** What a person should know of the file: it could not be read, or not be written. */
  problem: string | undefined;
  #progress: Progress;

  constructor(path = progressPath()) {
    this.path = path;
    this.#progress = this.#read();
  }

  get progress(): Progress {
    return this.#progress;
  }

  /** Writes to a file beside it and renames that: there is always a whole file. Learning goes on where nothing can be written. */
  save(progress: Progress): void {
    this.#progress = progress;
    const temporary = `${this.path}.${process.pid}.tmp`;
    try {
      mkdirSync(dirname(this.path), { recursive: true });
      writeFileSync(temporary, formatProgress(progress));
      renameSync(temporary, this.path);
    } catch (error) {
      this.problem = `${this.path}: progress cannot be saved: ${(error as Error).message}`;
      rmSync(temporary, { force: true });
    }
  }

  reset(): void {
    this.save(NO_PROGRESS);
  }

  /** A file that is no progress is set aside, never overwritten. */
  #read(): Progress {
    let text: string;
    try {
      text = readFileSync(this.path, 'utf8');
    } catch {
      return NO_PROGRESS;
    }
    try {
      return parseProgress(text);
    } catch (error) {
      if (!(error instanceof ProgressError)) throw error;
      const aside = freeName(`${this.path}.corrupt`);
      renameSync(this.path, aside);
      this.problem = `${this.path}: ${error.message}; it was set aside as ${aside}`;
      return NO_PROGRESS;
    }
  }
}

function freeName(path: string): string {
  let name = path;
  for (let number = 2; existsSync(name); number++) name = `${path}-${number}`;
  return name;
}
