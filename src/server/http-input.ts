import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { bytesToBase64 } from '../api/base64.ts';
import type { UserInfo } from '../api/request.ts';
import type { HttpInput } from '../cluster/http-entrance.ts';

export type HttpRequest = IncomingMessage | Http2ServerRequest;

/** The headers that kube-apiserver looks at; the others are about the connection. */
const KEPT_HEADERS = /^(accept|authorization|content-type|user-agent|if-none-match|audit-id|impersonate-.*)$/;
/** apiserver MaxRequestBodyBytes, and a little more, so that kube-apiserver itself refuses what is larger. */
const MAX_BODY_BYTES = 3 * 1024 * 1024 + 1024;

/** A request as data, once all of its body has come. */
export async function httpInputOf(request: HttpRequest, user: UserInfo | null | undefined): Promise<HttpInput> {
  const { method = 'GET', url = '/' } = request;
  const headers = keptHeaders(request.headers);
  const bodyless = method === 'GET' || method === 'HEAD';
  const body = bodyless ? {} : bodyOf(await bytesOf(request), headers['content-type'] ?? '');
  return { method, url, headers, ...body, ...(user === undefined ? {} : { user }) };
}

/** The headers that are part of the input. */
export function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && KEPT_HEADERS.test(name)) kept[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return kept;
}

/** What of a body is more than the limit is left out: it is refused all the same. */
async function bytesOf(request: HttpRequest): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (size < MAX_BODY_BYTES) chunks.push(chunk);
    size += chunk.length;
  }
  return Buffer.concat(chunks);
}

function bodyOf(bytes: Buffer, contentType: string): { body?: string; bytes?: string } {
  if (bytes.length === 0) return { body: '' };
  if (contentType.includes('protobuf')) return { bytes: bytesToBase64(bytes) };
  try {
    return { body: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { bytes: bytesToBase64(bytes) };
  }
}
