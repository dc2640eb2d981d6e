import type { PersistentVolume } from '../../src/api/kinds/core-v1.ts';
import { persistentvolumes, volumeattachments } from '../../src/api/resources.ts';
import { schemaOf } from '../../src/api/schema.ts';
import { isNotFound } from '../../src/api/status-error.ts';
import { createTwoWayMergePatch } from '../../src/api/two-way-merge-patch.ts';
import { callRpc } from '../../src/client/rpc.ts';
import { FINALIZER, PROVISIONED_BY } from './annotations.ts';
import type { ProvisionerParts } from './server.ts';

const SCHEMA = schemaOf('core.v1.PersistentVolume');

class StillAttached extends Error {
  override name = 'StillAttached';
}

/** Has the driver delete volumes that nobody claims any more. */
export class VolumeSync {
  readonly #parts: ProvisionerParts;

  constructor(parts: ProvisionerParts) {
    this.#parts = parts;
  }

  /** ProvisionController syncVolume. Differs: what is to be done is done with the volume as the API has it, not as the cache, whose watch is slower here than answers are. */
  async syncVolume(key: string): Promise<void> {
    const cached = this.#parts.informers.forResource(persistentvolumes).store.get(key);
    if (!cached || !this.#isOurs(cached) || !(wantedFinalizers(cached) || shouldDelete(cached))) return;
    const found = await this.#live(key);
    if (!found) return;
    const volume = await this.#patchFinalizers(found, wantedFinalizers(found));
    if (shouldDelete(volume)) await this.#deleteVolume(volume);
  }

  /** ProvisionController isProvisionerForVolume: also one that an administrator has made, when it is of the driver. */
  #isOurs({ metadata, spec }: PersistentVolume): boolean {
    return (metadata.annotations?.[PROVISIONED_BY] ?? spec?.csi?.driver) === this.#parts.config.driver;
  }

  /** ProvisionController deleteVolumeOperation */
  async #deleteVolume(volume: PersistentVolume): Promise<void> {
    const { actor, client, config, recorder } = this.#parts;
    const { name = '' } = volume.metadata;
    try {
      this.#canDelete(name);
      const volumeId = volume.spec?.csi?.volumeHandle ?? '';
      await callRpc(actor, config.socket(), (driver) => driver.deleteVolume({ volumeId }));
    } catch (error) {
      recorder.event(volume, 'Warning', 'VolumeFailedDelete', error instanceof Error ? error.message : String(error));
      throw error;
    }
    await client.resource(persistentvolumes).delete({ name });
    const live = await this.#live(name);
    try {
      if (live) await this.#patchFinalizers(live, withoutOurs(live));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async #live(name: string): Promise<PersistentVolume | undefined> {
    try {
      return await this.#parts.client.resource(persistentvolumes).get({ name });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** external-provisioner pkg/controller canDeleteVolume. @throws StillAttached while the volume is attached somewhere */
  #canDelete(name: string): void {
    const attachments = this.#parts.informers.forResource(volumeattachments).store.list();
    const attached = attachments.find(({ spec }) => spec.source.persistentVolumeName === name);
    if (attached) throw new StillAttached(`persistentvolume ${name} is still attached to node ${attached.spec.nodeName}`);
  }

  /** ProvisionController patchPersistentVolumeWithFinalizers: a strategic patch says which one comes or goes, so that those of others stay as they are by then. */
  async #patchFinalizers(volume: PersistentVolume, finalizers: readonly string[] | undefined): Promise<PersistentVolume> {
    if (!finalizers) return volume;
    const { name = '', finalizers: before = [] } = volume.metadata;
    const patch = createTwoWayMergePatch({ metadata: { finalizers: before } }, { metadata: { finalizers } }, SCHEMA);
    return patch ? this.#parts.client.resource(persistentvolumes).patch({ name }, patch, { type: 'strategic' }) : volume;
  }
}

/** ProvisionController handleProtectionFinalizer: a volume in use waits for its deletion; one that is to be kept needs nobody who waits. @returns undefined when they are right */
function wantedFinalizers(volume: PersistentVolume): readonly string[] | undefined {
  const { metadata, spec, status } = volume;
  if (spec?.persistentVolumeReclaimPolicy !== 'Delete') return hasFinalizer(volume) ? withoutOurs(volume) : undefined;
  const isComplete = metadata.deletionTimestamp || status?.phase !== 'Bound' || hasFinalizer(volume);
  return isComplete ? undefined : [...(metadata.finalizers ?? []), FINALIZER];
}

function withoutOurs({ metadata }: PersistentVolume): readonly string[] {
  return metadata.finalizers?.filter((name) => name !== FINALIZER) ?? [];
}

/** ProvisionController shouldDelete: nobody claims it any more, and what it stands for is still there. */
function shouldDelete(volume: PersistentVolume): boolean {
  const { metadata, spec, status } = volume;
  if (metadata.deletionTimestamp && !hasFinalizer(volume)) return false;
  return spec?.persistentVolumeReclaimPolicy === 'Delete' && status?.phase === 'Released';
}

function hasFinalizer({ metadata }: PersistentVolume): boolean {
  return metadata.finalizers?.includes(FINALIZER) ?? false;
}
