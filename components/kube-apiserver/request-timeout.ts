import type { ApiRequest } from '../../src/api/request.ts';
import { newBadRequest } from '../../src/api/status-error.ts';
import { durationError } from '../../src/api/time-error.ts';

const LONG_RUNNING = new Set(['watch', 'proxy']);
const LONG_RUNNING_SUBRESOURCES = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** Refuses a `timeout` that is no duration. Only webhooks and other servers could make a request take that long: nobody counts. apiserver pkg/endpoints/filters.WithRequestDeadline */
export function assertTimeout({ query, info }: ApiRequest): void {
  const { timeout } = query;
  if (!timeout || LONG_RUNNING.has(info.verb) || LONG_RUNNING_SUBRESOURCES.has(info.subresource)) return;
  const error = durationError(timeout);
  if (error !== undefined) throw newBadRequest(`invalid timeout specified in the request URL - ${error}`);
}
