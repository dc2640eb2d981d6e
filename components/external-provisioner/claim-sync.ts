import { type CreateVolumeRequest, type CsiVolume, volumeCapabilityOf } from '../../src/api/csi.ts';
import type { Node, PersistentVolume, PersistentVolumeClaim } from '../../src/api/kinds/core-v1.ts';
import type { StorageClass } from '../../src/api/kinds/storage-v1.ts';
import { newQuantity, parseQuantity } from '../../src/api/quantity.ts';
import { nodes, persistentvolumeclaims, persistentvolumes, storageclasses } from '../../src/api/resources.ts';
import { type RpcCode, RpcError } from '../../src/api/rpc-error.ts';
import { isAlreadyExists } from '../../src/api/status-error.ts';
import { getReference } from '../../src/client/object-reference.ts';
import { callRpc } from '../../src/client/rpc.ts';
import { FINALIZER, PROVISIONED_BY } from './annotations.ts';
import { classParameters } from './class-parameters.ts';
import { contentSourceOf, dataSourceOf, isForPopulator } from './data-source.ts';
import type { ProvisionerParts } from './server.ts';
import { accessibilityRequirements, knowsTopology, nodeAffinityOf } from './topology.ts';

const STORAGE_PROVISIONER = ['volume.kubernetes.io/storage-provisioner', 'volume.beta.kubernetes.io/storage-provisioner'];
const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
/** After these the driver may still be at it: external-provisioner pkg/controller checkError */
const IN_BACKGROUND = new Set<RpcCode>(['Canceled', 'DeadlineExceeded', 'Unavailable', 'Aborted', 'ResourceExhausted']);
/** The index of claims by which the queue's keys find them. */
export const BY_UID = 'uid';

class ProvisionProblem extends Error {
  override name = 'ProvisionProblem';
}

/** Makes the volumes that claims ask for. */
export class ClaimSync {
  readonly #parts: ProvisionerParts;
  readonly #identity: string;
  /** ProvisionController claimsInProgress: what the driver may be at is gone on with, also when the claim has gone, so that no volume is forgotten. */
  readonly #inProgress = new Map<string, PersistentVolumeClaim>();

  /** @param identity says in each volume which process made it */
  constructor(parts: ProvisionerParts, identity: string) {
    this.#parts = parts;
    this.#identity = identity;
  }

  /** ProvisionController syncClaimHandler, syncClaim. @param uid the claim's */
  async syncClaim(uid: string): Promise<void> {
    const [claim = this.#inProgress.get(uid)] = this.#parts.informers.forResource(persistentvolumeclaims).store.byIndex(BY_UID, uid);
    const storageClass = claim && this.#classToProvision(claim);
    if (storageClass) await this.#provisionClaim(claim, storageClass);
    this.#inProgress.delete(uid);
  }

  /**
   * ProvisionController shouldProvision: the binder has said that it is ours, and where a pod must come first, the scheduler has said where to.
   * @throws ProvisionProblem so that it is tried again while there is no such class
   */
  #classToProvision({ metadata, spec }: PersistentVolumeClaim): StorageClass | undefined {
    const { driver } = this.#parts.config;
    const { annotations = {} } = metadata;
    const isOurs = STORAGE_PROVISIONER.some((name) => annotations[name] === driver);
    if (spec?.volumeName || !isOurs) return undefined;
    const name = spec?.storageClassName ?? '';
    const storageClass = this.#parts.informers.forResource(storageclasses).store.get(name);
    if (!storageClass) throw new ProvisionProblem(`storageClass "${name}" not found`);
    if (storageClass.provisioner !== driver) return undefined;
    return storageClass.volumeBindingMode === 'WaitForFirstConsumer' && !annotations[SELECTED_NODE] ? undefined : storageClass;
  }

