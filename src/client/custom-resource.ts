import type { KubernetesObject } from '../api/object.ts';
import type { Resource } from '../api/resource.ts';

/**
 * Describes a resource that a CustomResourceDefinition adds, for clients and controllers. The definition itself must be created in the cluster as well.
 * @example const websites = customResource<Website>({ group: 'example.com', version: 'v1', resource: 'websites', kind: 'Website' });
 */
export function customResource<T extends KubernetesObject>(
  names: Pick<Resource, 'group' | 'version' | 'resource' | 'kind'> & Partial<Pick<Resource, 'singular' | 'namespaced' | 'shortNames'>>,
): Resource<T> {
  const { kind, singular = kind.toLowerCase(), namespaced = true, shortNames = [] } = names;
  return {
    ...names,
    singular,
    namespaced,
    shortNames,
    verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    categories: [],
    subresources: [],
  };
}
