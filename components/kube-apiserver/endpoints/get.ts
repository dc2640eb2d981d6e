import type { ApiResponse } from '../../../src/api/request.ts';
import { newBadRequest, newNotFound } from '../../../src/api/status-error.ts';
import type { RequestContext } from '../request-context.ts';
import { isTrue } from './query.ts';
import { minimumRevision } from './revision.ts';

/** GET of one object. apiserver pkg/endpoints/handlers.GetResource */
export function get(context: RequestContext): ApiResponse {
  const { request, storage, namespace } = context;
  const { resourceVersion = '', export: exported } = request.query;
  if (isTrue(exported)) throw newBadRequest('the export parameter, deprecated since v1.14, is no longer supported');
  minimumRevision(context, resourceVersion);
  const { server } = context;
  // "Any version will do" is answered from the watch cache, which may not know the newest one.
  const revision = resourceVersion === '0' ? server.watchCacheLag.known(server.simulation.now) : undefined;
  const object = storage.get(namespace, request.info.name, revision);
  if (!object) throw newNotFound(context.resource, request.info.name);
  return { code: 200, body: object };
}
