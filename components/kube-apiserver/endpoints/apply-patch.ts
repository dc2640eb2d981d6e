import type { KubernetesObject } from '../../../src/api/object.ts';
import { ApiStatusError } from '../../../src/api/status-error.ts';
import type { RequestContext } from '../request-context.ts';
import { unsupportedMediaType } from './refusals.ts';

/** Computes what a patch makes of an object. apiserver pkg/endpoints/handlers patchMechanism */
export function applyPatch<T extends KubernetesObject>(context: RequestContext, object: T): T {
  const { headers, body } = context.request;
  const [type = ''] = (headers.contentType ?? '').split(';');
  switch (type) {
    case 'application/merge-patch+json':
    case 'application/strategic-merge-patch+json':
      return mergePatch(object, body) as T;
    case 'application/apply-patch+yaml':
      throw new ApiStatusError({ message: 'server-side apply is not supported yet', reason: 'UnsupportedMediaType', code: 415 });
    default:
      throw unsupportedMediaType();
  }
}

function mergePatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const out: Record<string, unknown> = typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete out[key];
    else out[key] = mergePatch(out[key], value);
  }
  return out;
}
