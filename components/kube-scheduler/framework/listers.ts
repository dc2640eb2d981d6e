import type { ReplicaSet, StatefulSet } from '../../../src/api/kinds/apps-v1.ts';
import type {
  Namespace,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ReplicationController,
  Service,
} from '../../../src/api/kinds/core-v1.ts';
import type { PodDisruptionBudget } from '../../../src/api/kinds/policy-v1.ts';
import type { DeviceClass, ResourceClaim, ResourceSlice } from '../../../src/api/kinds/resource-v1.ts';
import type { CSIDriver, CSINode, CSIStorageCapacity, StorageClass, VolumeAttachment } from '../../../src/api/kinds/storage-v1.ts';

/** Reads objects of one kind from a cache, by `namespace/name` or `name`. An informer's store is one. */
export interface Lister<T> {
  get(key: string): T | undefined;
  list(): readonly T[];
  listNamespace(namespace: string): readonly T[];
}

/** What plugins read besides the snapshot. */
export interface Listers {
  readonly pods: Lister<Pod>;
  readonly namespaces: Lister<Namespace>;
  readonly services: Lister<Service>;
  readonly replicationControllers: Lister<ReplicationController>;
  readonly replicaSets: Lister<ReplicaSet>;
  readonly statefulSets: Lister<StatefulSet>;
  readonly podDisruptionBudgets: Lister<PodDisruptionBudget>;
  readonly persistentVolumes: Lister<PersistentVolume>;
  readonly persistentVolumeClaims: Lister<PersistentVolumeClaim>;
  readonly storageClasses: Lister<StorageClass>;
  readonly csiNodes: Lister<CSINode>;
  readonly csiDrivers: Lister<CSIDriver>;
  readonly csiStorageCapacities: Lister<CSIStorageCapacity>;
  readonly volumeAttachments: Lister<VolumeAttachment>;
  readonly resourceClaims: Lister<ResourceClaim>;
  readonly resourceSlices: Lister<ResourceSlice>;
  readonly deviceClasses: Lister<DeviceClass>;
}
