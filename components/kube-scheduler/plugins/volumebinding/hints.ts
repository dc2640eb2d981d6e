import { deepEqual } from '../../../../src/api/deep-equal.ts';
import type { Pod } from '../../../../src/api/kinds/core-v1.ts';
import type { CSIDriver, CSIStorageCapacity, StorageClass } from '../../../../src/api/kinds/storage-v1.ts';
import { ActionType, type ClusterEventWithHint } from '../../framework/events.ts';
import { podInfoOf } from '../../framework/pod-info.ts';
import { amountOf } from '../../framework/resource.ts';

/** What may help a pod that waits for volumes: VolumeBinding.EventsToRegister and its hints. */
export function volumeBindingEvents(): readonly ClusterEventWithHint[] {
  const { Add, Update, UpdateNodeLabel } = ActionType;
  return [
    {
      event: { resource: 'StorageClass', actionType: Add | Update },
      hint: (_pod, before, after) =>
        !before ||
        !deepEqual((before as StorageClass).allowedTopologies ?? [], (after as StorageClass | undefined)?.allowedTopologies ?? []),
    },
    {
      event: { resource: 'PersistentVolumeClaim', actionType: Add | Update },
      hint: (pod, _before, after) => podInfoOf(pod).claims.includes(`${after?.metadata.namespace}/${after?.metadata.name}`),
    },
    { event: { resource: 'PersistentVolume', actionType: Add | Update } },
    { event: { resource: 'Node', actionType: Add | UpdateNodeLabel } },
    {
      event: { resource: 'CSINode', actionType: Add | Update },
      hint: (_pod, before, after) =>
        !before || before.metadata.annotations?.[MIGRATED_PLUGINS] !== after?.metadata.annotations?.[MIGRATED_PLUGINS],
    },
    {
      event: { resource: 'CSIDriver', actionType: Update },
      hint: (pod, before, after) => stoppedCountingStorage(pod, before as CSIDriver | undefined, after as CSIDriver | undefined),
    },
    {
      event: { resource: 'CSIStorageCapacity', actionType: Add | Update },
      hint: (_pod, before, after) => !before || limitOf(after as CSIStorageCapacity) > limitOf(before as CSIStorageCapacity),
    },
  ];
}

const MIGRATED_PLUGINS = 'storage.alpha.kubernetes.io/migrated-plugins';

function limitOf(capacity: CSIStorageCapacity): number {
  return amountOf('storage', capacity.maximumVolumeSize ?? capacity.capacity ?? '0');
}

function stoppedCountingStorage(pod: Pod, before: CSIDriver | undefined, after: CSIDriver | undefined): boolean {
  const isUsed = pod.spec?.volumes?.some((volume) => volume.csi?.driver === after?.metadata.name);
  return Boolean(isUsed && before?.spec.storageCapacity && !after?.spec.storageCapacity);
}
