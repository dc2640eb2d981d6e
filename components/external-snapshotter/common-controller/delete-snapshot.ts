import {
  SNAPSHOT_GROUP,
  type VolumeSnapshot,
  type VolumeSnapshotContent,
  volumesnapshotcontents,
} from '../../../src/client/volume-snapshot.ts';
import { AS_SOURCE_FINALIZER, BEING_DELETED, BOUND_FINALIZER, contentNameOf, namesSnapshot } from '../names.ts';
import { messageOf, quoted, SnapshotProblem, updateProblem } from '../snapshot-problem.ts';
import { removeSnapshotFinalizers } from './finalizers.ts';
import type { SnapshotParts } from './parts.ts';

/** checkandRemoveSnapshotFinalizers…: whether somebody waits for this controller to let the snapshot go. pkg/utils IsSnapshotDeletionCandidate */
export function isToGo({ metadata }: VolumeSnapshot): boolean {
  const mine = [AS_SOURCE_FINALIZER, BOUND_FINALIZER];
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).some((finalizer) => mine.includes(finalizer));
}

/**
 * Lets a deleted snapshot go: its content first, if that goes with it.
 * pkg/common-controller processSnapshotWithDeletionTimestamp, checkandRemoveSnapshotFinalizersAndCheckandDeleteContent
 */
export async function deleteWithContent(parts: SnapshotParts, snapshot: VolumeSnapshot): Promise<void> {
  if (!isToGo(snapshot)) return;
  const { status, spec } = snapshot;
  const made = spec.source.persistentVolumeClaimName === undefined ? '' : contentNameOf(snapshot);
  const found = parts.contents.get(status?.boundVolumeSnapshotContentName || made);
  const content = found && namesSnapshot(found, snapshot) ? found : undefined;
  if (content && isBeingRestored(parts, snapshot)) {
    parts.recorder.event(snapshot, 'Warning', 'SnapshotDeletePending', 'Snapshot is being used to restore a PVC');
    return;
  }
  if (content) await markAsBeingDeleted(parts, content);
  const goesAlong = content?.spec.deletionPolicy === 'Delete';
  if (content && goesAlong) await deleteContent(parts, snapshot, content);
  await removeSnapshotFinalizers(parts, snapshot, { bound: !goesAlong });
}

/** pkg/common-controller isVolumeBeingCreatedFromSnapshot */
function isBeingRestored({ claimLister }: SnapshotParts, { metadata }: VolumeSnapshot): boolean {
  return claimLister.listNamespace(metadata.namespace ?? '').some(({ spec, status }) => {
    const source = spec?.dataSource;
    const isSource = source?.kind === 'VolumeSnapshot' && source.apiGroup === SNAPSHOT_GROUP && source.name === metadata.name;
    return isSource && status?.phase === 'Pending';
  });
}

async function deleteContent(parts: SnapshotParts, snapshot: VolumeSnapshot, content: VolumeSnapshotContent): Promise<void> {
  const { name = '' } = content.metadata;
  try {
    await parts.client.resource(volumesnapshotcontents).delete({ name });
  } catch (error) {
    const message = 'Failed to delete snapshot content API object';
    parts.recorder.event(snapshot, 'Warning', 'SnapshotContentObjectDeleteError', message);
    throw new SnapshotProblem(`failed to delete VolumeSnapshotContent ${name} from API server: ${quoted(messageOf(error))}`);
  }
}

/** Tells the driver's sidecar that the snapshot goes. pkg/common-controller setAnnVolumeSnapshotBeingDeleted */
export async function markAsBeingDeleted({ client, contents }: SnapshotParts, { metadata }: VolumeSnapshotContent): Promise<void> {
  const { name = '', annotations = {} } = metadata;
  if (annotations[BEING_DELETED] !== undefined) return;
  const patch = [{ op: 'replace', path: '/metadata/annotations', value: { ...annotations, [BEING_DELETED]: 'yes' } }];
  try {
    contents.store(await client.resource(volumesnapshotcontents).patch({ name }, patch, { type: 'json' }));
  } catch (error) {
    throw updateProblem(name, error);
  }
}
