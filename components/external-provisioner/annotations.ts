/** sig-storage-lib-external-provisioner controller annDynamicallyProvisioned: which driver made a volume. */
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';

/** sig-storage-lib-external-provisioner controller finalizerPV: the volume object stays until what it stands for is deleted. */
export const FINALIZER = 'external-provisioner.volume.kubernetes.io/finalizer';
