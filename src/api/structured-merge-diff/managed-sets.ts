import type { FieldSet } from './field-set.ts';
import { type Path, printPath } from './path-element.ts';

/** What one manager owns, in the words of one API version. structured-merge-diff fieldpath.VersionedSet */
export interface VersionedSet {
  readonly set: FieldSet;
  readonly apiVersion: string;
  /** Owned by an apply, not by an update. */
  readonly applied: boolean;
}

/** By the identity of the manager. structured-merge-diff fieldpath.ManagedFields */
export type ManagedSets = ReadonlyMap<string, VersionedSet>;

/** structured-merge-diff merge.Conflict */
export interface FieldConflict {
  readonly manager: string;
  readonly path: Path;
}

/** An apply would change fields that others own. structured-merge-diff merge.Conflicts */
export class FieldConflicts extends Error {
  override name = 'FieldConflicts';
  /** By manager, then by path. */
  readonly conflicts: readonly FieldConflict[];
  /** What of the change each manager owns. */
  readonly sets: ReadonlyMap<string, FieldSet>;

  constructor(sets: ReadonlyMap<string, FieldSet>) {
    const conflicts = [...sets]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([manager, set]) => [...set.paths()].map((path) => ({ manager, path })));
    super(conflicts.map(({ manager, path }) => `conflict with ${manager}: ${printPath(path)}`).join('\n'));
    this.conflicts = conflicts;
    this.sets = sets;
  }
}
