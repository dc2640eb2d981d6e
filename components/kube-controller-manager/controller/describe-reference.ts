import type { KubernetesObject } from '../../../src/api/object.ts';
import type { Resource } from '../../../src/api/resource.ts';

/** How the trace names the object that a decision is about. */
export function describeReference(
  { group, resource, kind }: Resource,
  { metadata: { namespace, name = '' } }: KubernetesObject,
): { group: string; resource: string; kind: string; namespace?: string; name: string } {
  return { group, resource, kind, ...(namespace ? { namespace } : {}), name };
}
