import type { PersistentVolumeClaim } from '../../../../src/api/kinds/core-v1.ts';
import type { StorageClass } from '../../../../src/api/kinds/storage-v1.ts';
import { keyOf } from '../../../../src/api/object.ts';
import { SyncError } from '../../controller/sync-error.ts';
import { csiNameOf } from '../csi-migration.ts';
import { updateClaim } from './bind.ts';
import type { BinderServices } from './binder-services.ts';
import { ANN_BETA_STORAGE_PROVISIONER, ANN_STORAGE_PROVISIONER, classOf, withAnnotations } from './binding-facts.ts';

const IN_TREE = 'kubernetes.io/';

/** Asks the class' provisioner for a volume. pv_controller.go provisionClaim */
export async function provisionClaim(services: BinderServices, claim: PersistentVolumeClaim): Promise<void> {
  const className = classOf(claim);
  const storageClass = services.classLister.get(className);
  const why = whyNotProvisionable(className, storageClass);
  if (why !== undefined || !storageClass) {
    services.recorder.event(claim, 'Warning', 'ProvisioningFailed', why ?? '');
    throw new SyncError(why ?? '');
  }
  const name = `provision-${keyOf(claim)}[${claim.metadata.uid}]`;
  services.operations.start(name, () => provisionClaimOperationExternal(services, claim, storageClass));
}

/** None of the drivers that are still in the tree makes volumes. pv_controller.go findProvisionablePlugin */
function whyNotProvisionable(name: string, storageClass: StorageClass | undefined): string | undefined {
  if (!storageClass) return `storageclass.storage.k8s.io "${name}" not found`;
  const { provisioner } = storageClass;
  if (!provisioner.startsWith(IN_TREE) || csiNameOf(provisioner)) return undefined;
  return `no volume plugin matched name: ${provisioner}`;
}

/** pv_controller.go provisionClaimOperationExternal */
async function provisionClaimOperationExternal(
  services: BinderServices,
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
): Promise<void> {
  const provisioner = csiNameOf(storageClass.provisioner) ?? storageClass.provisioner;
  const updated = await setClaimProvisioner(services, claim, provisioner);
  const message =
    `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. ` +
    'If volume creation is delayed, please verify that the provisioner is running and correctly registered.';
  services.recorder.event(updated, 'Normal', 'ExternalProvisioning', message);
}

/** pv_controller.go setClaimProvisioner */
async function setClaimProvisioner(services: BinderServices, claim: PersistentVolumeClaim, name: string): Promise<PersistentVolumeClaim> {
  if (claim.metadata.annotations?.[ANN_STORAGE_PROVISIONER] === name) return claim;
  return updateClaim(services, withAnnotations(claim, { [ANN_STORAGE_PROVISIONER]: name, [ANN_BETA_STORAGE_PROVISIONER]: name }));
}
