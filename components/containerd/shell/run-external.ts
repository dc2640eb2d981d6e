import { askProgram, isOwnProgram } from '../own-program.ts';
import type { Process, ProcessContext } from '../process.ts';
import { ServerProgram } from '../server-program.ts';
import { APPLETS } from './applets.ts';
import type { ExternalCall, Externals } from './external-call.ts';
import { runShellCommand } from './run-shell.ts';
import { Task } from './task.ts';

const SHELLS = new Set(['sh', 'bash', 'ash', 'dash']);
const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The commands of a container. */
export const EXTERNALS: Externals = { run: runExternal, has: (name) => APPLETS.has(name) || SHELLS.has(name) };

/** Runs what is neither a function nor a builtin: one of the usual commands, another shell, the image's own program. */
async function runExternal(call: ExternalCall): Promise<number> {
  const { task, argv, io, state } = call;
  const [name = ''] = argv;
  const { context } = task.world;
  const { image } = context;
  if (isOwnProgram(image, name)) return runProgram(call);
  if (SHELLS.has(baseName(name))) return runShellCommand(call);
  const applet = APPLETS.get(baseName(name));
  if (applet) {
    if (io.stdin.open && readsInput(call)) await io.stdin.ended(task);
    return applet({ task, state, argv, io });
  }
  if (context.files.isFile(state.path(name)) && name.includes('/')) return runShellCommand({ ...call, argv: ['sh', ...argv] });
  const verdict = context.isInit ? undefined : askProgram(image, context.main, name);
  if (verdict !== undefined) return verdict;
  if (!image.known) return runProgram(call);
  io.stderr(`${state.name}: ${name}: not found\n`);
  return 127;
}

/** Commands that read what is typed when they are given no file. */
const READERS = new Set([
  'awk',
  'base64',
  'cat',
  'cut',
  'grep',
  'head',
  'md5sum',
  'sed',
  'sha256sum',
  'sort',
  'tail',
  'tar',
  'tee',
  'tr',
  'uniq',
  'wc',
  'xargs',
]);

function readsInput({ task, state, argv }: ExternalCall): boolean {
  const [name = '', ...args] = argv;
  return READERS.has(baseName(name)) && !args.some((argument) => task.world.context.files.isFile(state.path(argument)));
}

/** The image's own program, in the foreground; with `exec` it gets the signals of the shell's process. */
async function runProgram({ task, io, replace, argv }: ExternalCall): Promise<number> {
  const { context } = task.world;
  const owner = replace ? task : new Task(task.world, task);
  let status: number | undefined;
  const program: ProcessContext = {
    ...context,
    argv,
    isInit: replace === true && task.isInit,
    write: (stream, text) => (stream === 'stdout' ? io.stdout(text) : io.stderr(text)),
    exit: (code) => {
      status = code;
      if (!replace) owner.end(code);
      else woken?.();
    },
  };
  let woken: (() => void) | undefined;
  const process: Process = new ServerProgram(program, context.image);
  if (status !== undefined) return status;
  owner.delegate = process;
  if (!replace) {
    await task.until(() => !owner.alive);
    return owner.status;
  }
  await new Promise<void>((resolve) => {
    woken = () => context.actor.simulation.resolve(resolve, undefined);
  });
  owner.delegate = undefined;
  return status ?? 0;
}
