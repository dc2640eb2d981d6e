import { sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { ApiResponse } from '../../../src/api/request.ts';

/** What clients compare to see whether they know a document already: SHA-512 in hexadecimal. kube-openapi pkg/handler3, apiserver pkg/endpoints/discovery/aggregated.calculateETag */
export function digestOf(text: string): string {
  return bytesToHex(sha512(new TextEncoder().encode(text))).toUpperCase();
}

/** The answer for a client that may know the document already. apiserver pkg/endpoints/discovery/aggregated.ServeHTTPWithETag */
export function unlessKnown(response: ApiResponse, ifNoneMatch: string | null): ApiResponse {
  const { 'content-type': _, ...headers } = response.headers ?? {};
  const etag = headers['etag'];
  if (response.code !== 200 || !etag || !ifNoneMatch) return response;
  const known = ifNoneMatch.split(',').map((value) => value.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*') ? { code: 304, headers } : response;
}
