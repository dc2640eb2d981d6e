import type { HostFiles } from '../../src/api/cri.ts';

interface Directory {
  readonly entries: Map<string, Directory | string>;
}

/** A small file system in memory: directories and text files. Paths are absolute or relative to its root; `.` and `..` are resolved. */
export class FileTree implements HostFiles {
  readonly #root: Directory = { entries: new Map() };

  readFile(path: string): string | undefined {
    const found = this.#find(path);
    return typeof found === 'string' ? found : undefined;
  }

  /** Makes missing directories. Does nothing when the path names a directory. */
  writeFile(path: string, content: string): void {
    const { parent, name } = this.#place(path);
    if (name && typeof parent.entries.get(name) !== 'object') parent.entries.set(name, content);
  }

  makeDirectory(path: string): void {
    let directory = this.#root;
    for (const part of partsOf(path)) {
      let next = directory.entries.get(part);
      if (typeof next !== 'object') {
        next = { entries: new Map() };
        directory.entries.set(part, next);
      }
      directory = next;
    }
  }

  isDirectory(path: string): boolean {
    return typeof this.#find(path) === 'object';
  }

  list(path: string): readonly string[] {
    const found = this.#find(path);
    return typeof found === 'object' ? [...found.entries.keys()].sort() : [];
  }

  remove(path: string): void {
    const parts = partsOf(path);
    const name = parts.pop();
    const parent = this.#find(parts.join('/'));
    if (name !== undefined && typeof parent === 'object') parent.entries.delete(name);
  }

  #find(path: string): Directory | string | undefined {
    let at: Directory | string | undefined = this.#root;
    for (const part of partsOf(path)) {
      if (typeof at !== 'object') return undefined;
      at = at.entries.get(part);
    }
    return at;
  }

  #place(path: string): { parent: Directory; name: string } {
    const parts = partsOf(path);
    const name = parts.pop() ?? '';
    this.makeDirectory(parts.join('/'));
    const parent = this.#find(parts.join('/'));
    return { parent: typeof parent === 'object' ? parent : this.#root, name };
  }
}

/** The names on the way of a path, `.` and `..` resolved. */
export function partsOf(path: string): string[] {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts;
}
