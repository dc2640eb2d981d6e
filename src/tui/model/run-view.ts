import type { KubernetesObject } from '../../api/object.ts';
import type { ObjectReference, TraceEntry } from '../../sim/trace.ts';

/** A write that the trace recorded. */
export type WriteEntry = Extract<TraceEntry, { kind: 'write' }>;

/**
 * What the user interface knows of a run: its trace, and the objects at each revision of the store. Reading never changes the run, so past and
 * present look the same.
 */
export interface RunView {
  /** Oldest first, without gaps in `seq`. May grow between two looks; what is there never changes. */
  readonly entries: readonly TraceEntry[];
  /** What the virtual clock shows at time 0, in milliseconds since 1970. */
  readonly epoch: number;
  /** The object as it was at `revision`; undefined when it was not there. */
  readObject(reference: ObjectReference, revision: number): KubernetesObject | undefined;
  /** All objects as they were at `revision`, in an order that does not depend on the revision. */
  listObjects(revision: number): readonly KubernetesObject[];
  /** Calls `listener` after entries have been added; returns a function that ends it. Absent for a run that is over. */
  subscribe?(listener: () => void): () => void;
}

/** The entry with this sequence number, if the run still has it. */
export function entryAt(run: RunView, seq: number): TraceEntry | undefined {
  const first = run.entries[0];
  return first && seq > 0 ? run.entries[seq - first.seq] : undefined;
}

/** The object before and after a write. */
export function readWrite(run: RunView, write: WriteEntry): { before: KubernetesObject | undefined; after: KubernetesObject | undefined } {
  const before = write.previous ? run.readObject(write.object, write.previous) : undefined;
  const after = write.verb === 'delete' ? undefined : run.readObject(write.object, write.revision);
  return { before, after };
}
