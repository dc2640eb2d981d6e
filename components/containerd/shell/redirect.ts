import type { Redirect, Word } from './ast.ts';
import { Input, type Io } from './io.ts';
import type { ShellState } from './shell-state.ts';
import type { Task } from './task.ts';

interface RedirectParts {
  readonly task: Task;
  readonly state: ShellState;
  readonly expand: (word: Word) => Promise<string>;
}

/**
 * Opens what a command's redirections name.
 * @returns the command's streams, or its status when a file cannot be opened
 */
export async function redirect(parts: RedirectParts, redirects: readonly Redirect[], outer: Io): Promise<Io | number> {
  let io = outer;
  const { files } = parts.task.world.context;
  for (const { fd, operator, target } of redirects) {
    const text = await parts.expand(target);
    if (operator === '<<') io = { ...io, stdin: new Input(text) };
    else if (operator === '<') {
      const read = files.read(parts.state.path(text));
      if ('failure' in read) return cannot(parts, outer, { what: 'open', path: text, failure: read.failure });
      io = { ...io, stdin: new Input(read.text) };
    } else {
      const write =
        operator === '>&' || operator === '<&' ? duplicate(io, text) : openForWriting(parts, outer, { text, append: operator === '>>' });
      if (typeof write === 'string') return cannot(parts, outer, { what: 'create', path: text, failure: write });
      io = fd === 2 ? { ...io, stderr: write } : { ...io, stdout: write };
    }
  }
  return io;
}

/** `2>&1`; `>&-` closes. */
function duplicate(io: Io, descriptor: string): (text: string) => void {
  if (descriptor === '1') return io.stdout;
  return descriptor === '2' ? io.stderr : () => {};
}

const STREAMS: Readonly<Record<string, 'stdout' | 'stderr'>> = {
  '/dev/stdout': 'stdout',
  '/proc/1/fd/1': 'stdout',
  '/proc/self/fd/1': 'stdout',
  '/dev/stderr': 'stderr',
  '/proc/1/fd/2': 'stderr',
  '/proc/self/fd/2': 'stderr',
};

/** @returns what writes to the file, or why it cannot be opened */
function openForWriting(
  { task, state }: RedirectParts,
  outer: Io,
  { text, append }: { text: string; append: boolean },
): ((text: string) => void) | string {
  const path = state.path(text);
  const stream = STREAMS[path];
  if (stream) return outer[stream];
  const { files } = task.world.context;
  const before = append ? files.read(path) : undefined;
  const failure = files.write(path, before && 'text' in before ? before.text : '');
  if (failure) return failure;
  return (more) => {
    const now = files.read(path);
    files.write(path, ('text' in now ? now.text : '') + more);
  };
}

function cannot(
  { state }: RedirectParts,
  io: Io,
  { what, path, failure }: { what: 'open' | 'create'; path: string; failure: string },
): number {
  const missing = what === 'create' ? 'nonexistent directory' : 'no such file';
  io.stderr(`${state.name}: can't ${what} ${path}: ${failure === 'No such file or directory' ? missing : failure}\n`);
  return 1;
}
