import type { Process, ProcessContext, Signal } from '../process.ts';
import { ControlFlow } from './control-flow.ts';
import { Input, type Io } from './io.ts';
import { EXTERNALS } from './run-external.ts';
import { Shell } from './shell.ts';
import { ShellError } from './shell-error.ts';
import { ShellState } from './shell-state.ts';
import { Task, World } from './task.ts';

/** A shell, or one of the usual commands, as the process of a container or of an exec. */
export class ShellProcess implements Process {
  readonly #task: Task;

  constructor(context: ProcessContext, argv: readonly string[]) {
    this.#task = new Task(new World(context, EXTERNALS));
    const variables = new Map([['HOME', '/root'], ['PWD', context.workingDir], ...context.env()]);
    const state = new ShellState({ variables, exported: new Set(variables.keys()), name: 'sh', workingDir: context.workingDir });
    const io: Io = {
      stdin: context.stdin ?? new Input(),
      stdout: (text) => context.write('stdout', text),
      stderr: (text) => context.write('stderr', text),
    };
    const shell = new Shell(this.#task, state);
    const run = async (): Promise<void> => {
      const status = await runArgv(shell, argv, io);
      this.#task.end(status);
    };
    context.actor.schedule(0, run);
  }

  signal(signal: Signal): void {
    this.#task.signal(signal);
  }
}

async function runArgv(shell: Shell, argv: readonly string[], io: Io): Promise<number> {
  try {
    return await shell.runArgv(argv, io);
  } catch (error) {
    if (error instanceof ControlFlow) return error.value;
    if (!(error instanceof ShellError)) throw error;
    io.stderr(`sh: ${error.message}\n`);
    return error.status;
  }
}
