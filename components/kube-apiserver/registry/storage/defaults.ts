import type { CSIDriver, StorageClass } from '../../../../src/api/kinds/storage-v1.ts';

/** kubernetes pkg/apis/storage/v1 SetDefaults_StorageClass */
export function setDefaultsStorageClass(storageClass: StorageClass): void {
  storageClass.reclaimPolicy ??= 'Delete';
  storageClass.volumeBindingMode ??= 'Immediate';
}

/** kubernetes pkg/apis/storage/v1 SetDefaults_CSIDriver */
export function setDefaultsCSIDriver({ spec }: CSIDriver): void {
  if (!spec) return;
  spec.attachRequired ??= true;
  spec.podInfoOnMount ??= false;
  spec.storageCapacity ??= false;
  spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
  if (!spec.volumeLifecycleModes?.length) spec.volumeLifecycleModes = ['Persistent'];
  spec.requiresRepublish ??= false;
  spec.seLinuxMount ??= false;
}
