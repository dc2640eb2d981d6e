import type { Io } from './io.ts';
import type { ShellState } from './shell-state.ts';
import type { Task } from './task.ts';

/** A command to run that is no part of the shell. */
export interface ExternalCall {
  readonly task: Task;
  readonly state: ShellState;
  readonly argv: readonly string[];
  readonly io: Io;
  /** The command takes the place of the shell. */
  readonly replace?: boolean;
}

/** Finds and runs such commands. */
export interface Externals {
  run(call: ExternalCall): Promise<number>;
  /** Whether there is a command of that name. */
  has(name: string): boolean;
}

/** One of the commands that images with a shell have. */
export type Applet = (call: ExternalCall) => number | Promise<number>;
