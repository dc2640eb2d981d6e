import type { ListMeta, ObjectMeta } from './kinds/meta-v1.ts';

/** Any object of the API. */
export interface KubernetesObject {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
}

/** Any list of the API. Items carry `kind` and `apiVersion` in process; the encoder leaves them out where the real server does. */
export interface KubernetesList<T extends KubernetesObject = KubernetesObject> {
  apiVersion?: string;
  kind?: string;
  metadata: ListMeta;
  items: T[];
}

/** Where an object is: `namespace` is absent for cluster-scoped ones. */
export interface NamespacedName {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** `namespace/name`, or `name`: client-go's key of an object (cache.MetaNamespaceKeyFunc). */
export function keyOf(object: KubernetesObject | NamespacedName): string {
  const { namespace, name } = 'metadata' in object ? object.metadata : object;
  return namespace ? `${namespace}/${name}` : (name ?? '');
}

/** The inverse of `keyOf` (cache.SplitMetaNamespaceKey). */
export function splitKey(key: string): { namespace: string; name: string } {
  const slash = key.indexOf('/');
  return slash < 0 ? { namespace: '', name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
