import type { ApiRequest, ApiResponse } from '../../../src/api/request.ts';
import { openApi } from '../openapi/openapi.ts';
import type { ServerCore } from '../server-core.ts';
import { discovery, rootPaths } from './discovery.ts';
import { health } from './health.ts';
import { metrics } from './metrics.ts';
import { profiling } from './profiling.ts';
import { methodNotAllowed } from './refusals.ts';
import { issuerDiscovery } from './service-account-issuer.ts';
import { versionInfo } from './version.ts';

/** Paths that are not about a resource: health, metrics, version, OpenAPI, discovery. */
export function handleNonResource(server: ServerCore, request: ApiRequest): ApiResponse {
  const { path } = request.info;
  const answer = answerOf(server, request);
  if (!answer) return { code: 404, text: '404 page not found\n' };
  const { method = 'GET' } = request;
  const checked = method !== 'GET' && !(method === 'HEAD' && /^\/(healthz|livez|readyz)/.test(path));
  if (checked) throw methodNotAllowed();
  return answer;
}

function answerOf(server: ServerCore, request: ApiRequest): ApiResponse | undefined {
  const { path } = request.info;
  if (path === '/' || path === '') return rootPaths(server);
  if (path === '/version' || path === '/version/')
    return { code: 200, text: JSON.stringify(versionInfo(), null, 2), headers: { 'content-type': 'application/json' } };
  return (
    health(request) ??
    metrics(server, request) ??
    profiling(request) ??
    issuerDiscovery(server, path) ??
    openApi(server, request) ??
    discovery(server, request)
  );
}
