import type { KubernetesObject } from '../../../src/api/object.ts';
import type { ApiResponse } from '../../../src/api/request.ts';
import { newBadRequest } from '../../../src/api/status-error.ts';
import { checkEscalation } from '../authorization/escalation.ts';
import { takeOwnersFromAdmission } from '../managedfields/admission.ts';
import { submittedManagedFields } from '../managedfields/field-owners.ts';
import { trackUpdate } from '../managedfields/track.ts';
import type { RequestContext } from '../request-context.ts';
import type { Steps } from '../steps.ts';
import { createObject } from '../storage/create.ts';
import { decodeBody } from './decode-body.ts';
import { withoutDuplicateOwners } from './owner-references.ts';
import { validateWriteOptions } from './write-options.ts';

/** POST to a collection. apiserver pkg/endpoints/handlers.CreateResource */
export function* create(context: RequestContext): Steps<ApiResponse> {
  validateWriteOptions(context, 'CreateOptions');
  const { admission } = context.server;
  const decoded = decodeBody(context);
  const next = withoutDuplicateOwners(context, withNamespace(context, withoutSystemFields(decoded)), 'before admission');
  const object = trackUpdate(context, { live: undefined, next }, submittedManagedFields(next.metadata));
  const attributes = { context, operation: 'CREATE', name: object.metadata.name ?? '' } as const;
  const mutated = takeOwnersFromAdmission(context, yield* admission.mutate({ ...attributes, object }));
  const admitted = withoutDuplicateOwners(context, mutated, 'after admission');
  checkEscalation(context, admitted, undefined);
  const body = yield* createObject(context, admitted, (candidate) =>
    admission.validate({ ...attributes, object: candidate, name: candidate.metadata.name ?? '' }),
  );
  return { code: 201, body };
}

/** What is the server's to say of a new object. apiserver pkg/registry/rest.WipeObjectMetaSystemFields */
function withoutSystemFields(object: KubernetesObject): KubernetesObject {
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, selfLink, ...metadata } = object.metadata;
  const given = uid ?? creationTimestamp ?? deletionTimestamp ?? deletionGracePeriodSeconds ?? selfLink;
  return given === undefined ? object : { ...object, metadata };
}

/** apiserver pkg/registry/rest.EnsureObjectNamespaceMatchesRequestNamespace */
export function withNamespace(context: RequestContext, object: KubernetesObject): KubernetesObject {
  const wanted = context.resource.namespaced ? context.namespace : '';
  const { namespace = '', ...metadata } = object.metadata;
  if (namespace === wanted) return object;
  if (wanted === '') return { ...object, metadata };
  if (namespace === '') return { ...object, metadata: { ...metadata, namespace: wanted } };
  throw newBadRequest('the namespace of the provided object does not match the namespace sent on the request');
}
