import type { Process, ProcessContext, Signal } from '../process.ts';
export class ShellProcess implements Process {
  constructor(_context: ProcessContext, _argv: readonly string[]) {}
  signal(_signal: Signal): void {}
}
