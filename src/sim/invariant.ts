/** Thrown when the program itself is wrong; what users can cause is reported in other ways. */
export class InvariantError extends Error {
  override name = 'InvariantError';
}

/**
 * States what must hold at this point of the program.
 * @throws InvariantError when `condition` is falsy
 * @example invariant(index >= 0, 'pod is in the queue')
 */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}
