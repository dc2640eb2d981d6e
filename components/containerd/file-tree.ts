import type { HostFiles } from '../../src/api/cri.ts';

interface Directory {
  readonly entries: Map<string, Directory | string>;
  /** Of all files in it and below. */
  bytes: number;
}

const newDirectory = (): Directory => ({ entries: new Map(), bytes: 0 });

/** A small file system in memory: directories and text files. Paths are absolute or relative to its root; `.` and `..` are resolved. */
export class FileTree implements HostFiles {
  readonly #root = newDirectory();
  readonly #watches: { readonly directory: string; readonly onChange: () => void }[] = [];

  /** Calls `onChange` whenever something in the directory was written or removed. */
  watch(directory: string, onChange: () => void): void {
    this.#watches.push({ directory, onChange });
  }

  readFile(path: string): string | undefined {
    const found = this.#find(partsOf(path));
    return typeof found === 'string' ? found : undefined;
  }

  /** Makes missing directories. Does nothing when the path names a directory. */
  writeFile(path: string, content: string): void {
    const parts = partsOf(path);
    const name = parts.pop();
    const parent = this.#make(parts);
    const before = name ? parent.entries.get(name) : undefined;
    if (name && typeof before !== 'object') {
      parent.entries.set(name, content);
      this.#grow(parts, content.length - (before?.length ?? 0));
    }
    this.#tell(path);
  }

  makeDirectory(path: string): void {
    this.#make(partsOf(path));
  }

  #make(parts: readonly string[]): Directory {
    let directory = this.#root;
    for (const part of parts) {
      let next = directory.entries.get(part);
      if (typeof next !== 'object') {
        next = newDirectory();
        directory.entries.set(part, next);
      }
      directory = next;
    }
    return directory;
  }

  isDirectory(path: string): boolean {
    return typeof this.#find(partsOf(path)) === 'object';
  }

  list(path: string): readonly string[] {
    const found = this.#find(partsOf(path));
    return typeof found === 'object' ? [...found.entries.keys()].sort() : [];
  }

  size(path: string): number {
    const found = this.#find(partsOf(path));
    return found === undefined ? 0 : sizeOf(found);
  }

  remove(path: string): void {
    const parts = partsOf(path);
    const name = parts.pop();
    const parent = this.#find(parts);
    const removed = name !== undefined && typeof parent === 'object' ? parent.entries.get(name) : undefined;
    if (name !== undefined && typeof parent === 'object') parent.entries.delete(name);
    if (removed !== undefined) this.#grow(parts, -sizeOf(removed));
    this.#tell(path);
  }

  /** What is written or removed counts in each directory on the way. */
  #grow(parts: readonly string[], bytes: number): void {
    let directory: Directory | string | undefined = this.#root;
    directory.bytes += bytes;
    for (const part of parts) {
      directory = directory.entries.get(part);
      if (typeof directory !== 'object') return;
      directory.bytes += bytes;
    }
  }

  #tell(path: string): void {
    for (const { directory, onChange } of this.#watches) if (path.startsWith(directory) || directory.startsWith(`${path}/`)) onChange();
  }

  #find(parts: readonly string[]): Directory | string | undefined {
    let at: Directory | string | undefined = this.#root;
    for (const part of parts) {
      if (typeof at !== 'object') return undefined;
      at = at.entries.get(part);
    }
    return at;
  }
}

function sizeOf(entry: Directory | string): number {
  return typeof entry === 'string' ? entry.length : entry.bytes;
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
