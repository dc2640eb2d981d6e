import type { Signal } from '../process.ts';
import type { Io } from './io.ts';
import { ShellError } from './shell-error.ts';
import type { ShellState } from './shell-state.ts';
import { signalOf } from './signal-name.ts';
import type { Task } from './task.ts';

/** `kill [-SIGNAL] PID…`, in a shell and as a command of its own. */
export function kill({ task, state }: { readonly task: Task; readonly state: ShellState }, argv: readonly string[], io: Io): number {
  let signal: Signal = 'SIGTERM';
  let status = 0;
  for (const argument of argv.slice(1)) {
    if (/^-/.test(argument)) {
      if (argument === '-0') return 0;
      if (argument === '-s') continue;
      const named = signalOf(argument.slice(1));
      if (!named) throw new ShellError(`kill: bad signal name '${argument.slice(1)}'`, 1);
      signal = named;
    } else if (signalOf(argument) && !/^\d+$/.test(argument)) signal = signalOf(argument) ?? signal;
    else if (!task.world.kill(Number(argument), signal)) {
      io.stderr(`${state.name}: can't kill pid ${argument}: No such process\n`);
      status = 1;
    }
  }
  return status;
}
