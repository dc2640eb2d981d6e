import type { AdmissionPlugin } from './chain.ts';

const FINALIZERS: Readonly<Record<string, string>> = {
  persistentvolumes: 'kubernetes.io/pv-protection',
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  volumeattributesclasses: 'kubernetes.io/vac-protection',
};

/** plugin/pkg/admission/storage/storageobjectinuseprotection */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  resources: Object.keys(FINALIZERS),
  mutate: ({ context, operation, object }) => {
    const finalizer = FINALIZERS[context.resource.resource];
    if (operation !== 'CREATE' || context.subresource || !object || !finalizer) return undefined;
    const finalizers = object.metadata.finalizers ?? [];
    if (finalizers.includes(finalizer)) return undefined;
    return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
  },
};
