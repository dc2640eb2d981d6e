import type { KubernetesObject } from '../../../src/api/object.ts';
import { ApiStatusError } from '../../../src/api/status-error.ts';
import { customResourceVersionOf } from '../apiextensions/version-of.ts';
import type { RequestScope } from '../request-context.ts';

/** etcd --max-request-bytes */
const MAX_REQUEST_BYTES = 1.5 * 1024 * 1024;
/** Nobody comes near the limit with a smaller body, so nobody else is measured. */
const LARGE_BODY = 256 * 1024;

/**
 * What etcd says to objects that are too large for it. Only custom resources can be: the others have limits of their own, and are stored more tightly.
 * @throws ApiStatusError 500
 */
export function assertFits({ resource, request: { body } }: RequestScope, object: KubernetesObject): void {
  if (typeof body !== 'string' || body.length < LARGE_BODY || !customResourceVersionOf(resource)) return;
  const bytes = new TextEncoder().encode(JSON.stringify(object)).length;
  if (bytes > MAX_REQUEST_BYTES) throw new ApiStatusError({ message: 'etcdserver: request is too large', code: 500 });
}
