import { ControlFlow } from './control-flow.ts';
import type { Io } from './io.ts';
import { kill } from './kill.ts';
import { parseScript } from './parser.ts';
import type { Shell } from './shell.ts';
import { ShellError } from './shell-error.ts';
import { signalOf } from './signal-name.ts';
import type { Task } from './task.ts';

export interface BuiltinCall {
  readonly shell: Shell;
  readonly argv: readonly string[];
  readonly io: Io;
}

type Builtin = (call: BuiltinCall) => number | Promise<number>;

/** Commands that change the shell itself. */
export const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  [':', () => 0],
  ['cd', cd],
  ['pwd', ({ shell, io }) => write(io, `${shell.state.workingDir}\n`)],
  ['exit', ({ shell, argv }) => raise('exit', argv[1] === undefined ? shell.state.lastStatus : Number(argv[1]) & 255)],
  ['return', ({ shell, argv }) => raise('return', argv[1] === undefined ? shell.state.lastStatus : Number(argv[1]) & 255)],
  ['break', ({ argv }) => raise('break', Number(argv[1] ?? 1))],
  ['continue', ({ argv }) => raise('continue', Number(argv[1] ?? 1))],
  ['export', exportVariables],
  ['readonly', exportVariables],
  ['local', local],
  ['unset', unset],
  ['set', set],
  ['shift', shift],
  ['read', read],
  ['trap', trap],
  ['wait', wait],
  ['exec', exec],
  ['eval', ({ shell, argv, io }) => shell.runList(parseScript(argv.slice(1).join(' ')), io)],
  ['.', source],
  ['source', source],
  ['kill', ({ shell, argv, io }) => kill(shell, argv, io)],
  ['umask', () => 0],
  ['ulimit', () => 0],
  ['command', command],
  ['type', type],
  ['jobs', () => 0],
]);

function raise(flow: ControlFlow['type'], value: number): never {
  throw new ControlFlow(flow, Number.isNaN(value) ? 2 : value);
}

function write(io: Io, text: string): number {
  io.stdout(text);
  return 0;
}

function cd({ shell, argv, io }: BuiltinCall): number {
  const target = argv[1] ?? shell.state.variables.get('HOME') ?? '/';
  const path = shell.state.path(target);
  if (!shell.task.world.context.files.isDirectory(path)) {
    io.stderr(`${shell.state.name}: cd: can't cd to ${target}: No such file or directory\n`);
    return 2;
  }
  shell.state.workingDir = `/${normalizeParts(path).join('/')}`;
  return 0;
}

function normalizeParts(path: string): string[] {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part && part !== '.') parts.push(part);
  }
  return parts;
}

function exportVariables({ shell, argv, io }: BuiltinCall): number {
  const { exported, variables } = shell.state;
  const names = argv.slice(1).filter((argument) => !argument.startsWith('-'));
  if (names.length === 0) for (const name of [...exported].sort()) io.stdout(`export ${name}='${variables.get(name) ?? ''}'\n`);
  for (const argument of names) {
    const [name = '', ...value] = argument.split('=');
    if (argument.includes('=')) variables.set(name, value.join('='));
    exported.add(name);
  }
  return 0;
}

function local({ shell, argv }: BuiltinCall): number {
  for (const argument of argv.slice(1)) {
    const [name = '', ...value] = argument.split('=');
    shell.state.variables.set(name, value.join('='));
  }
  return 0;
}

function unset({ shell, argv }: BuiltinCall): number {
  for (const name of argv.slice(1)) {
    shell.state.variables.delete(name);
    shell.state.exported.delete(name);
    shell.state.functions.delete(name);
  }
  return 0;
}

function set({ shell, argv }: BuiltinCall): number {
  const args = argv.slice(1);
  while (args.length > 0 && /^[-+]./.test(args[0] ?? '')) {
    const option = args.shift() ?? '';
    if (option === '--') break;
    const on = option.startsWith('-');
    if (option.slice(1) === 'o') applyOption(shell, { errexit: 'e', nounset: 'u', pipefail: '' }[args.shift() ?? ''] ?? '', on);
    else for (const letter of option.slice(1)) applyOption(shell, letter, on);
  }
  if (args.length > 0 || argv.includes('--')) shell.state.parameters = args;
  return 0;
}

