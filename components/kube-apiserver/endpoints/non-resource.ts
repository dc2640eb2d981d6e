import type { ApiRequest, ApiResponse } from '../../../src/api/request.ts';
import type { ServerCore } from '../server-core.ts';

/** Paths that are not about a resource: health, version, discovery. */
export function handleNonResource(_server: ServerCore, request: ApiRequest): ApiResponse {
  const { path } = request.info;
  if (/^\/(healthz|livez|readyz)\/?$/.test(path)) return { code: 200, text: 'ok' };
  return { code: 404, text: '404 page not found\n' };
}
