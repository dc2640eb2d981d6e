import type { PersistentVolume, PersistentVolumeClaim } from '../../../../src/api/kinds/core-v1.ts';
import type { ObjectMeta } from '../../../../src/api/kinds/meta-v1.ts';
import { csiNameOf } from '../csi-migration.ts';
import { updateClaim, updateVolume } from './bind.ts';
import type { BinderServices } from './binder-services.ts';
import { ANN_BETA_STORAGE_PROVISIONER, ANN_DYNAMICALLY_PROVISIONED, ANN_MIGRATED_TO, ANN_STORAGE_PROVISIONER } from './binding-facts.ts';

const IN_TREE = 'kubernetes.io/';
export const IN_TREE_FINALIZER = 'kubernetes.io/pv-controller';

/** Says on the claim which driver stands in for the one that it was written for. pv_controller.go updateClaimMigrationAnnotations */
export async function updateClaimMigrationAnnotations(
  services: BinderServices,
  claim: PersistentVolumeClaim,
): Promise<PersistentVolumeClaim> {
  const { annotations } = claim.metadata;
  const migrated = migratedAnnotations(annotations, annotations?.[ANN_STORAGE_PROVISIONER] ?? annotations?.[ANN_BETA_STORAGE_PROVISIONER]);
  return migrated ? updateClaim(services, { ...claim, metadata: { ...claim.metadata, annotations: migrated } }) : claim;
}

/** The same for a volume; one that a driver of the tree made stays until that has deleted it. pv_controller.go updateVolumeMigrationAnnotationsAndFinalizers */
export async function updateVolumeMigrationAnnotationsAndFinalizers(
  services: BinderServices,
  volume: PersistentVolume,
): Promise<PersistentVolume> {
  const provisioner = volume.metadata.annotations?.[ANN_DYNAMICALLY_PROVISIONED];
  const annotations = migratedAnnotations(volume.metadata.annotations, provisioner);
  const finalizers = deletionFinalizers(volume, provisioner);
  if (!annotations && !finalizers) return volume;
  const metadata = { ...volume.metadata, ...(annotations ? { annotations } : {}), ...(finalizers ? { finalizers } : {}) };
  return updateVolume(services, { ...volume, metadata });
}

/** Undefined when they are right. pv_controller.go updateMigrationAnnotations */
function migratedAnnotations(annotations: ObjectMeta['annotations'], provisioner: string | undefined): ObjectMeta['annotations'] {
  if (provisioner === undefined) return undefined;
  const driver = csiNameOf(provisioner);
  const { [ANN_MIGRATED_TO]: before, ...others } = annotations ?? {};
  if (before === driver) return undefined;
  return driver ? { ...others, [ANN_MIGRATED_TO]: driver } : others;
}

/** Undefined when they are right. pv_controller.go modifyDeletionFinalizers */
function deletionFinalizers({ metadata, spec }: PersistentVolume, provisioner: string | undefined): string[] | undefined {
  if (!provisioner?.startsWith(IN_TREE)) return undefined;
  const finalizers = metadata.finalizers ?? [];
  const policy = spec?.persistentVolumeReclaimPolicy;
  const isKept = !csiNameOf(provisioner) && policy === 'Delete';
  if (finalizers.includes(IN_TREE_FINALIZER) === isKept) return undefined;
  return isKept ? [...finalizers, IN_TREE_FINALIZER] : finalizers.filter((name) => name !== IN_TREE_FINALIZER);
}
