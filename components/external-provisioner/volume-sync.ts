import type { PersistentVolume } from '../../src/api/kinds/core-v1.ts';
import { persistentvolumes, volumeattachments } from '../../src/api/resources.ts';
import { isNotFound } from '../../src/api/status-error.ts';
import { callRpc } from '../../src/client/rpc.ts';
import { FINALIZER, PROVISIONED_BY } from './annotations.ts';
import type { ProvisionerParts } from './server.ts';

class StillAttached extends Error {
  override name = 'StillAttached';
}

/** Has the driver delete volumes that nobody claims any more. */
export class VolumeSync {
  readonly #parts: ProvisionerParts;

  constructor(parts: ProvisionerParts) {
    this.#parts = parts;
  }

  /** ProvisionController syncVolume */
  async syncVolume(key: string): Promise<void> {
    const volume = this.#parts.informers.forResource(persistentvolumes).store.get(key);
    if (!volume || volume.metadata.annotations?.[PROVISIONED_BY] !== this.#parts.config.driver) return;
    const { phase = 'Pending' } = volume.status ?? {};
    // ProvisionController handleProtectionFinalizer: a volume that is to be kept needs nobody who waits for its deletion.
    if (volume.spec?.persistentVolumeReclaimPolicy !== 'Delete' && phase !== 'Pending') await this.#removeFinalizer(volume);
    else if (shouldDelete(volume)) await this.#deleteVolume(volume);
  }

  /** ProvisionController deleteVolumeOperation */
  async #deleteVolume({ metadata: { name = '' } }: PersistentVolume): Promise<void> {
    const { actor, client, config, recorder } = this.#parts;
    const volume = await this.#live(name);
    if (!volume || !shouldDelete(volume)) return;
    try {
      this.#canDelete(name);
      const volumeId = volume.spec?.csi?.volumeHandle ?? '';
      await callRpc(actor, config.socket(), (driver) => driver.deleteVolume({ volumeId }));
    } catch (error) {
      recorder.event(volume, 'Warning', 'VolumeFailedDelete', error instanceof Error ? error.message : String(error));
      throw error;
    }
    try {
      if (!volume.metadata.deletionTimestamp) await client.resource(persistentvolumes).delete({ name });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    await this.#removeFinalizer(volume);
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

  async #removeFinalizer(volume: PersistentVolume): Promise<void> {
    if (!hasFinalizer(volume)) return;
    const { name = '' } = volume.metadata;
    const finalizers = volume.metadata.finalizers?.filter((other) => other !== FINALIZER) ?? [];
    try {
      await this.#parts.client.resource(persistentvolumes).patch({ name }, { metadata: { finalizers } }, { type: 'merge' });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

/** ProvisionController shouldDelete: nobody claims it any more, and what it stands for is still there. */
function shouldDelete(volume: PersistentVolume): boolean {
  const { metadata, spec, status } = volume;
  if (metadata.deletionTimestamp && !hasFinalizer(volume)) return false;
  return spec?.persistentVolumeReclaimPolicy === 'Delete' && (status?.phase === 'Released' || status?.phase === 'Failed');
}

function hasFinalizer({ metadata }: PersistentVolume): boolean {
  return metadata.finalizers?.includes(FINALIZER) ?? false;
}
