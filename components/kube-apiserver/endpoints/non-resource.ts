import type { ApiRequest, ApiResponse } from '../../../src/api/request.ts';
import type { ServerCore } from '../server-core.ts';
import { health } from './health.ts';

/** Paths that are not about a resource: health, version, discovery. */
export function handleNonResource(_server: ServerCore, request: ApiRequest): ApiResponse {
  const healthy = health(request);
  if (healthy) return healthy;
  return { code: 404, text: '404 page not found\n' };
}
