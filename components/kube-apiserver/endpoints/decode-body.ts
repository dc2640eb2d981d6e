import type { KubernetesObject } from '../../../src/api/object.ts';
import { apiVersionOf } from '../../../src/api/resource.ts';
import { newBadRequest } from '../../../src/api/status-error.ts';
import type { RequestContext } from '../request-context.ts';

/** The object in the body of a request, with what the path says of it and with defaults. */
export function decodeBody(context: RequestContext): KubernetesObject {
  const { resource, request } = context;
  const raw = request.body;
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw newBadRequest(
      `the object provided is unrecognized (must be of type ${resource.kind}): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)`,
    );
  }
  return decodeObject(context, raw as Record<string, unknown>);
}

/** The same for an object that was computed, e.g. the result of a patch. */
export function decodeObject(context: RequestContext, raw: Record<string, unknown>): KubernetesObject {
  const { resource, storage } = context;
  const apiVersion = apiVersionOf(resource);
  const given = raw as Partial<KubernetesObject>;
  if (given.apiVersion && given.apiVersion !== apiVersion) {
    throw newBadRequest(`the API version in the data (${given.apiVersion}) does not match the expected API version (${apiVersion})`);
  }
  const object: KubernetesObject = { ...raw, apiVersion, kind: given.kind || resource.kind, metadata: given.metadata ?? {} };
  return storage.strategy.setDefaults?.(object) ?? object;
}
