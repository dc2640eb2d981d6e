import { ApiStatusError } from '../../../src/api/status-error.ts';
import { ActorUnavailable } from '../../../src/sim/actor-unavailable.ts';

/** Ends a sync that found the cluster in a state in which it cannot go on; the key is tried again. Its text is upstream's. */
export class SyncError extends Error {
  override name = 'SyncError';
}

/** What a Go program would print of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** One error for several: apimachinery pkg/util/errors NewAggregate. Undefined when there is none. */
export function aggregate(errors: readonly unknown[]): unknown {
  if (errors.length <= 1) return errors[0];
  return new SyncError(`[${[...new Set(errors.map(messageOf))].join(', ')}]`, { cause: errors[0] });
}

/** Whether the cluster caused the error; a mistake in the program is none of these. */
export function isClusterError(error: unknown): boolean {
  return error instanceof ApiStatusError || error instanceof ActorUnavailable || error instanceof SyncError;
}

/** For work that nobody waits for: what the cluster caused is passed over (another event or the next run tries again), a mistake in the program is not. */
export function rethrowPanic(error: unknown): void {
  if (!isClusterError(error)) throw error;
}
