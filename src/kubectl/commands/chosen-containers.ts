import type { Container, PodSpec } from '../../api/kinds/core-v1.ts';
import type { CommandContext } from '../command.ts';

/** The containers that `-c` picks. */
export function chosenContainers({ flags }: CommandContext, { containers }: PodSpec): readonly Container[] {
  const pattern = flags.string('containers');
  if (pattern === undefined || pattern === '*') return containers;
  return containers.filter(({ name }) =>
    new RegExp(`^${pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\\\*/g, '.*')}$`).test(name),
  );
}
