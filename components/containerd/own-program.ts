import type { ImageDefinition } from './image-definition.ts';
import type { Process } from './process.ts';
import { ServerProgram } from './server-program.ts';

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Whether the command is the image's own program, rather than a command that people bring. */
export function isOwnProgram(image: ImageDefinition, program: string): boolean {
  return (image.programs ?? []).some((name) => name === program || baseName(name) === baseName(program));
}

/**
 * What a command ends with that is neither a shell's nor the container's main one: a health command says how the program is; what an image that nobody
 * described has of its own ends with 0 while the program is well. Undefined when there is no such command.
 */
export function askProgram(image: ImageDefinition, main: Process | undefined, program: string): number | undefined {
  const verdict = main instanceof ServerProgram && !main.healthy ? 1 : 0;
  if (image.healthCommands?.some((name) => baseName(name) === baseName(program))) return verdict;
  if (isOwnProgram(image, program)) return 0;
  return image.known ? undefined : verdict;
}
