import type { List } from './ast.ts';
import { ControlFlow } from './control-flow.ts';
import type { Io } from './io.ts';
import { parseScript } from './parser.ts';
import type { Shell } from './shell.ts';
import { ShellError } from './shell-error.ts';

/** A shell that runs each line as it is typed, with a prompt at a terminal; resolves with its status. */
export async function runTypedLines(shell: Shell, io: Io, { prompt }: { readonly prompt: boolean }): Promise<number> {
  let text = '';
  for (;;) {
    if (prompt) io.stdout(text ? '> ' : `${shell.state.workingDir} # `);
    await io.stdin.lineReady(shell.task);
    const line = io.stdin.readLine();
    if (line === undefined) return shell.run([], io);
    text += `${line}\n`;
    const list = parsed(text, io);
    if (list === 'incomplete') continue;
    text = '';
    const ended = list && (await runLine(shell, list, io));
    if (typeof ended === 'number') return ended;
  }
}

/** Undefined when the line was wrong, which the user is told. */
function parsed(text: string, io: Io): List | 'incomplete' | undefined {
  try {
    return parseScript(text);
  } catch (error) {
    if (!(error instanceof ShellError)) throw error;
    if (/unexpected (end|"")|unterminated|expecting/.test(error.message)) return 'incomplete';
    io.stderr(`sh: ${error.message}\n`);
    return undefined;
  }
}

/** Runs one line; a number ends the shell with that status. */
async function runLine(shell: Shell, list: List, io: Io): Promise<number | undefined> {
  try {
    await shell.runList(list, io);
    return undefined;
  } catch (error) {
    if (error instanceof ControlFlow) return error.type === 'exit' ? shell.run([], io).then(() => error.value) : undefined;
    if (!(error instanceof ShellError)) throw error;
    io.stderr(`sh: ${error.message}\n`);
    shell.state.lastStatus = error.status;
    return undefined;
  }
}
