import type { ObjectMeta } from '../../../src/api/kinds/meta-v1.ts';

/** apimachinery pkg/apis/meta/v1 FinalizerOrphanDependents */
export const ORPHAN_DEPENDENTS = 'orphan';
/** apimachinery pkg/apis/meta/v1 FinalizerDeleteDependents */
export const FOREGROUND_DELETION = 'foregroundDeletion';

export function hasFinalizer(metadata: ObjectMeta, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) ?? false;
}

/** pkg/controller/garbagecollector/graph_builder.go deletionStartsWithFinalizer */
export function deletionStartsWithFinalizer(old: ObjectMeta | undefined, metadata: ObjectMeta, finalizer: string): boolean {
  if (metadata.deletionTimestamp === undefined || !hasFinalizer(metadata, finalizer)) return false;
  return old?.deletionTimestamp === undefined || !hasFinalizer(old, finalizer);
}
