import { BUILT_IN_RESOURCES } from '../../api/resources.ts';

const KINDS = new Map(BUILT_IN_RESOURCES.map(({ group, resource, kind }) => [`${group}/${resource}`, kind]));

/** The kind of what a reference names; requests in the trace name the resource alone. */
export function kindOf(reference: { readonly group?: string; readonly resource?: string; readonly kind?: string }): string {
  return reference.kind || (KINDS.get(`${reference.group ?? ''}/${reference.resource ?? ''}`) ?? reference.resource ?? 'object');
}
