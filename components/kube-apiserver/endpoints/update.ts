import type { KubernetesObject } from '../../../src/api/object.ts';
import type { ApiResponse } from '../../../src/api/request.ts';
import { newBadRequest } from '../../../src/api/status-error.ts';
import { checkEscalation } from '../authorization/escalation.ts';
import { takeOwnersFromAdmission } from '../managedfields/admission.ts';
import { trackUpdate } from '../managedfields/track.ts';
import type { RequestContext } from '../request-context.ts';
import type { Steps } from '../steps.ts';
import { updateObject } from '../storage/update.ts';
import { withNamespace } from './create.ts';
import { decodeBody } from './decode-body.ts';
import { withoutDuplicateOwners } from './owner-references.ts';
import { submittedInBody } from './submitted-fields.ts';
import { validateWriteOptions } from './write-options.ts';

/** PUT to an object or to a subresource that is the object. apiserver pkg/endpoints/handlers.UpdateResource */
export function* update(context: RequestContext): Steps<ApiResponse> {
  validateWriteOptions(context, 'UpdateOptions');
  const { request, storage, subresource } = context;
  const decoded = decodeBody(context);
  const object = withoutDuplicateOwners(context, withName(context, withNamespace(context, decoded)), 'before admission');
  const submitted = submittedInBody(context, decoded);
  const result = yield* updateObject(context, {
    name: request.info.name,
    uid: object.metadata.uid,
    transform: (old) => mutate(context, trackUpdate(context, { live: old, next: object }, submitted), old),
    check: (candidate, old) => validate(context, candidate, old),
    beforeCreate: () => context.server.authorizeCreate(context),
    allowCreate: subresource === '' && storage.strategy.allowCreateOnUpdate === true,
  });
  return { code: result.created ? 201 : 200, body: result.object };
}

/** Mutating admission of a new object that is to replace `old`. */
export function* mutate(context: RequestContext, wanted: KubernetesObject, old: KubernetesObject | undefined): Steps<KubernetesObject> {
  const name = wanted.metadata.name ?? '';
  const { admission } = context.server;
  const admitted = yield* admission.mutate(
    old ? { context, operation: 'UPDATE', name, object: wanted, oldObject: old } : { context, operation: 'CREATE', name, object: wanted },
  );
  const object = withoutDuplicateOwners(context, takeOwnersFromAdmission(context, admitted), 'after admission');
  checkEscalation(context, object, old);
  return object;
}

/** Validating admission of the same. */
export function validate(context: RequestContext, object: KubernetesObject, old: KubernetesObject | undefined): Steps<void> {
  const name = object.metadata.name ?? '';
  if (old) return context.server.admission.validate({ context, operation: 'UPDATE', name, object, oldObject: old });
  return context.server.admission.validate({ context, operation: 'CREATE', name, object });
}

/** apiserver pkg/endpoints/handlers.checkName */
export function withName(context: RequestContext, object: KubernetesObject): KubernetesObject {
  const { name } = context.request.info;
  const given = object.metadata.name;
  if (!given) throw newBadRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (given !== name) throw newBadRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  return object;
}
