import type { Container, Pod, Volume } from '../../../src/api/kinds/core-v1.ts';

const MIRROR = 'kubernetes.io/config.mirror';

/** What a pod needs to read through its kubelet, each as `resource/name`. pkg/api/v1/pod.VisitPodSecretNames, VisitPodConfigmapNames */
export function referencesOf(pod: Pod): ReadonlySet<string> {
  const { spec } = pod;
  const found = new Set<string>();
  // What a kubelet has made up itself leads nowhere.
  if (!spec || pod.metadata.annotations?.[MIRROR] !== undefined) return found;
  for (const { name } of spec.imagePullSecrets ?? []) if (name) found.add(`secrets/${name}`);
  for (const container of [...(spec.initContainers ?? []), ...spec.containers, ...((spec.ephemeralContainers ?? []) as Container[])])
    visitContainer(container, found);
  for (const volume of spec.volumes ?? []) visitVolume(volume, { pod, found });
  found.add(`serviceaccounts/${spec.serviceAccountName ?? 'default'}`);
  for (const { name, resourceClaimName } of spec.resourceClaims ?? []) found.add(`resourceclaims/${resourceClaimName ?? name}`);
  for (const { resourceClaimName } of pod.status?.resourceClaimStatuses ?? [])
    if (resourceClaimName) found.add(`resourceclaims/${resourceClaimName}`);
  return found;
}

function visitContainer(container: Container, found: Set<string>): void {
  for (const { secretRef, configMapRef } of container.envFrom ?? []) {
    if (secretRef?.name) found.add(`secrets/${secretRef.name}`);
    if (configMapRef?.name) found.add(`configmaps/${configMapRef.name}`);
  }
  for (const { valueFrom } of container.env ?? []) {
    if (valueFrom?.secretKeyRef?.name) found.add(`secrets/${valueFrom.secretKeyRef.name}`);
    if (valueFrom?.configMapKeyRef?.name) found.add(`configmaps/${valueFrom.configMapKeyRef.name}`);
  }
}

function visitVolume(volume: Volume, { pod, found }: { pod: Pod; found: Set<string> }): void {
  const secrets = [
    volume.secret?.secretName,
    volume.azureFile?.secretName,
    volume.cephfs?.secretRef?.name,
    volume.cinder?.secretRef?.name,
    volume.flexVolume?.secretRef?.name,
    volume.rbd?.secretRef?.name,
    volume.scaleIO?.secretRef?.name,
    volume.iscsi?.secretRef?.name,
    volume.storageos?.secretRef?.name,
    volume.csi?.nodePublishSecretRef?.name,
    ...(volume.projected?.sources ?? []).map(({ secret }) => secret?.name),
  ];
  for (const name of secrets) if (name) found.add(`secrets/${name}`);
  for (const name of [volume.configMap?.name, ...(volume.projected?.sources ?? []).map(({ configMap }) => configMap?.name)])
    if (name) found.add(`configmaps/${name}`);
  if (volume.persistentVolumeClaim) found.add(`persistentvolumeclaims/${volume.persistentVolumeClaim.claimName}`);
  if (volume.ephemeral) found.add(`persistentvolumeclaims/${pod.metadata.name}-${volume.name}`);
}
