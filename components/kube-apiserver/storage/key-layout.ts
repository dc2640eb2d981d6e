import type { NamespacedName } from '../../../src/api/object.ts';

/** Resources whose place in etcd is not their plural name, for historical reasons. pkg/kubeapiserver.DefaultStorageFactory, registry storage constructors */
const PREFIXES: Readonly<Record<string, string>> = {
  services: 'services/specs',
  endpoints: 'services/endpoints',
  nodes: 'minions',
  ingresses: 'ingress',
  replicationcontrollers: 'controllers',
  customresourcedefinitions: 'apiextensions.k8s.io/customresourcedefinitions',
  apiservices: 'apiregistration.k8s.io/apiservices',
};

/** Where the objects of a resource are in etcd, e.g. `/registry/pods/`. Custom resources have their group in the path. */
export function keyPrefix(resource: { readonly group: string; readonly resource: string }, custom: boolean): string {
  return custom ? `/registry/${resource.group}/${resource.resource}/` : `/registry/${PREFIXES[resource.resource] ?? resource.resource}/`;
}

/** Below the prefix, e.g. `default/web`. */
export function keyBelow({ namespace, name }: NamespacedName): string {
  return namespace ? `${namespace}/${name}` : name;
}
