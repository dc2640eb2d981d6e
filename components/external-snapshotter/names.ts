import type { VolumeSnapshot, VolumeSnapshotContent } from '../../src/client/volume-snapshot.ts';

/** external-snapshotter pkg/utils VolumeSnapshotContentFinalizer: the content stays until the driver has deleted the snapshot. */
export const CONTENT_FINALIZER = 'snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection';
/** VolumeSnapshotBoundFinalizer: the snapshot stays as long as its content. */
export const BOUND_FINALIZER = 'snapshot.storage.kubernetes.io/volumesnapshot-bound-protection';
/** VolumeSnapshotAsSourceFinalizer: the snapshot stays while a volume is made of it. */
export const AS_SOURCE_FINALIZER = 'snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection';
/** PVCFinalizer: the claim stays while a snapshot of it is taken. */
export const CLAIM_FINALIZER = 'snapshot.storage.kubernetes.io/pvc-as-source-protection';
/** AnnVolumeSnapshotBeingCreated: the driver was asked, and has not said what came of it. */
export const BEING_CREATED = 'snapshot.storage.kubernetes.io/volumesnapshot-being-created';
/** AnnVolumeSnapshotBeingDeleted: the snapshot of this content is to go. */
export const BEING_DELETED = 'snapshot.storage.kubernetes.io/volumesnapshot-being-deleted';
/** IsDefaultSnapshotClassAnnotation */
export const DEFAULT_CLASS = 'snapshot.storage.kubernetes.io/is-default-class';
/** AnnDeletionSecretRefName and AnnDeletionSecretRefNamespace */
export const DELETION_SECRET = {
  name: 'snapshot.storage.kubernetes.io/deletion-secret-name',
  namespace: 'snapshot.storage.kubernetes.io/deletion-secret-namespace',
};

/** The name of the content that is made for a snapshot: GetDynamicSnapshotContentNameForSnapshot */
export function contentNameOf({ metadata }: VolumeSnapshot): string {
  return `snapcontent-${metadata.uid}`;
}

/** IsSnapshotReady */
export function isReady({ status }: VolumeSnapshot): boolean {
  return status?.readyToUse === true;
}

/** IsVolumeSnapshotRefSet: the content names this very snapshot. */
export function namesSnapshot({ spec }: VolumeSnapshotContent, { metadata }: VolumeSnapshot): boolean {
  const { name, namespace, uid } = spec.volumeSnapshotRef;
  return name === metadata.name && namespace === metadata.namespace && uid === metadata.uid;
}

/** The key of the snapshot that a content is for: SnapshotRefKey */
export function snapshotKeyOf({ spec }: VolumeSnapshotContent): string {
  return `${spec.volumeSnapshotRef.namespace}/${spec.volumeSnapshotRef.name}`;
}