function applyOption(shell: Shell, letter: string, on: boolean): void {
  if (letter === 'e') shell.state.errexit = on;
  else if (letter === 'u') shell.state.nounset = on;
  else if (letter === 'x') shell.state.xtrace = on;
}

function shift({ shell, argv }: BuiltinCall): number {
  shell.state.parameters = shell.state.parameters.slice(Number(argv[1] ?? 1));
  return 0;
}

async function read({ shell, argv, io }: BuiltinCall): Promise<number> {
  const names = argv.slice(1).filter((argument) => !argument.startsWith('-'));
  await io.stdin.lineReady(shell.task);
  const line = io.stdin.readLine();
  const fields = (line ?? '').trim().split(/\s+/);
  for (const [index, name] of (names.length > 0 ? names : ['REPLY']).entries()) {
    const last = index === Math.max(names.length - 1, 0);
    shell.state.variables.set(name, (last ? fields.slice(index).join(' ') : fields[index]) ?? '');
  }
  return line === undefined ? 1 : 0;
}

/** `trap ACTION SIGNAL…`, `trap - SIGNAL…` */
function trap({ shell, argv }: BuiltinCall): number {
  const [action, ...names] = argv.slice(1);
  if (action === undefined) return 0;
  for (const name of names) {
    if (name === 'EXIT' || name === '0') shell.exitTrap = action === '-' ? undefined : action;
    else {
      const signal = signalOf(name);
      if (!signal) throw new ShellError(`trap: ${name}: invalid signal specification`, 1);
      if (action === '-') shell.task.traps.delete(signal);
      else shell.task.traps.set(signal, action);
    }
  }
  return 0;
}

/** Ends when the children have, or when a signal comes that has a trap. */
async function wait({ shell, argv }: BuiltinCall): Promise<number> {
  const { task } = shell;
  const pids = argv.slice(1).map(Number);
  const awaited = (): Task[] => [...task.children].filter((child) => pids.length === 0 || pids.includes(child.pid));
  const running = (): boolean => awaited().some((child) => child.alive);
  await task.until(() => !running() || task.pending.length > 0);
  const [pending] = task.pending;
  if (running() && pending) return 128 + 15;
  const last = awaited().at(-1);
  const status = pids.length > 0 ? (last?.status ?? 127) : 0;
  for (const child of awaited()) task.children.delete(child);
  return status;
}

/** Replaces the shell by a command: its traps are gone, its end is the shell's. Without a command nothing happens. */
async function exec({ shell, argv, io }: BuiltinCall): Promise<number> {
  const rest = argv.slice(1);
  if (rest.length === 0) return 0;
  for (const [signal, action] of shell.task.traps) if (action !== '') shell.task.traps.delete(signal);
  shell.exitTrap = undefined;
  throw new ControlFlow(
    'exit',
    await shell.task.world.externals.run({ task: shell.task, state: shell.state, argv: rest, io, replace: true }),
  );
}

async function source({ shell, argv, io }: BuiltinCall): Promise<number> {
  const read = shell.task.world.context.files.read(shell.state.path(argv[1] ?? ''));
  if ('failure' in read) throw new ShellError(`.: can't open '${argv[1]}': ${read.failure}`, 2);
  return shell.runList(parseScript(read.text), io);
}

function command({ shell, argv, io }: BuiltinCall): number | Promise<number> {
  if (argv[1] === '-v') return type({ shell, argv: ['type', ...argv.slice(2)], io });
  return shell.runArgv(argv.slice(1), io);
}

function type({ shell, argv, io }: BuiltinCall): number {
  const name = argv[1] ?? '';
  if (shell.state.functions.has(name) || BUILTINS.has(name)) return write(io, `${name}\n`);
  if (!shell.task.world.externals.has(name)) return 127;
  return write(io, `/bin/${name}\n`);
}
