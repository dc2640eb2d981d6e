import type { ManagedFieldsEntry } from '../../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { submittedManagedFields } from '../managedfields/field-owners.ts';
import type { RequestContext } from '../request-context.ts';
import { bodyOf } from './body.ts';

/** The managedFields in the body of an update; an empty list, which decoding drops, counts as well. */
export function submittedInBody(context: RequestContext, decoded: KubernetesObject): readonly ManagedFieldsEntry[] | undefined {
  const given = submittedManagedFields(decoded.metadata);
  const { body } = context.request;
  if (given || (typeof body === 'string' && !body.includes('managedFields'))) return given;
  return submittedIn(typeof body === 'string' ? bodyOf(context, context.resource).value : body);
}

/** The managedFields of an object that has not been decoded. */
export function submittedIn(value: unknown): readonly ManagedFieldsEntry[] | undefined {
  const { metadata } = (value ?? {}) as Partial<KubernetesObject>;
  const entries = typeof metadata === 'object' && metadata !== null ? submittedManagedFields(metadata) : undefined;
  return Array.isArray(entries) ? entries : undefined;
}
