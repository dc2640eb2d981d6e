import type { PersistentVolumeClaim } from '../../../src/api/kinds/core-v1.ts';
import { persistentvolumeclaims } from '../../../src/api/resources.ts';
import { retryOnConflict } from '../../../src/client/retry.ts';
import {
  type VolumeSnapshot,
  type VolumeSnapshotContent,
  volumesnapshotcontents,
  volumesnapshots,
} from '../../../src/client/volume-snapshot.ts';
import { AS_SOURCE_FINALIZER, BOUND_FINALIZER, CLAIM_FINALIZER, CONTENT_FINALIZER, isReady } from '../names.ts';
import { SnapshotProblem, updateProblem } from '../snapshot-problem.ts';
import { getClaim, type SnapshotParts } from './parts.ts';

/** Protects a snapshot while volumes may be made of it, and until a content that goes with it is gone. pkg/common-controller checkandAddSnapshotFinalizers */
export async function addSnapshotFinalizers(
  parts: SnapshotParts,
  snapshot: VolumeSnapshot,
  content: VolumeSnapshotContent | undefined,
): Promise<void> {
  const { name = '', namespace = '', finalizers = [], deletionTimestamp } = snapshot.metadata;
  if (deletionTimestamp) return;
  const isBound = Boolean(snapshot.status?.boundVolumeSnapshotContentName) && content?.spec.deletionPolicy === 'Delete';
  const missing = [AS_SOURCE_FINALIZER, ...(isBound ? [BOUND_FINALIZER] : [])].filter((finalizer) => !finalizers.includes(finalizer));
  if (missing.length === 0) return;
  const snapshots = parts.client.resource(volumesnapshots);
  try {
    const written =
      finalizers.length === 0
        ? await snapshots.update({ ...snapshot, metadata: { ...snapshot.metadata, finalizers: missing } })
        : await snapshots.patch(
            { namespace, name },
            missing.map((value) => ({ op: 'add', path: '/metadata/finalizers/-', value })),
            { type: 'json' },
          );
    parts.snapshots.store(written);
  } catch (error) {
    throw updateProblem(`${namespace}/${name}`, error);
  }
}

/** pkg/common-controller removeSnapshotFinalizer: the claim's goes before, for nobody would look at it after the snapshot has gone. */
export async function removeSnapshotFinalizers(
  parts: SnapshotParts,
  snapshot: VolumeSnapshot,
  { bound }: { readonly bound: boolean },
): Promise<void> {
  const { name = '', finalizers = [] } = snapshot.metadata;
  try {
    await removeClaimFinalizer(parts, snapshot, { besides: name });
  } catch (error) {
    warnOfClaim(parts, snapshot);
    throw updateProblem(name, error);
  }
  const going = [AS_SOURCE_FINALIZER, ...(bound ? [BOUND_FINALIZER] : [])];
  const left = finalizers.filter((finalizer) => !going.includes(finalizer));
  try {
    const changed = { ...snapshot, metadata: { ...snapshot.metadata, finalizers: left } };
    parts.snapshots.store(await parts.client.resource(volumesnapshots).update(changed));
  } catch (error) {
    throw updateProblem(name, error);
  }
}

/** Tells that a claim's finalizer could not be looked after. */
export function warnOfClaim({ recorder }: SnapshotParts, snapshot: VolumeSnapshot): void {
  recorder.event(snapshot, 'Warning', 'ErrorPVCFinalizer', 'Error check and remove PVC Finalizer for VolumeSnapshot');
}

/** pkg/common-controller addContentFinalizer */
export async function addContentFinalizer({ client, contents }: SnapshotParts, { metadata }: VolumeSnapshotContent): Promise<void> {
  const { name = '', finalizers = [] } = metadata;
  const step =
    finalizers.length > 0
      ? { op: 'add', path: '/metadata/finalizers/-', value: CONTENT_FINALIZER }
      : { op: 'add', path: '/metadata/finalizers', value: [CONTENT_FINALIZER] };
  try {
    contents.store(await client.resource(volumesnapshotcontents).patch({ name }, [step], { type: 'json' }));
  } catch (error) {
    throw updateProblem(name, error);
  }
}

/** Keeps a claim while a snapshot of it is taken. pkg/common-controller ensurePVCFinalizer. @throws SnapshotProblem */
export async function ensureClaimFinalizer(parts: SnapshotParts, snapshot: VolumeSnapshot): Promise<void> {
  const claim = claimOf(parts, snapshot);
  if (!claim) throw updateProblem(snapshot.metadata.name ?? '', 'cannot get claim from snapshot');
  const { name = '', finalizers = [], deletionTimestamp } = claim.metadata;
  if (finalizers.includes(CLAIM_FINALIZER)) return;
  if (deletionTimestamp) throw updateProblem(name, 'cannot add finalizer on claim because it is being deleted');
  try {
    const metadata = { ...claim.metadata, finalizers: [...finalizers, CLAIM_FINALIZER] };
    await parts.client.resource(persistentvolumeclaims).update({ ...claim, metadata });
  } catch (error) {
    throw updateProblem(name, error);
  }
}

/** Lets a claim go when no snapshot (`besides` one) is being taken of it. pkg/common-controller checkandRemovePVCFinalizer */
export async function removeClaimFinalizer(
  parts: SnapshotParts,
  snapshot: VolumeSnapshot,
  { besides }: { readonly besides?: string } = {},
): Promise<void> {
  const claim = claimOf(parts, snapshot);
  if (!claim?.metadata.finalizers?.includes(CLAIM_FINALIZER)) return;
  const { name = '', namespace = '' } = claim.metadata;
  const isUsed = parts.snapshotLister
    .listNamespace(namespace)
    .some((other) => other.metadata.name !== besides && other.spec.source.persistentVolumeClaimName === name && !isReady(other));
  if (isUsed) return;
  const claims = parts.client.resource(persistentvolumeclaims);
  await retryOnConflict({ actor: parts.actor }, async () => {
    const live = await claims.get({ namespace, name });
    const finalizers = live.metadata.finalizers?.filter((finalizer) => finalizer !== CLAIM_FINALIZER) ?? [];
    await claims.update({ ...live, metadata: { ...live.metadata, finalizers } });
  });
}

function claimOf(parts: SnapshotParts, snapshot: VolumeSnapshot): PersistentVolumeClaim | undefined {
  try {
    return getClaim(parts, snapshot);
  } catch (error) {
    if (error instanceof SnapshotProblem) return undefined;
    throw error;
  }
}
