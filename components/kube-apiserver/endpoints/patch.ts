import type { KubernetesObject } from '../../../src/api/object.ts';
import type { ApiResponse } from '../../../src/api/request.ts';
import { newNotFound } from '../../../src/api/status-error.ts';
import type { RequestContext } from '../request-context.ts';
import type { Steps } from '../steps.ts';
import { updateObject } from '../storage/update.ts';
import { applyPatch } from './apply-patch.ts';
import { withNamespace } from './create.ts';
import { decodeObject } from './decode-body.ts';
import { mutate, validate, withName } from './update.ts';

/**
 * PATCH of an object or a subresource that is the object: an update whose object is computed from the present one, on each try.
 * apiserver pkg/endpoints/handlers.PatchResource
 */
export function* patch(context: RequestContext): Steps<ApiResponse> {
  const result = yield* updateObject(context, {
    name: context.request.info.name,
    transform: (old) => mutate(context, patched(context, old), old),
    check: (candidate, old) => validate(context, candidate, old),
    allowCreate: false,
  });
  return { code: 200, body: result.object };
}

function patched(context: RequestContext, old: KubernetesObject | undefined): KubernetesObject {
  if (!old) throw newNotFound(context.resource, context.request.info.name);
  const object = decodeObject(context, applyPatch(context, old) as unknown as Record<string, unknown>);
  return withName(context, withNamespace(context, object));
}
