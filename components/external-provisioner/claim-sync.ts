import { type CreateVolumeRequest, type CsiVolume, volumeCapabilityOf } from '../../src/api/csi.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../src/api/kinds/core-v1.ts';
import type { StorageClass } from '../../src/api/kinds/storage-v1.ts';
import { newQuantity, parseQuantity } from '../../src/api/quantity.ts';
import { persistentvolumeclaims, persistentvolumes, storageclasses } from '../../src/api/resources.ts';
import { isAlreadyExists } from '../../src/api/status-error.ts';
import { getReference } from '../../src/client/object-reference.ts';
import { callRpc } from '../../src/client/rpc.ts';
import { FINALIZER, PROVISIONED_BY } from './annotations.ts';
import { contentSourceOf, dataSourceOf, isForPopulator } from './data-source.ts';
import type { ProvisionerParts } from './server.ts';
import { accessibilityRequirements, nodeAffinityOf } from './topology.ts';

const STORAGE_PROVISIONER = ['volume.kubernetes.io/storage-provisioner', 'volume.beta.kubernetes.io/storage-provisioner'];
const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
/** Parameters of a class that are for the sidecars, not for the driver. */
const RESERVED = 'csi.storage.k8s.io/';
const FS_TYPE = `${RESERVED}fstype`;

/** Makes the volumes that claims ask for. */
export class ClaimSync {
  readonly #parts: ProvisionerParts;
  readonly #identity: string;

  /** @param identity says in each volume which process made it */
  constructor(parts: ProvisionerParts, identity: string) {
    this.#parts = parts;
    this.#identity = identity;
  }

  /** ProvisionController syncClaim */
  async syncClaim(key: string): Promise<void> {
    const { informers } = this.#parts;
    const claim = informers.forResource(persistentvolumeclaims).store.get(key);
    const storageClass = informers.forResource(storageclasses).store.get(claim?.spec?.storageClassName ?? '');
    if (claim && storageClass && this.#shouldProvision(claim, storageClass)) await this.#provisionClaim(claim, storageClass);
  }

  /** ProvisionController shouldProvision: the binder has said that it is ours, and where a pod must come first, the scheduler has said where to. */
  #shouldProvision({ metadata, spec }: PersistentVolumeClaim, { provisioner, volumeBindingMode }: StorageClass): boolean {
    const annotations = metadata.annotations ?? {};
    const isOurs = STORAGE_PROVISIONER.some((name) => annotations[name] === this.#parts.config.driver);
    if (spec?.volumeName || !isOurs || provisioner !== this.#parts.config.driver) return false;
    return volumeBindingMode !== 'WaitForFirstConsumer' || Boolean(annotations[SELECTED_NODE]);
  }

  /** ProvisionController provisionClaimOperation. @throws RpcError so that it is tried again */
  async #provisionClaim(claim: PersistentVolumeClaim, storageClass: StorageClass): Promise<void> {
    const { client, informers, recorder } = this.#parts;
    const name = `pvc-${claim.metadata.uid}`;
    if (informers.forResource(persistentvolumes).store.get(name)) return;
    const where = `${claim.metadata.namespace}/${claim.metadata.name}`;
    recorder.event(claim, 'Normal', 'Provisioning', `External provisioner is provisioning volume for claim "${where}"`);
    const dataSource = dataSourceOf(claim);
    if (dataSource && isForPopulator(dataSource)) {
      recorder.event(claim, 'Normal', 'Provisioning', 'Assuming an external populator will provision the volume');
      return;
    }
    let made: CsiVolume;
    try {
      const volumeContentSource = await contentSourceOf(client, claim, storageClass);
      const request = { ...this.#requestFor(name, claim, storageClass), ...(volumeContentSource ? { volumeContentSource } : {}) };
      made = await callRpc(this.#parts.actor, this.#parts.config.socket(), (driver) => driver.createVolume(request));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      recorder.event(
        claim,
        'Warning',
        'ProvisioningFailed',
        `failed to provision volume with StorageClass "${storageClass.metadata.name}": ${why}`,
      );
      throw error;
    }
    try {
      await client.resource(persistentvolumes).create(this.#volumeFor(claim, { name, made, storageClass }));
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    recorder.event(claim, 'Normal', 'ProvisioningSucceeded', `Successfully provisioned volume ${name}`);
  }

  #requestFor(name: string, claim: PersistentVolumeClaim, storageClass: StorageClass): CreateVolumeRequest {
    const parameters = Object.fromEntries(Object.entries(storageClass.parameters ?? {}).filter(([key]) => !key.startsWith(RESERVED)));
    const requirements = accessibilityRequirements(this.#parts, storageClass, claim.metadata.annotations?.[SELECTED_NODE]);
    return {
      name,
      capacityRange: { requiredBytes: String(parseQuantity(claim.spec?.resources?.requests?.['storage'] ?? '0').value()) },
      volumeCapabilities: [volumeCapabilityOf({ ...claim.spec, ...this.#mounting(storageClass) })],
      ...(Object.keys(parameters).length > 0 ? { parameters } : {}),
      ...(requirements ? { accessibilityRequirements: requirements } : {}),
    };
  }

  #mounting({ parameters, mountOptions }: StorageClass): { fsType: string; mountOptions?: readonly string[] } {
    const fsType = parameters?.[FS_TYPE] ?? this.#parts.config.defaultFsType ?? 'ext4';
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
