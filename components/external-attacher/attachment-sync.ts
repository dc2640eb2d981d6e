import { capabilityOfVolume } from '../../src/api/csi.ts';
import type { PersistentVolume } from '../../src/api/kinds/core-v1.ts';
import type { CSINode, VolumeAttachment, VolumeError } from '../../src/api/kinds/storage-v1.ts';
import type { KubernetesObject } from '../../src/api/object.ts';
import type { Resource } from '../../src/api/resource.ts';
import { persistentvolumes, volumeattachments } from '../../src/api/resources.ts';
import { isNotFound } from '../../src/api/status-error.ts';
import { formatTime } from '../../src/api/time.ts';
import type { Client } from '../../src/client/client.ts';
import { callRpc } from '../../src/client/rpc.ts';
import type { Actor } from '../../src/sim/actor.ts';
import type { ExternalAttacherConfig } from './server.ts';

const NODE_ID = 'csi.alpha.kubernetes.io/node-id';

interface Parts {
  readonly actor: Actor;
  readonly client: Client;
  readonly config: ExternalAttacherConfig;
  readonly attachment: (name: string) => VolumeAttachment | undefined;
  readonly volume: (name: string) => PersistentVolume | undefined;
  readonly csiNode: (name: string) => CSINode | undefined;
  readonly attachmentsOf: (volume: string) => readonly VolumeAttachment[];
}

class AttachProblem extends Error {
  override name = 'AttachProblem';
}

/** Makes the driver's state that of VolumeAttachments: external-attacher pkg/controller csiHandler. */
export class AttachmentSync {
  readonly #parts: Parts;
  /** external-attacher pkg/controller GetFinalizerName */
  readonly #finalizer: string;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#finalizer = `external-attacher/${parts.config.driver.replace(/[^A-Za-z0-9-]/g, '-').replace(/-$/, '-X')}`;
  }

  /** csiHandler SyncNewOrUpdatedVolumeAttachment */
  async syncAttachment(name: string): Promise<void> {
    const attachment = this.#parts.attachment(name);
    if (attachment?.spec.attacher !== this.#parts.config.driver) return;
    if (attachment.metadata.deletionTimestamp) await this.#detach(attachment);
    else if (!attachment.status?.attached) await this.#attach(attachment);
  }

  /** csiHandler SyncNewOrUpdatedPersistentVolume: a volume that is deleted waits for its last attachment. */
  async syncVolume(name: string): Promise<void> {
    const volume = this.#parts.volume(name);
    if (!volume?.metadata.deletionTimestamp || this.#parts.attachmentsOf(name).length > 0) return;
    await this.#setFinalizer(persistentvolumes, volume, { wanted: false });
  }

  /** csiHandler syncAttach and csiAttach. @throws what stands in the attachment's status then */
  async #attach(attachment: VolumeAttachment): Promise<void> {
    const { actor, config } = this.#parts;
    const { name = '' } = attachment.metadata;
    try {
      const volume = this.#volumeOf(attachment);
      if (volume.metadata.deletionTimestamp) throw new AttachProblem(`PersistentVolume "${volume.metadata.name}" is marked for deletion`);
      await this.#setFinalizer(persistentvolumes, volume, { wanted: true });
      const nodeId = this.#nodeIdOf(attachment.spec.nodeName);
      await this.#setFinalizer(volumeattachments, attachment, { wanted: true, annotations: { [NODE_ID]: nodeId } });
      const { csi } = volume.spec ?? {};
      const request = {
        volumeId: csi?.volumeHandle ?? '',
        nodeId,
        volumeCapability: capabilityOfVolume(volume),
        ...(csi?.readOnly ? { readonly: true } : {}),
        ...(csi?.volumeAttributes ? { volumeContext: csi.volumeAttributes } : {}),
      };
      const context = await callRpc(actor, config.socket(), (driver) => driver.controllerPublishVolume(request));
      const status = { attached: true, ...(Object.keys(context).length > 0 ? { attachmentMetadata: context } : {}), attachError: null };
      await this.#patchStatus(name, status);
    } catch (error) {
      await this.#patchStatus(name, { attachError: this.#errorOf(error) });
      throw error;
    }
  }

  /** csiHandler syncDetach and csiDetach */
  async #detach(attachment: VolumeAttachment): Promise<void> {
    const { actor, config } = this.#parts;
    if (!attachment.metadata.finalizers?.includes(this.#finalizer)) return;
    const { name = '', annotations } = attachment.metadata;
    try {
      const volumeId = this.#volumeOf(attachment).spec?.csi?.volumeHandle ?? '';
      const nodeId = this.#nodeIdOf(attachment.spec.nodeName, annotations?.[NODE_ID]);
      await callRpc(actor, config.socket(), (driver) => driver.controllerUnpublishVolume({ volumeId, nodeId }));
    } catch (error) {
      await this.#patchStatus(name, { detachError: this.#errorOf(error) });
      throw error;
    }
    // external-attacher pkg/controller markAsDetached: with the finalizer the object is gone, so that its status is not there to be written.
    await this.#setFinalizer(volumeattachments, attachment, { wanted: false });
    await this.#patchStatus(name, { attached: false, attachmentMetadata: null, detachError: null });
  }

  /** csiHandler getNodeID. @param known what the attachment remembers: for a node whose driver has gone */
  #nodeIdOf(name: string, known?: string): string {
    const { csiNode, config } = this.#parts;
    const found = csiNode(name);
    const nodeId = found?.spec.drivers?.find((driver) => driver.name === config.driver)?.nodeID ?? known;
    if (nodeId !== undefined) return nodeId;
    throw new AttachProblem(
      found ? `CSINode ${name} does not contain driver ${config.driver}` : `csinode.storage.k8s.io "${name}" not found`,
    );
  }

  #volumeOf({ spec }: VolumeAttachment): PersistentVolume {
    const name = spec.source.persistentVolumeName ?? '';
    const volume = this.#parts.volume(name);
    if (!volume) throw new AttachProblem(`persistentvolume "${name}" not found`);
    return volume;
  }

  async #setFinalizer<T extends KubernetesObject>(
    resource: Resource<T>,
    { metadata }: T,
    { wanted, annotations }: { readonly wanted: boolean; readonly annotations?: Readonly<Record<string, string>> },
  ): Promise<void> {
    const before = metadata.finalizers ?? [];
    if (before.includes(this.#finalizer) === wanted) return;
    const finalizers = wanted ? [...before, this.#finalizer] : before.filter((name) => name !== this.#finalizer);
    const patch = { metadata: { finalizers, ...(annotations ? { annotations } : {}) } };
    await this.#parts.client.resource(resource).patch({ name: metadata.name ?? '' }, patch, { type: 'merge' });
  }

  async #patchStatus(name: string, status: Readonly<Record<string, unknown>>): Promise<void> {
    try {
      await this.#parts.client.resource(volumeattachments).patch({ name }, { status }, { type: 'merge', subresource: 'status' });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  #errorOf(error: unknown): VolumeError {
    return { message: error instanceof Error ? error.message : String(error), time: formatTime(this.#parts.actor.simulation.wallTime) };
  }
}
