import type { ExternalCall } from './external-call.ts';
import { runTypedLines } from './interactive.ts';
import { Input } from './io.ts';
import { parseScript } from './parser.ts';
import { Shell } from './shell.ts';
import { ShellError } from './shell-error.ts';
import { ShellState } from './shell-state.ts';

/** `sh -c SCRIPT [NAME ARGUMENT…]`, `sh FILE [ARGUMENT…]`, `sh` reading its input: a shell in the task of its caller. */
export async function runShellCommand({ task, state, argv, io }: ExternalCall): Promise<number> {
  const name = argv[0] ?? 'sh';
  const parsed = parseArguments(argv.slice(1));
  let script = parsed.script;
  let input = io.stdin;
  if (script === undefined && parsed.rest[0] !== undefined) {
    const path = parsed.rest[0];
    const read = task.world.context.files.read(state.path(path));
    if ('failure' in read) {
      io.stderr(`${name}: can't open '${path}': ${read.failure}\n`);
      return 2;
    }
    script = read.text;
  } else if (script === undefined && !io.stdin.open) {
    script = io.stdin.readAll();
    input = new Input();
  }
  const [self, ...parameters] = parsed.rest;
  const environment = state.environment();
  const inner = new ShellState({
    variables: environment,
    exported: new Set(environment.keys()),
    parameters,
    name: self ?? name,
    workingDir: state.workingDir,
  });
  inner.errexit = parsed.options.includes('e');
  inner.nounset = parsed.options.includes('u');
  const shell = new Shell(task, inner);
  try {
    if (script === undefined) return await runTypedLines(shell, io, { prompt: task.world.context.tty === true });
    return await shell.run(parseScript(script), { ...io, stdin: input });
  } catch (error) {
    if (!(error instanceof ShellError)) throw error;
    io.stderr(`${name}: ${error.message}\n`);
    return error.status;
  }
}

function parseArguments(args: readonly string[]): {
  readonly script: string | undefined;
  readonly rest: readonly string[];
  readonly options: string;
} {
  const rest = [...args];
  let options = '';
  while (/^[-+]./.test(rest[0] ?? '') && !options.includes('c')) {
    const option = rest.shift() ?? '';
    if (option === '--') break;
    if (option === '-o') rest.shift();
    else options += option.slice(1);
  }
  return { script: options.includes('c') ? rest.shift() : undefined, rest, options };
}
