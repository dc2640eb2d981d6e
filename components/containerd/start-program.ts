import type { ImageDefinition } from './image-definition.ts';
import { askProgram, isOwnProgram } from './own-program.ts';
import type { Process, ProcessContext, Signal } from './process.ts';
import { ServerProgram } from './server-program.ts';
import { APPLETS } from './shell/applets.ts';
import { ShellProcess } from './shell/shell-process.ts';

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
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
  if (image.start && (program === '' || isOwnProgram(image, program))) return image.start(context);
  if (program === '') return image.known ? { failure: 'no command specified' } : new ServerProgram(context, image);
  if (isOwnProgram(image, program)) return new ServerProgram(context, withArguments(image, argv));
  if (isCommand(context, program)) return new ShellProcess(context, argv);
  if (!image.known) return new ServerProgram(context, image);
  if (argv !== context.argv) return new ShellProcess(context, ['sh', '-c', 'exec "$@"', context.argv[0] ?? 'sh', ...argv]);
  return { failure: notFound(program) };
}

/** `stress --cpu 2 --vm 2 --vm-bytes 150M`: what a program uses, where its arguments say so. */
function withArguments(given: ImageDefinition, argv: readonly string[]): ImageDefinition {
  if (baseName(argv[0] ?? '') !== 'stress') return given;
  const text = argv.join(' ');
  const [, cpus] = /(?:--cpu|-c|-cpus)[ =](\d+)/.exec(text) ?? [];
  const image = cpus === undefined ? given : { ...given, cpuMilli: Number(cpus) * 1_000 };
  const [, amount, unit = ''] = /(?:--vm-bytes|-mem-total)[ =](\d+)([KMG]?)/.exec(text) ?? [];
  const workers = Number(/--vm[ =](\d+)/.exec(text)?.[1] ?? 1);
  return amount === undefined
    ? image
    : { ...image, memoryBytes: Number(amount) * ({ K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 }[unit] ?? 1) * workers };
}

/** Starts a further process in a running container: for exec, probes and hooks. */
export function execProgram(context: ProcessContext, main: Process | undefined): Process | StartFailure {
  const program = context.argv[0] ?? '';
  if (isCommand(context, program)) return new ShellProcess({ ...context, main }, context.argv);
  const verdict = askProgram(context.image, main, program);
  if (verdict === undefined) return { failure: notFound(program) };
  return new Answered(context, verdict);
}

/** A shell, a command that comes with it, or a script that is there. */
function isCommand({ image, files }: ProcessContext, program: string): boolean {
  if (image.shell === false) return false;
  return SHELLS.has(baseName(program)) || APPLETS.has(baseName(program)) || (program.startsWith('/') && files.isFile(program));
}

/** An entry point script ends in `exec "$@"`. */
function skipEntrypoint(argv: readonly string[]): readonly string[] {
  const first = baseName(argv[0] ?? '');
  if (!ENTRYPOINTS.has(first) || argv.length < 2) return argv;
  return argv.slice(argv[1] === '--' ? 2 : 1);
}

/** What runc says of a program that is not in the image. */
function notFound(program: string): string {
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
