import type { VolumeSnapshotContent } from '../../../src/client/volume-snapshot.ts';
import { CONTENT_FINALIZER, snapshotKeyOf } from '../names.ts';
import { SnapshotProblem } from '../snapshot-problem.ts';
import { isToGo, markAsBeingDeleted } from './delete-snapshot.ts';
import { addContentFinalizer } from './finalizers.ts';
import type { SnapshotParts } from './parts.ts';
import { hasNews } from './snapshot-status.ts';

/** Protects contents, and tells their snapshots what is new. external-snapshotter pkg/common-controller syncContentByKey, updateContent */
export async function syncContentByKey(parts: SnapshotParts, key: string): Promise<void> {
  const content = parts.contentLister.get(key);
  if (content) {
    if (parts.contents.store(content)) await syncContent(parts, content);
    return;
  }
  const deleted = parts.contents.get(key);
  parts.contents.delete(key);
  if (deleted) parts.enqueueSnapshot(snapshotKeyOf(deleted));
}

async function syncContent(parts: SnapshotParts, content: VolumeSnapshotContent): Promise<void> {
  const { metadata, spec } = content;
  if ((spec.source.volumeHandle === undefined) === (spec.source.snapshotHandle === undefined)) {
    const message = 'Exactly one of VolumeHandle and SnapshotHandle should be specified';
    parts.recorder.event(content, 'Warning', 'ContentValidationError', message);
    throw new SnapshotProblem(message);
  }
  // Its snapshot has not been bound to it yet.
  if (!spec.volumeSnapshotRef.uid) return;
  if (!metadata.deletionTimestamp && !metadata.finalizers?.includes(CONTENT_FINALIZER)) return addContentFinalizer(parts, content);
  const key = snapshotKeyOf(content);
  const snapshot = parts.snapshots.get(key);
  // One of the same name is another.
  if (snapshot?.metadata.uid !== spec.volumeSnapshotRef.uid) return;
  if (hasNews(content, snapshot)) parts.enqueueSnapshot(key);
  if (isToGo(snapshot)) await markAsBeingDeleted(parts, content);
}
