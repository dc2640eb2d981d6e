import { ApiStatusError } from '../../src/api/status-error.ts';
import { ActorUnavailable } from '../../src/sim/actor-unavailable.ts';

/** Why a snapshot cannot be worked on now; it is tried again. */
export class SnapshotProblem extends Error {
  override name = 'SnapshotProblem';
}

/** What a controller's own write came to: external-snapshotter pkg/common-controller newControllerUpdateError */
export function updateProblem(name: string, why: unknown): SnapshotProblem {
  return new SnapshotProblem(`snapshot controller failed to update ${name} on API server: ${messageOf(why)}`, { cause: why });
}

/** The text of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Go's `%q` of a text. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Whether a request came to nothing, rather than that the program is wrong. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiStatusError || error instanceof ActorUnavailable;
}
