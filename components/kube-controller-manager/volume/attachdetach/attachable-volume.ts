import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '../../../../src/api/kinds/core-v1.ts';
import type { CSIDriver } from '../../../../src/api/kinds/storage-v1.ts';

const MANAGED = 'volumes.kubernetes.io/controller-managed-attach-detach';
const KEEP_TERMINATED = 'volumes.kubernetes.io/keep-terminated-pod-volumes';
const SINGLE_NODE = new Set(['ReadWriteOnce', 'ReadWriteOncePod']);

/** Whether the driver of the volume has to be told on which node it is wanted: pkg/volume/csi/csi_plugin.go CanAttach */
export function isAttachable({ spec }: PersistentVolume, driverByName: (name: string) => CSIDriver | undefined): boolean {
  return spec?.csi !== undefined && driverByName(spec.csi.driver)?.spec.attachRequired !== false;
}

/** Only one node at a time can have it: pkg/volume/util IsMultiAttachAllowed */
export function isSingleNode({ spec }: PersistentVolume): boolean {
  const modes = spec?.accessModes ?? [];
  return modes.length > 0 && modes.every((mode) => SINGLE_NODE.has(mode));
}

/** Whether the pod wants its volumes on its node: pkg/controller/volume/attachdetach/util DetermineVolumeAction */
export function wantsVolumes({ spec, status }: Pod, node: Node | undefined): boolean {
  if (!spec?.nodeName || node?.metadata.annotations?.[MANAGED] !== 'true') return false;
  const isOver = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  return !isOver || node.metadata.annotations[KEEP_TERMINATED] === 'true';
}

/** Whether claim and volume mean each other. */
export function areBound(claim: PersistentVolumeClaim | undefined, volume: PersistentVolume | undefined): boolean {
  return claim?.status?.phase === 'Bound' && volume !== undefined && volume.spec?.claimRef?.uid === claim.metadata.uid;
}
