import type { KubernetesObject } from './object.ts';

/** A subresource as discovery lists it, e.g. `status`, `scale`, `binding`. */
export interface Subresource {
  readonly name: string;
  readonly verbs: readonly string[];
  readonly kind: string;
  readonly group: string;
  readonly version: string;
}

/** What discovery says of a resource. The type parameter is the kind's TypeScript type. */
export interface Resource<T extends KubernetesObject = KubernetesObject> {
  readonly group: string;
  readonly version: string;
  /** Plural, as in paths. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly Subresource[];
  /** Only carries the type. */
  readonly objectType?: T;
}

/** `apps/v1`, or `v1` for the core group: the `apiVersion` of objects. */
export function apiVersionOf(resource: { readonly group: string; readonly version: string }): string {
  return resource.group ? `${resource.group}/${resource.version}` : resource.version;
}

/** `deployments.apps`, or `pods` for the core group: how messages name a resource. */
export function groupResource(resource: { readonly group: string; readonly resource: string }): string {
  return resource.group ? `${resource.resource}.${resource.group}` : resource.resource;
}
