import type { Mount } from '../../src/api/cri.ts';
import { FileTree, partsOf } from './file-tree.ts';

/** Why a file operation failed, as errno would word it. */
export type FileFailure =
  | 'No such file or directory'
  | 'Is a directory'
  | 'Not a directory'
  | 'Read-only file system'
  | 'File exists'
  | 'Directory not empty';

/** Files that every image has and that read as something of their own. */
const DEVICES = new Set(['/dev/null', '/dev/stdout', '/dev/stderr', '/dev/zero', '/dev/tty']);
const BASE_DIRECTORIES = ['/bin', '/dev', '/etc', '/home', '/proc', '/root', '/run', '/sys', '/tmp', '/usr', '/var'];

interface MountPoint {
  readonly at: string;
  readonly hostPath: string;
  readonly readOnly: boolean;
}

/**
 * What a container sees of files: its own root file system, and what is mounted into it. The root is made when it is first needed, so a container
 * that only runs costs nothing.
 */
export class ContainerFiles {
  readonly #host: FileTree;
  readonly #given: readonly Mount[];
  #sorted: readonly MountPoint[] | undefined;
  readonly #base: Readonly<Record<string, string>>;
  readonly #readOnlyRoot: boolean;
  #root: FileTree | undefined;

  constructor(options: {
    host: FileTree;
    mounts: readonly Mount[];
    base: Readonly<Record<string, string>>;
    readOnlyRoot?: boolean;
  }) {
    this.#readOnlyRoot = options.readOnlyRoot ?? false;
    this.#host = options.host;
    this.#base = options.base;
    this.#given = options.mounts;
  }

  /** The deepest first. */
  get #mounts(): readonly MountPoint[] {
    this.#sorted ??= this.#given
      .map(({ containerPath, hostPath, readOnly }) => ({ at: normalize(containerPath), hostPath, readOnly }))
      .sort((a, b) => b.at.length - a.at.length);
    return this.#sorted;
  }

  read(path: string): { readonly text: string } | { readonly failure: FileFailure } {
    const { tree, inner } = this.#locate(path);
    if (DEVICES.has(normalize(path))) return { text: '' };
    const text = tree.readFile(inner);
    if (text !== undefined) return { text };
    return { failure: this.isDirectory(path) ? 'Is a directory' : 'No such file or directory' };
  }

  write(path: string, content: string): FileFailure | undefined {
    if (DEVICES.has(normalize(path))) return undefined;
    const { tree, inner, readOnly } = this.#locate(path);
    if (readOnly) return 'Read-only file system';
    if (this.isDirectory(path)) return 'Is a directory';
    if (!this.isDirectory(parentOf(path)))
      return tree.readFile(parentOf(inner)) === undefined ? 'No such file or directory' : 'Not a directory';
    tree.writeFile(inner, content);
    return undefined;
  }

  makeDirectory(path: string, parents: boolean): FileFailure | undefined {
    const { tree, inner, readOnly } = this.#locate(path);
    if (readOnly) return 'Read-only file system';
    if (this.exists(path)) return parents && this.isDirectory(path) ? undefined : 'File exists';
    if (!parents && !this.isDirectory(parentOf(path))) return 'No such file or directory';
    tree.makeDirectory(inner);
    return undefined;
  }

  remove(path: string, recursive: boolean): FileFailure | undefined {
    const { tree, inner, readOnly } = this.#locate(path);
    if (!this.exists(path)) return 'No such file or directory';
    if (readOnly) return 'Read-only file system';
    if (this.isDirectory(path) && !recursive) return 'Is a directory';
    tree.remove(inner);
    return undefined;
  }

  exists(path: string): boolean {
    return this.isDirectory(path) || DEVICES.has(normalize(path)) || this.#fileExists(path);
  }

  isFile(path: string): boolean {
    return this.#fileExists(path) && !this.isDirectory(path);
  }

  isDirectory(path: string): boolean {
    const wanted = normalize(path);
    if (wanted === '/' || this.#mounts.some(({ at }) => at.startsWith(`${wanted}/`))) return true;
    const { tree, inner } = this.#locate(path);
    return tree.isDirectory(inner);
  }

  list(path: string): readonly string[] {
    const { tree, inner } = this.#locate(path);
    const prefix = normalize(path) === '/' ? '/' : `${normalize(path)}/`;
    const mounted = this.#mounts.filter(({ at }) => at.startsWith(prefix)).map(({ at }) => at.slice(prefix.length).split('/')[0] ?? '');
    return [...new Set([...tree.list(inner), ...mounted])].sort();
  }

  /** What was written to the container's own root. */
  get writtenBytes(): number {
    if (!this.#root) return 0;
    const base = Object.values(this.#base).reduce((sum, text) => sum + text.length, 0);
    return Math.max(0, this.#root.size('/') - base);
  }

  #fileExists(path: string): boolean {
    const { tree, inner } = this.#locate(path);
    return tree.readFile(inner) !== undefined;
  }

  #locate(path: string): { tree: FileTree; inner: string; readOnly: boolean } {
    const wanted = normalize(path);
    for (const { at, hostPath, readOnly } of this.#mounts) {
      if (wanted === at || wanted.startsWith(`${at}/`))
        return { tree: this.#host, inner: `${hostPath}${wanted.slice(at.length)}`, readOnly };
    }
    this.#root ??= baseTree(this.#base);
    return { tree: this.#root, inner: wanted, readOnly: this.#readOnlyRoot };
  }
}

function baseTree(base: Readonly<Record<string, string>>): FileTree {
  const tree = new FileTree();
  for (const directory of BASE_DIRECTORIES) tree.makeDirectory(directory);
  for (const [path, content] of Object.entries(base)) tree.writeFile(path, content);
  return tree;
}

/** An absolute path without `.` and `..`. */
export function normalize(path: string): string {
  return `/${partsOf(path).join('/')}`;
}

function parentOf(path: string): string {
  return normalize(`${path}/..`);
}
