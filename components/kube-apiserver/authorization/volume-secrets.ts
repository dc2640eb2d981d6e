import type { PersistentVolume, SecretReference } from '../../../src/api/kinds/core-v1.ts';

/** Secrets that a kubelet needs for a volume, each as `namespace/name`. pkg/api/v1/persistentvolume.VisitPVSecretNames, as far as kubelets see them */
export function secretsOfVolume({ spec }: PersistentVolume): readonly string[] {
  const home = spec?.claimRef?.namespace ?? '';
  const references: readonly (SecretReference | undefined)[] = [
    spec?.azureFile && { name: spec.azureFile.secretName, namespace: spec.azureFile.secretNamespace || home },
    spec?.cephfs?.secretRef,
    spec?.cinder?.secretRef,
    spec?.flexVolume?.secretRef,
    spec?.rbd?.secretRef,
    spec?.scaleIO?.secretRef,
    spec?.iscsi?.secretRef,
    spec?.storageos?.secretRef,
    spec?.csi?.nodeStageSecretRef,
    spec?.csi?.nodePublishSecretRef,
    spec?.csi?.nodeExpandSecretRef,
  ];
  return references.flatMap((reference) => (reference?.name ? [`${reference.namespace || home}/${reference.name}`] : []));
}
