import type { Process, ProcessContext, Signal } from './process.ts';
import { ServerProgram } from './server-program.ts';
import { isApplet } from './shell/applets.ts';
import { ShellProcess } from './shell/shell-process.ts';

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const SHELLS = new Set(['sh', 'bash', 'ash', 'dash']);
const ENTRYPOINTS = new Set(['docker-entrypoint.sh', 'entrypoint.sh', 'tini', 'dumb-init']);

/** Why a process could not be started, as runc words it. */
export interface StartFailure {
  readonly failure: string;
}

/**
 * Starts what a container's command line names: the image's own program, a shell or one of the usual commands. What an image that nobody described
 * has of its own is taken for its program, which runs until it is stopped.
 */
export function startProgram(context: ProcessContext): Process | StartFailure {
  const { image } = context;
  const argv = skipEntrypoint(context.argv);
  const program = argv[0] ?? '';
  if (program === '') return image.known ? { failure: 'no command specified' } : new ServerProgram(context, image);
  if (isOwnProgram(context, program)) return new ServerProgram(context, image);
  if (isCommand(context, program)) return new ShellProcess(context, argv);
  if (!image.known) return new ServerProgram(context, image);
  if (argv !== context.argv) return new ShellProcess(context, ['sh', '-c', 'exec "$@"', context.argv[0] ?? 'sh', ...argv]);
  return { failure: notFound(program) };
}

/** Starts a further process in a running container: for exec, probes and hooks. */
export function execProgram(context: ProcessContext, main: Process | undefined): Process | StartFailure {
  const program = context.argv[0] ?? '';
  if (isCommand(context, program)) return new ShellProcess({ ...context, main }, context.argv);
  const verdict = askProgram({ ...context, main }, program);
  if (verdict === undefined) return { failure: notFound(program) };
  return new Answered(context, verdict);
}

/** A shell, or one of the commands that come with it. */
function isCommand({ image }: Pick<ProcessContext, 'image'>, program: string): boolean {
  return (image.shell ?? true) && (SHELLS.has(baseName(program)) || isApplet(baseName(program)));
}

/** Whether the command is the image's own program, rather than a command that people bring. */
export function isOwnProgram({ image }: Pick<ProcessContext, 'image'>, program: string): boolean {
  return (image.programs ?? []).some((name) => name === program || baseName(name) === baseName(program));
}

/**
 * What a command ends with that is neither a shell's nor the container's main one: a health command says how the program is; what an image that nobody
 * described has of its own ends with 0. Undefined when there is no such command.
 */
export function askProgram(context: ProcessContext, program: string): number | undefined {
  const { image, main } = context;
  if (image.healthCommands?.some((name) => baseName(name) === baseName(program)))
    return main instanceof ServerProgram && !main.healthy ? 1 : 0;
  if (isOwnProgram(context, program)) return 0;
  if (image.known) return undefined;
  return main instanceof ServerProgram && !main.healthy ? 1 : 0;
}

/** An entry point script ends in `exec "$@"`. */
function skipEntrypoint(argv: readonly string[]): readonly string[] {
  const first = baseName(argv[0] ?? '');
  if (!ENTRYPOINTS.has(first) || argv.length < 2) return argv;
  return argv.slice(argv[1] === '--' ? 2 : 1);
}

/** What runc says of a program that is not in the image. */
export function notFound(program: string): string {
  return program.includes('/')
    ? `exec: "${program}": stat ${program}: no such file or directory`
    : `exec: "${program}": executable file not found in $PATH`;
}

/** A process that ended as soon as it began. */
class Answered implements Process {
  constructor(context: ProcessContext, code: number) {
    context.exit(code);
  }

  signal(_signal: Signal): void {}
}
