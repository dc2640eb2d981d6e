import type { PersistentVolume, PersistentVolumeClaim, PersistentVolumeClaimStatus, Pod } from '../../../../src/api/kinds/core-v1.ts';
import { parseQuantity } from '../../../../src/api/quantity.ts';
import { persistentvolumeclaims } from '../../../../src/api/resources.ts';
import { RpcError } from '../../../../src/api/rpc-error.ts';
import { schemaOf } from '../../../../src/api/schema.ts';
import { createTwoWayMergePatch } from '../../../../src/api/two-way-merge-patch.ts';
import type { Client } from '../../../../src/client/client.ts';
import type { EventRecorder } from '../../../../src/client/event-recorder.ts';
import type { ObjectReader } from '../../object-reader.ts';
import { type CsiVolumes, wantedExpansion } from './csi-volumes.ts';

const RESIZING = new Set(['Resizing', 'FileSystemResizePending']);

interface Parts {
  readonly client: Client;
  readonly recorder: EventRecorder;
  readonly objects: ObjectReader;
  readonly csi: CsiVolumes;
  readonly nodeName: string;
}

/** The node's part when a claim gets bigger: pkg/volume/util/operationexecutor nodeExpander. */
export class NodeExpansion {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Looks at the claims of a pod whose volumes are mounted. pkg/kubelet/volumemanager/populator checkVolumeFSResize */
  async check(pod: Pod): Promise<void> {
    const { csi, objects } = this.#parts;
    if (csi.volumesInUse.length === 0) return;
    for (const { persistentVolumeClaim } of pod.spec?.volumes ?? []) {
      if (!persistentVolumeClaim) continue;
      const claim = await objects.persistentVolumeClaim(pod.metadata.namespace ?? '', persistentVolumeClaim.claimName);
      const volume = await objects.persistentVolume(claim?.spec?.volumeName ?? '');
      if (claim && volume?.spec?.csi) await this.#expand(pod, claim, volume);
    }
  }

  async #expand(pod: Pod, claim: PersistentVolumeClaim, volume: PersistentVolume): Promise<void> {
    const size = wantedExpansion(claim, volume);
    if (size === undefined) return;
    const { csi, nodeName, recorder } = this.#parts;
    const { name } = volume.metadata;
    const { allocatedResourceStatuses, ...status } = claim.status ?? {};
    const started = await this.#write(claim, {
      ...status,
      allocatedResourceStatuses: { ...allocatedResourceStatuses, storage: 'NodeResizeInProgress' },
    });
    try {
      if (!(await csi.expand(pod, volume, parseQuantity(size).value()))) return;
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      recorder.event(
        pod,
        'Warning',
        'VolumeResizeFailed',
        `NodeExpandVolume.NodeExpandVolume failed for volume "${name}" : ${error.message}`,
      );
      return;
    }
    const conditions = (status.conditions ?? []).filter(({ type }) => !RESIZING.has(type));
    const { conditions: _, ...rest } = status;
    const { storage: __, ...others } = allocatedResourceStatuses ?? {};
    await this.#write(started, {
      ...rest,
      capacity: { ...status.capacity, storage: size },
      ...(conditions.length > 0 ? { conditions } : {}),
      ...(Object.keys(others).length > 0 ? { allocatedResourceStatuses: others } : {}),
    });
    const message = `MountVolume.NodeExpandVolume succeeded for volume "${name}" ${nodeName}`;
    for (const object of [pod, claim]) recorder.event(object, 'Normal', 'FileSystemResizeSuccessful', message);
  }

  /** pkg/volume/util PatchPVCStatus */
  async #write(claim: PersistentVolumeClaim, status: PersistentVolumeClaimStatus): Promise<PersistentVolumeClaim> {
    const patch = createTwoWayMergePatch({ status: claim.status ?? {} }, { status }, schemaOf('core.v1.PersistentVolumeClaim'));
    const { name = '', namespace = '' } = claim.metadata;
    const options = { type: 'strategic', subresource: 'status' } as const;
    return patch ? this.#parts.client.resource(persistentvolumeclaims).patch({ name, namespace }, patch, options) : claim;
  }
}
