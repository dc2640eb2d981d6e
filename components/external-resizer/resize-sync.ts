import { volumeCapabilityOf } from '../../src/api/csi.ts';
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimCondition,
  PersistentVolumeClaimStatus,
} from '../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../src/api/object.ts';
import { newQuantity, parseQuantity } from '../../src/api/quantity.ts';
import { persistentvolumeclaims, persistentvolumes } from '../../src/api/resources.ts';
import { RpcError } from '../../src/api/rpc-error.ts';
import { schemaOf } from '../../src/api/schema.ts';
import { formatTime } from '../../src/api/time.ts';
import { createTwoWayMergePatch } from '../../src/api/two-way-merge-patch.ts';
import type { Client } from '../../src/client/client.ts';
import type { EventRecorder } from '../../src/client/event-recorder.ts';
import type { Indexer } from '../../src/client/indexer.ts';
import { callRpc } from '../../src/client/rpc.ts';
import type { Actor } from '../../src/sim/actor.ts';
import type { ExternalResizerConfig } from './server.ts';

const WAITING_FOR_NODE = 'Waiting for user to (re-)start a pod to finish file system resize of volume on node.';
/** external-resizer pkg/util IsInfeasibleError: trying again with the same size is of no use. */
const INFEASIBLE = new Set(['InvalidArgument', 'OutOfRange', 'NotFound']);

/** The rest is the kubelet's. */
const ON_NODE = new Set(['NodeResizePending', 'NodeResizeInProgress', 'NodeResizeInfeasible']);

interface Parts {
  readonly actor: Actor;
  readonly client: Client;
  readonly config: ExternalResizerConfig;
  readonly recorder: EventRecorder;
  readonly claims: Indexer<PersistentVolumeClaim>;
  readonly volumes: Indexer<PersistentVolume>;
}

