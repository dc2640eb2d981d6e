import type { PersistentVolumeClaimSpec, PersistentVolumeSpec, Volume } from '../../../../src/api/kinds/core-v1.ts';

const DEFAULT_MODE = 0o644;

/** kubernetes pkg/apis/core/v1 SetDefaults_Volume and the defaults of each source. */
export function setDefaultsVolume(volume: Volume): void {
  if (!hasSource(volume)) volume.emptyDir = {};
  if (volume.secret) volume.secret.defaultMode ??= DEFAULT_MODE;
  if (volume.configMap) volume.configMap.defaultMode ??= DEFAULT_MODE;
  if (volume.downwardAPI) {
    volume.downwardAPI.defaultMode ??= DEFAULT_MODE;
    for (const { fieldRef, resourceFieldRef } of volume.downwardAPI.items ?? []) defaultItem(fieldRef, resourceFieldRef);
  }
  if (volume.projected) {
    volume.projected.defaultMode ??= DEFAULT_MODE;
    if (volume.projected.sources?.length === 0) delete volume.projected.sources;
    for (const source of volume.projected.sources ?? []) {
      if (source.serviceAccountToken) source.serviceAccountToken.expirationSeconds ??= 3600;
      for (const { fieldRef, resourceFieldRef } of source.downwardAPI?.items ?? []) defaultItem(fieldRef, resourceFieldRef);
    }
  }
  if (volume.hostPath) volume.hostPath.type ??= '';
  if (volume.ephemeral?.volumeClaimTemplate) setDefaultsClaimSpec(volume.ephemeral.volumeClaimTemplate.spec);
  if (volume.image) volume.image.pullPolicy ??= pullPolicyOf(volume.image.reference ?? '');
  defaultNetworkVolume(volume);
}

function pullPolicyOf(image: string): string {
  if (image.includes('@')) return 'IfNotPresent';
  const tag = /:([^/:]+)$/.exec(image)?.[1];
  return tag === undefined || tag === 'latest' ? 'Always' : 'IfNotPresent';
}

/** kubernetes pkg/apis/core/v1 SetDefaults_PersistentVolumeClaimSpec */
export function setDefaultsClaimSpec(spec: PersistentVolumeClaimSpec): void {
  spec.volumeMode ??= 'Filesystem';
  if (spec.dataSource && !spec.dataSourceRef) spec.dataSourceRef = { ...spec.dataSource };
  else if (spec.dataSourceRef && !spec.dataSource && !spec.dataSourceRef.namespace) spec.dataSource = { ...spec.dataSourceRef };
}

type NetworkSources = Pick<Volume & PersistentVolumeSpec, 'iscsi' | 'rbd' | 'azureDisk' | 'scaleIO'>;

/** Defaults that volumes of pods and PersistentVolumes share. */
export function defaultNetworkVolume(source: NetworkSources): void {
  if (source.iscsi) source.iscsi.iscsiInterface ??= 'default';
  if (source.rbd) {
    source.rbd.pool ??= 'rbd';
    source.rbd.user ??= 'admin';
    source.rbd.keyring ??= '/etc/ceph/keyring';
  }
  if (source.azureDisk) {
    source.azureDisk.cachingMode ??= 'ReadWrite';
    source.azureDisk.kind ??= 'Shared';
    source.azureDisk.fsType ??= 'ext4';
    source.azureDisk.readOnly ??= false;
  }
  if (source.scaleIO) {
    source.scaleIO.storageMode ??= 'ThinProvisioned';
    source.scaleIO.fsType ??= 'xfs';
  }
}

function hasSource(volume: Volume): boolean {
  for (const key in volume) if (key !== 'name') return true;
  return false;
}

function defaultItem(fieldRef: { apiVersion?: string } | undefined, resourceFieldRef: { divisor?: string } | undefined): void {
  if (fieldRef) fieldRef.apiVersion ??= 'v1';
  if (resourceFieldRef) resourceFieldRef.divisor ??= '0';
}
