import { sha256 } from '@noble/hashes/sha2.js';
import type { PersistentVolume } from './kinds/core-v1.ts';

/** How node statuses name a volume of a CSI driver: pkg/volume/util GetUniqueVolumeName */
export function uniqueVolumeName({ spec }: PersistentVolume): string {
  return `kubernetes.io/csi/${spec?.csi?.driver}^${spec?.csi?.volumeHandle}`;
}

/** pkg/volume/csi/csi_attacher.go getAttachmentName */
export function attachmentName({ spec }: PersistentVolume, nodeName: string): string {
  const { driver = '', volumeHandle = '' } = spec?.csi ?? {};
  return `csi-${sha256Hex(`${volumeHandle}${driver}${nodeName}`)}`;
}

/** Where a volume is staged on a node: pkg/volume/csi/csi_attacher.go makeDeviceMountPath */
export function deviceMountPath({ spec }: PersistentVolume): string {
  const { driver = '', volumeHandle = '' } = spec?.csi ?? {};
  return `/var/lib/kubelet/plugins/kubernetes.io/csi/${driver}/${sha256Hex(volumeHandle)}/globalmount`;
}

function sha256Hex(text: string): string {
  return Array.from(sha256(new TextEncoder().encode(text)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
