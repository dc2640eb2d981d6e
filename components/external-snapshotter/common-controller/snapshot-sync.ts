import { isNotFound } from '../../../src/api/status-error.ts';
import { type VolumeSnapshot, type VolumeSnapshotContent, volumesnapshotcontents } from '../../../src/client/volume-snapshot.ts';
import { isReady, namesSnapshot } from '../names.ts';
import { isRefusal, messageOf, SnapshotProblem } from '../snapshot-problem.ts';
import { createSnapshotContent } from './create-content.ts';
import { deleteWithContent } from './delete-snapshot.ts';
import { addSnapshotFinalizers, removeClaimFinalizer, warnOfClaim } from './finalizers.ts';
import { findContent, warn } from './find-content.ts';
import type { SnapshotParts } from './parts.ts';
import { checkAndUpdateSnapshotClass } from './snapshot-class.ts';
import { reportOnSnapshot, updateSnapshotStatus } from './snapshot-status.ts';

/** Binds snapshots to contents, and makes those of snapshots that are to be taken. external-snapshotter pkg/common-controller csiSnapshotCommonController */
export class SnapshotSync {
  readonly #parts: SnapshotParts;

  constructor(parts: SnapshotParts) {
    this.#parts = parts;
  }

  /** syncSnapshotByKey */
  async syncSnapshotByKey(key: string): Promise<void> {
    const snapshot = this.#parts.snapshotLister.get(key);
    if (!snapshot) return this.#deleted(key);
    let classed = snapshot;
    try {
      classed = await checkAndUpdateSnapshotClass(this.#parts, snapshot);
    } catch (error) {
      // Whoever wants to go need not have a class.
      if (!snapshot.metadata.deletionTimestamp || !isNotFound(error)) throw error;
    }
    if (this.#parts.snapshots.store(classed)) await this.#syncSnapshot(classed);
  }

  /** deleteSnapshot */
  #deleted(key: string): void {
    const contentName = this.#parts.snapshots.get(key)?.status?.boundVolumeSnapshotContentName;
    this.#parts.snapshots.delete(key);
    if (contentName) this.#parts.enqueueContent(contentName);
  }

  async #syncSnapshot(snapshot: VolumeSnapshot): Promise<void> {
    try {
      await removeClaimFinalizer(this.#parts, snapshot);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      warnOfClaim(this.#parts, snapshot);
    }
    if (snapshot.metadata.deletionTimestamp) return deleteWithContent(this.#parts, snapshot);
    const { persistentVolumeClaimName: claim, volumeSnapshotContentName: content } = snapshot.spec.source;
    if ((claim === undefined) === (content === undefined)) {
      const message = 'Exactly one of PersistentVolumeClaimName and VolumeSnapshotContentName should be specified';
      await warn(this.#parts, snapshot, { reason: 'SnapshotValidationError', message });
      throw new SnapshotProblem(message);
    }
    await this.#addFinalizers(snapshot);
    if (isReady(snapshot) && snapshot.status?.boundVolumeSnapshotContentName) await this.#syncReady(snapshot);
    else if (content !== undefined) await this.#bindPreprovisioned(snapshot, content);
    else await this.#syncDynamic(snapshot);
  }

  async #addFinalizers(snapshot: VolumeSnapshot): Promise<void> {
    try {
      await addSnapshotFinalizers(this.#parts, snapshot, await findContent(this.#parts, snapshot));
    } catch (error) {
      const message = `Failed to check and update snapshot: ${messageOf(error)}`;
      this.#parts.recorder.event(snapshot, 'Warning', 'SnapshotFinalizerError', message);
      throw error;
    }
  }

  /** syncReadySnapshot: both still name each other. */
  async #syncReady(snapshot: VolumeSnapshot): Promise<void> {
    const content = this.#parts.contents.get(snapshot.status?.boundVolumeSnapshotContentName ?? '');
    if (!content) await warn(this.#parts, snapshot, { reason: 'SnapshotContentMissing', message: 'VolumeSnapshotContent is missing' });
    else if (!namesSnapshot(content, snapshot))
      await warn(this.#parts, snapshot, {
        reason: 'SnapshotMisbound',
        message: 'VolumeSnapshotContent is not bound to the VolumeSnapshot correctly',
      });
  }

  /** syncUnreadySnapshot of a snapshot that the storage system has already. */
  async #bindPreprovisioned(snapshot: VolumeSnapshot, contentName: string): Promise<void> {
    const key = `${snapshot.metadata.namespace}/${snapshot.metadata.name}`;
    const content = await findContent(this.#parts, snapshot);
    if (!content) {
      await warn(this.#parts, snapshot, { reason: 'SnapshotContentMissing', message: 'VolumeSnapshotContent is missing' });
      throw new SnapshotProblem(`snapshot ${key} requests an non-existing content ${contentName}`);
    }
    let bound: VolumeSnapshotContent;
    try {
      bound = await this.#bind(snapshot, content);
    } catch (error) {
      const why = messageOf(error);
      await warn(this.#parts, snapshot, { reason: 'SnapshotBindFailed', message: `Snapshot failed to bind VolumeSnapshotContent, ${why}` });
      throw new SnapshotProblem(
        `snapshot ${key} is bound, but VolumeSnapshotContent ${contentName} is not bound to the VolumeSnapshot correctly, ${why}`,
      );
    }
    await this.#updateStatus(snapshot, bound, { notReady: false });
  }

  /** checkandBindSnapshotContent: who made the content could not know the snapshot's UID. */
  async #bind({ metadata, spec }: VolumeSnapshot, content: VolumeSnapshotContent): Promise<VolumeSnapshotContent> {
    if (content.spec.volumeSnapshotRef.uid && content.spec.volumeSnapshotClassName !== undefined) return content;
    const { volumeSnapshotClassName: className } = spec;
    const patch = [
      { op: 'replace', path: '/spec/volumeSnapshotRef/uid', value: metadata.uid },
      ...(className === undefined ? [] : [{ op: 'replace', path: '/spec/volumeSnapshotClassName', value: className }]),
    ];
    const contents = this.#parts.client.resource(volumesnapshotcontents);
    const written = await contents.patch({ name: content.metadata.name ?? '' }, patch, { type: 'json' });
    this.#parts.contents.store(written);
    return written;
  }

  /** syncUnreadySnapshot of a snapshot that is to be taken, or is being taken. */
  async #syncDynamic(snapshot: VolumeSnapshot): Promise<void> {
    const found = await findContent(this.#parts, snapshot);
    if (!found) return this.#updateStatus(snapshot, await this.#create(snapshot), { notReady: false });
    const key = `${snapshot.metadata.namespace}/${snapshot.metadata.name}`;
    if (found.spec.source.snapshotHandle !== undefined) {
      const message = `Snapshot handle should not be set in content ${key} for dynamic provisioning`;
      await warn(this.#parts, snapshot, { reason: 'SnapshotHandleSet', message });
      throw new SnapshotProblem(`snapshotHandle should not be set in the content for dynamic provisioning for snapshot ${key}`);
    }
    await this.#updateStatus(snapshot, found, { notReady: true });
  }

  async #create(snapshot: VolumeSnapshot): Promise<VolumeSnapshotContent> {
    try {
      return await createSnapshotContent(this.#parts, snapshot);
    } catch (error) {
      const message = `Failed to create snapshot content with error ${messageOf(error)}`;
      await warn(this.#parts, snapshot, { reason: 'SnapshotContentCreationFailed', message });
      throw error;
    }
  }

  async #updateStatus(
    snapshot: VolumeSnapshot,
    content: VolumeSnapshotContent,
    { notReady }: { readonly notReady: boolean },
  ): Promise<void> {
    try {
      this.#parts.snapshots.store(await updateSnapshotStatus(this.#parts, snapshot, content));
    } catch (error) {
      const message = `Snapshot status update failed, ${messageOf(error)}`;
      await reportOnSnapshot(this.#parts, snapshot, { type: 'Warning', reason: 'SnapshotStatusUpdateFailed', message, notReady });
      throw error;
    }
  }
}
