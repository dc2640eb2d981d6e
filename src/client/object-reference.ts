import type { ObjectReference } from '../api/kinds/core-v1.ts';
import type { KubernetesObject } from '../api/object.ts';

/** Names an object in an event: client-go tools/reference GetReference. What is a reference already stays as it is. */
export function getReference(object: KubernetesObject | ObjectReference): ObjectReference {
  if (!('metadata' in object)) return object;
  const { kind, apiVersion, metadata } = object;
  const { name, namespace, uid, resourceVersion } = metadata;
  return {
    ...(kind ? { kind } : {}),
    ...(namespace ? { namespace } : {}),
    ...(name ? { name } : {}),
    ...(uid ? { uid } : {}),
    ...(apiVersion ? { apiVersion } : {}),
    ...(resourceVersion ? { resourceVersion } : {}),
  };
}
