import { ApiStatusError, newBadRequest } from '../../../src/api/status-error.ts';
import type { RequestContext } from '../request-context.ts';

/** apiserver pkg/storage.APIObjectVersioner.ParseResourceVersion: '' and '0' give 0. */
export function parseResourceVersion(text: string): number {
  if (text === '') return 0;
  if (/^\d+$/.test(text)) return Number(text);
  throw new ApiStatusError({
    message: `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
    code: 500,
  });
}

/** The same for lists, which put it differently. */
export function parseListResourceVersion(text: string): number {
  try {
    return parseResourceVersion(text);
  } catch (error) {
    if (!(error instanceof ApiStatusError)) throw error;
    throw newBadRequest(`invalid resource version: ${error.message}`);
  }
}

/** A revision that the answer must at least have. @throws ApiStatusError 504 when the store is not there yet */
export function minimumRevision(context: RequestContext, text: string): number {
  const wanted = parseResourceVersion(text);
  const current = context.server.etcd.revision;
  if (wanted > current) throw tooLargeResourceVersion({ wanted, current, retryAfterSeconds: 1 });
  return wanted;
}

/** apiserver pkg/storage.NewTooLargeResourceVersionError */
export function tooLargeResourceVersion(versions: { wanted: number; current: number; retryAfterSeconds?: number }): ApiStatusError {
  const { wanted, current, retryAfterSeconds } = versions;
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  return new ApiStatusError({
    message: `Timeout: Too large resource version: ${wanted}, current: ${current}`,
    reason: 'Timeout',
    details: { causes, ...(retryAfterSeconds ? { retryAfterSeconds } : {}) },
    code: 504,
  });
}

/** apiserver pkg/storage/etcd3.interpretListError */
export function resourceExpired(message: string, continueToken?: string): ApiStatusError {
  const error = new ApiStatusError({ message, reason: 'Expired', code: 410 });
  if (continueToken !== undefined) error.status.metadata = { continue: continueToken };
  return error;
}