  /** ProvisionController provisionClaimOperation. @throws RpcError so that it is tried again */
  async #provisionClaim(claim: PersistentVolumeClaim, storageClass: StorageClass): Promise<void> {
    const { client, informers, recorder, config, actor } = this.#parts;
    const { uid = '', name: claimName, namespace, annotations } = claim.metadata;
    const name = `pvc-${uid}`;
    if (informers.forResource(persistentvolumes).store.get(name)) return;
    const nodeName = annotations?.[SELECTED_NODE];
    const selectedNode = nodeName ? informers.forResource(nodes).store.get(nodeName) : undefined;
    if (nodeName && !selectedNode) {
      recorder.event(claim, 'Warning', 'ProvisioningFailed', `node "${nodeName}" not found`);
      return this.#rescheduleProvisioning(claim);
    }
    const message = `External provisioner is provisioning volume for claim "${namespace}/${claimName}"`;
    recorder.event(claim, 'Normal', 'Provisioning', message);
    const dataSource = dataSourceOf(claim);
    if (dataSource && isForPopulator(dataSource)) {
      recorder.event(claim, 'Normal', 'Provisioning', 'Assuming an external populator will provision the volume');
      return;
    }
    let made: CsiVolume;
    try {
      const request = await this.#prepareProvision(claim, storageClass, selectedNode);
      made = await callRpc(actor, config.socket(), (driver) => driver.createVolume(request));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const text = `failed to provision volume with StorageClass "${storageClass.metadata.name}": ${why}`;
      recorder.event(claim, 'Warning', 'ProvisioningFailed', text);
      const code = error instanceof RpcError ? error.code : undefined;
      // Where the node is full, another one may do.
      if (code === 'ResourceExhausted' && selectedNode && this.#knowsTopology) return this.#rescheduleProvisioning(claim);
      if (code && IN_BACKGROUND.has(code)) this.#inProgress.set(uid, claim);
      else if (code) this.#inProgress.delete(uid);
      throw error;
    }
    try {
      await client.resource(persistentvolumes).create(this.#volumeFor(claim, { name, made, storageClass }));
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    recorder.event(claim, 'Normal', 'ProvisioningSucceeded', `Successfully provisioned volume ${name}`);
  }

  get #knowsTopology(): boolean {
    return knowsTopology(this.#parts.config.socket()?.service);
  }

  /** ProvisionController rescheduleProvisioning: the scheduler is to choose another node. */
  async #rescheduleProvisioning(claim: PersistentVolumeClaim): Promise<void> {
    const { [SELECTED_NODE]: _, ...annotations } = claim.metadata.annotations ?? {};
    await this.#parts.client.resource(persistentvolumeclaims).update({ ...claim, metadata: { ...claim.metadata, annotations } });
  }

  /** csiProvisioner prepareProvision. @throws why the driver is not even asked */
  async #prepareProvision(
    claim: PersistentVolumeClaim,
    storageClass: StorageClass,
    selectedNode: Node | undefined,
  ): Promise<CreateVolumeRequest> {
    const { spec, metadata } = claim;
    if (spec?.selector) throw new ProvisionProblem('claim Selector is not supported');
    const { forDriver } = classParameters(storageClass);
    const volumeContentSource = await contentSourceOf(this.#parts.client, claim, storageClass);
    const place = { storageClass, claim: metadata.name ?? '', selectedNode };
    const requirements = accessibilityRequirements(this.#parts, place);
    const usage = { ...(spec?.volumeMode ? { volumeMode: spec.volumeMode } : {}), ...this.#mounting(storageClass) };
    return {
      name: `pvc-${metadata.uid}`,
      capacityRange: { requiredBytes: String(parseQuantity(spec?.resources?.requests?.['storage'] ?? '0').value()) },
      volumeCapabilities: (spec?.accessModes ?? []).map((mode) => volumeCapabilityOf({ ...usage, accessModes: [mode] })),
      ...(Object.keys(forDriver).length > 0 ? { parameters: forDriver } : {}),
      ...(volumeContentSource ? { volumeContentSource } : {}),
      ...(requirements ? { accessibilityRequirements: requirements } : {}),
    };
  }

  #mounting(storageClass: StorageClass): { fsType: string; mountOptions?: readonly string[] } {
    const { fsType = this.#parts.config.defaultFsType ?? 'ext4' } = classParameters(storageClass);
    const { mountOptions } = storageClass;
    return { fsType, ...(mountOptions ? { mountOptions } : {}) };
  }

  /** csiProvisioner Provision, the object; ProvisionController adds the claim, the annotation and the finalizer. */
  #volumeFor(
    claim: PersistentVolumeClaim,
    { name, made, storageClass }: { readonly name: string; readonly made: CsiVolume; readonly storageClass: StorageClass },
  ): PersistentVolume {
    const { driver } = this.#parts.config;
    const isBlock = claim.spec?.volumeMode === 'Block';
    const nodeAffinity = nodeAffinityOf(made.accessibleTopology);
    return {
      metadata: {
        name,
        annotations: {
          [PROVISIONED_BY]: driver,
          'volume.kubernetes.io/provisioner-deletion-secret-name': '',
          'volume.kubernetes.io/provisioner-deletion-secret-namespace': '',
        },
        finalizers: [FINALIZER],
      },
      spec: {
        accessModes: claim.spec?.accessModes ?? [],
        capacity: { storage: newQuantity(Number(made.capacityBytes), 'BinarySI').toString() },
        claimRef: getReference(claim),
        persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? 'Delete',
        storageClassName: storageClass.metadata.name ?? '',
        volumeMode: claim.spec?.volumeMode ?? 'Filesystem',
        ...(storageClass.mountOptions ? { mountOptions: storageClass.mountOptions } : {}),
        ...(nodeAffinity ? { nodeAffinity } : {}),
        csi: {
          driver,
          volumeHandle: made.volumeId,
          ...(isBlock ? {} : { fsType: this.#mounting(storageClass).fsType }),
          volumeAttributes: { ...made.volumeContext, 'storage.kubernetes.io/csiProvisionerIdentity': this.#identity },
        },
      },
    };
  }
}
