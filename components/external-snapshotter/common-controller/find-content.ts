import type { VolumeSnapshot, VolumeSnapshotContent } from '../../../src/client/volume-snapshot.ts';
import { contentNameOf } from '../names.ts';
import { SnapshotProblem } from '../snapshot-problem.ts';
import type { SnapshotParts } from './parts.ts';
import { reportOnSnapshot } from './snapshot-status.ts';

/**
 * The content of a snapshot, if there is one: the one that it names, or the one that was made for it.
 * pkg/common-controller getPreprovisionedContentFromStore, getDynamicallyProvisionedContentFromStore. @throws SnapshotProblem for one of another kind, or of another snapshot
 */
export function findContent(parts: SnapshotParts, snapshot: VolumeSnapshot): Promise<VolumeSnapshotContent | undefined> {
  const { volumeSnapshotContentName: named } = snapshot.spec.source;
  return named === undefined ? findDynamic(parts, snapshot) : findPreprovisioned(parts, snapshot, named);
}

async function findPreprovisioned(
  parts: SnapshotParts,
  snapshot: VolumeSnapshot,
  name: string,
): Promise<VolumeSnapshotContent | undefined> {
  const { metadata } = snapshot;
  const key = `${metadata.namespace}/${metadata.name}`;
  if (!name) throw new SnapshotProblem(`empty VolumeSnapshotContentName for snapshot ${key}`);
  const content = parts.contents.get(name);
  if (!content) return undefined;
  if (content.spec.source.snapshotHandle === undefined) {
    await warn(parts, snapshot, {
      reason: 'SnapshotContentMismatch',
      message: 'VolumeSnapshotContent is dynamically provisioned while expecting a pre-provisioned one',
    });
    throw new SnapshotProblem(
      `snapshot ${key} expects a pre-provisioned VolumeSnapshotContent ${name} but gets a dynamically provisioned one`,
    );
  }
  const { uid } = content.spec.volumeSnapshotRef;
  await assertBound(parts, snapshot, { content, isOfUid: !uid || uid === metadata.uid });
  return content;
}

async function findDynamic(parts: SnapshotParts, snapshot: VolumeSnapshot): Promise<VolumeSnapshotContent | undefined> {
  const { metadata } = snapshot;
  const name = contentNameOf(snapshot);
  const content = parts.contents.get(name);
  if (!content) return undefined;
  if (content.spec.source.volumeHandle === undefined) {
    const message = `VolumeSnapshotContent ${name} is pre-provisioned while expecting a dynamically provisioned one`;
    await warn(parts, snapshot, { reason: 'SnapshotContentMismatch', message });
    const key = `${metadata.namespace}/${metadata.name}`;
    throw new SnapshotProblem(
      `snapshot ${key} expects a dynamically provisioned VolumeSnapshotContent ${name} but gets a pre-provisioned one`,
    );
  }
  await assertBound(parts, snapshot, { content, isOfUid: content.spec.volumeSnapshotRef.uid === metadata.uid });
  return content;
}

async function assertBound(
  parts: SnapshotParts,
  snapshot: VolumeSnapshot,
  { content, isOfUid }: { readonly content: VolumeSnapshotContent; readonly isOfUid: boolean },
): Promise<void> {
  const { name, namespace } = content.spec.volumeSnapshotRef;
  if (isOfUid && name === snapshot.metadata.name && namespace === snapshot.metadata.namespace) return;
  const message = `VolumeSnapshotContent [${content.metadata.name}] is bound to a different snapshot`;
  await warn(parts, snapshot, { reason: 'SnapshotContentMisbound', message });
  throw new SnapshotProblem(message);
}

/** Says what is wrong with a snapshot, which cannot be used therefore. */
export function warn(
  parts: SnapshotParts,
  snapshot: VolumeSnapshot,
  what: { readonly reason: string; readonly message: string },
): Promise<void> {
  return reportOnSnapshot(parts, snapshot, { ...what, type: 'Warning', notReady: true });
}
