import type { KubernetesObject } from '../../api/object.ts';
import { apiVersionOf } from '../../api/resource.ts';
import { BUILT_IN_RESOURCES } from '../../api/resources.ts';
import type { ObjectReference } from '../../sim/trace.ts';

const KINDS = new Map(BUILT_IN_RESOURCES.map(({ group, resource, kind }) => [`${group}/${resource}`, kind]));

const BY_KIND = new Map(BUILT_IN_RESOURCES.map((resource) => [`${apiVersionOf(resource)}/${resource.kind}`, resource]));

/** How the trace names an object of a built-in kind; undefined for others. */
export function referenceOf({ apiVersion, kind = '', metadata }: KubernetesObject): ObjectReference | undefined {
  const found = BY_KIND.get(`${apiVersion}/${kind}`);
  if (!found || !metadata.name) return undefined;
  const { group, resource } = found;
  return { group, resource, kind, ...(metadata.namespace ? { namespace: metadata.namespace } : {}), name: metadata.name };
}

/** The kind of what a reference names; requests in the trace name the resource alone. */
export function kindOf(reference: { readonly group?: string; readonly resource?: string; readonly kind?: string }): string {
  return reference.kind || (KINDS.get(`${reference.group ?? ''}/${reference.resource ?? ''}`) ?? reference.resource ?? 'object');
}
