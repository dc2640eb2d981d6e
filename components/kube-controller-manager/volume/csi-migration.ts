import type { PersistentVolume } from '../../../src/api/kinds/core-v1.ts';

/** Drivers that were part of Kubernetes once, by their names then: csi-translation-lib. */
const CSI_NAMES: Readonly<Record<string, string>> = {
  'kubernetes.io/aws-ebs': 'ebs.csi.aws.com',
  'kubernetes.io/azure-disk': 'disk.csi.azure.com',
  'kubernetes.io/azure-file': 'file.csi.azure.com',
  'kubernetes.io/cinder': 'cinder.csi.openstack.org',
  'kubernetes.io/gce-pd': 'pd.csi.storage.gke.io',
  'kubernetes.io/portworx-volume': 'pxd.portworx.com',
  'kubernetes.io/vsphere-volume': 'csi.vsphere.vmware.com',
};

/** The same by the field of a volume that describes it. */
const PLUGINS_BY_SOURCE = {
  awsElasticBlockStore: 'kubernetes.io/aws-ebs',
  azureDisk: 'kubernetes.io/azure-disk',
  azureFile: 'kubernetes.io/azure-file',
  cinder: 'kubernetes.io/cinder',
  gcePersistentDisk: 'kubernetes.io/gce-pd',
  portworxVolume: 'kubernetes.io/portworx-volume',
  vsphereVolume: 'kubernetes.io/vsphere-volume',
} as const satisfies Partial<Record<keyof NonNullable<PersistentVolume['spec']>, string>>;

/** Who does now what the driver of the tree did; undefined for other drivers. csi-translation-lib GetCSINameFromInTreeName */
export function csiNameOf(inTreeName: string | undefined): string | undefined {
  return inTreeName === undefined ? undefined : CSI_NAMES[inTreeName];
}

/** The driver of the tree for which the volume was written. csi-translation-lib GetInTreePluginNameFromSpec */
export function inTreePluginOf({ spec }: PersistentVolume): string | undefined {
  const sources = Object.keys(PLUGINS_BY_SOURCE) as (keyof typeof PLUGINS_BY_SOURCE)[];
  const source = sources.find((name) => spec?.[name] !== undefined);
  return source && PLUGINS_BY_SOURCE[source];
}