/** Expands what claims ask more of than they have: external-resizer pkg/controller expandAndRecover. */
export class ResizeSync {
  readonly #parts: Parts;
  readonly #written = new Map<string, PersistentVolumeClaim>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** external-resizer pkg/controller syncPVC */
  async syncClaim(key: string): Promise<void> {
    const claim = this.#claim(key);
    const volume = this.#parts.volumes.get(claim?.spec?.volumeName ?? '');
    if (!claim || !volume || claim.status?.phase !== 'Bound' || volume.spec?.csi?.driver !== this.#parts.config.driver) return;
    const wanted = storage(claim.spec?.resources?.requests);
    const { capacity, allocatedResources, allocatedResourceStatuses } = claim.status;
    // A volume that is big enough already may be so since the last try ended half-way: the claim says how far it came.
    const isForNode = ON_NODE.has(allocatedResourceStatuses?.['storage'] ?? '') && storage(allocatedResources) >= wanted;
    if (wanted <= storage(capacity) || isForNode || volume.spec.claimRef?.uid !== claim.metadata.uid) return;
    await this.#expand(claim, volume, wanted);
  }

  /** What was written last, where the cache does not know that yet: resizeController keeps it in its cache, too. */
  #claim(key: string): PersistentVolumeClaim | undefined {
    const [cached, written] = [this.#parts.claims.get(key), this.#written.get(key)];
    if (cached && written && written.metadata.uid === cached.metadata.uid && revisionOf(written) > revisionOf(cached)) return written;
    this.#written.delete(key);
    return cached;
  }

  async #expand(claim: PersistentVolumeClaim, volume: PersistentVolume, wanted: number): Promise<void> {
    const { actor, config, client, recorder } = this.#parts;
    const size = newQuantity(wanted, 'BinarySI').toString();
    const started = await this.#write(claim, {
      ...claim.status,
      conditions: this.#withCondition(claim, { type: 'Resizing', status: 'True' }),
      allocatedResources: { ...claim.status?.allocatedResources, storage: size },
      allocatedResourceStatuses: { ...claim.status?.allocatedResourceStatuses, storage: 'ControllerResizeInProgress' },
    });
    const { name = '' } = volume.metadata;
    recorder.event(claim, 'Normal', 'Resizing', `External resizer is resizing volume ${name}`);
    const { csi, accessModes = [], volumeMode = 'Filesystem' } = volume.spec ?? {};
    const request = {
      volumeId: csi?.volumeHandle ?? '',
      capacityRange: { requiredBytes: String(wanted) },
      volumeCapability: volumeCapabilityOf({ accessModes, volumeMode, ...(csi?.fsType ? { fsType: csi.fsType } : {}) }),
    };
    try {
      const { capacityBytes, nodeExpansionRequired } = await callRpc(actor, config.socket(), (driver) =>
        driver.controllerExpandVolume(request),
      );
      const capacity = { storage: newQuantity(Number(capacityBytes), 'BinarySI').toString() };
      await client.resource(persistentvolumes).patch({ name }, { spec: { capacity } }, { type: 'strategic' });
      await (nodeExpansionRequired ? this.#waitForNode(started) : this.#finish(started, capacity));
    } catch (error) {
      await this.#fail(started, error, name);
    }
  }

  /** external-resizer pkg/controller markForPendingNodeExpansion */
  async #waitForNode(claim: PersistentVolumeClaim): Promise<void> {
    await this.#write(claim, {
      ...claim.status,
      conditions: this.#withCondition(claim, { type: 'FileSystemResizePending', status: 'True', message: WAITING_FOR_NODE }),
      allocatedResourceStatuses: { ...claim.status?.allocatedResourceStatuses, storage: 'NodeResizePending' },
    });
    this.#parts.recorder.event(claim, 'Normal', 'FileSystemResizeRequired', 'Require file system resize of volume on node');
  }

  /** external-resizer pkg/controller markOverallExpansionAsFinished */
  async #finish(claim: PersistentVolumeClaim, capacity: { readonly storage: string }): Promise<void> {
    const { allocatedResourceStatuses: _, conditions: __, ...status } = claim.status ?? {};
    await this.#write(claim, { ...status, capacity: { ...status.capacity, ...capacity } });
    this.#parts.recorder.event(claim, 'Normal', 'VolumeResizeSuccessful', 'Resize volume succeeded');
  }

  async #fail(claim: PersistentVolumeClaim, error: unknown, volume: string): Promise<never> {
    const why = error instanceof Error ? error.message : String(error);
    const text = `resize volume "${volume}" by resizer "${this.#parts.config.driver}" failed: ${why}`;
    this.#parts.recorder.event(claim, 'Warning', 'VolumeResizeFailed', text);
    if (error instanceof RpcError && INFEASIBLE.has(error.code)) {
      const allocatedResourceStatuses = { ...claim.status?.allocatedResourceStatuses, storage: 'ControllerResizeInfeasible' };
      await this.#write(claim, { ...claim.status, allocatedResourceStatuses });
    }
    throw error;
  }

  #withCondition(claim: PersistentVolumeClaim, condition: PersistentVolumeClaimCondition): PersistentVolumeClaimCondition[] {
    const before = claim.status?.conditions ?? [];
    if (before.some(({ type, status }) => type === condition.type && status === condition.status)) return [...before];
    const dated = { ...condition, lastTransitionTime: formatTime(this.#parts.actor.simulation.wallTime) };
    return [...before.filter(({ type }) => type !== condition.type), dated];
  }

  /** external-resizer pkg/util PatchClaim: what differs of the status. */
  async #write(claim: PersistentVolumeClaim, status: PersistentVolumeClaimStatus): Promise<PersistentVolumeClaim> {
    const patch = createTwoWayMergePatch({ status: claim.status ?? {} }, { status }, schemaOf('core.v1.PersistentVolumeClaim'));
    if (!patch) return claim;
    const { name = '', namespace = '', resourceVersion } = claim.metadata;
    const options = { type: 'strategic', subresource: 'status' } as const;
    const written = await this.#parts.client
      .resource(persistentvolumeclaims)
      .patch({ name, namespace }, { metadata: { resourceVersion }, ...patch }, options);
    this.#written.set(keyOf(written), written);
    return written;
  }
}

function revisionOf({ metadata }: PersistentVolumeClaim): number {
  return Number(metadata.resourceVersion);
}

function storage(resources: Readonly<Record<string, string>> | undefined): number {
  return parseQuantity(resources?.['storage'] ?? '0').value();
}
