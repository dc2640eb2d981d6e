import { decodeProtobuf } from '../../../src/api/protobuf/decode.ts';
import { isProtobuf } from '../../../src/api/protobuf/messages.ts';
import { ProtobufError } from '../../../src/api/protobuf/reader.ts';
import type { ApiHandler, ApiRequest, ApiResponse } from '../../../src/api/request.ts';
import { ApiStatusError } from '../../../src/api/status-error.ts';
import { authenticateRequest } from '../authentication/authenticate.ts';
import { headersFor } from '../flowcontrol/classification.ts';
import { requestInfoOf } from '../request-info.ts';
import type { ServerCore } from '../server-core.ts';
import { type Encoding, encodeResponse, negotiateEncoding } from './encode.ts';
import { unlessKnown } from './etag.ts';
import { BadImpersonation, impersonate } from './impersonation.ts';

const MAX_BODY_BYTES = 3 * 1024 * 1024;

/** HTTP as a function: the same pipeline as for requests inside the process. */
export function createFetch(server: ServerCore, handler: ApiHandler): (request: Request) => Promise<Response> {
  return async (request) => {
    const auditId = request.headers.get('audit-id') ?? server.auditIds.uuid();
    const encoding = negotiateEncoding(request);
    const response = await answer(server, handler, { request, encoding });
    response.headers.set('audit-id', auditId);
    return response;
  };
}

async function answer(
  server: ServerCore,
  handler: ApiHandler,
  { request, encoding }: { request: Request; encoding: Encoding },
): Promise<Response> {
  try {
    const apiRequest = await apiRequestOf(server, request);
    const response = await server.simulation.withCause(apiRequest.traced, () => handler.handle(apiRequest));
    recordResponse(server, apiRequest, response);
    const encoded = encodeResponse(unlessKnown(response, request.headers.get('if-none-match')), encoding, request.signal);
    for (const [name, value] of Object.entries(headersFor(server, apiRequest))) encoded.headers.set(name, value);
    return encoded;
  } catch (error) {
    if (error instanceof BadImpersonation) {
      const text = `Internal Server Error: ${JSON.stringify(pathOf(request))}: ${error.message}\n`;
      return encodeResponse({ code: 500, text }, encoding, request.signal);
    }
    if (!(error instanceof ApiStatusError)) throw error;
    return encodeResponse({ code: error.code, body: error.status }, encoding, request.signal);
  }
}

/** Leaves in the trace what the sender is answered. */
function recordResponse({ simulation }: ServerCore, { traced }: ApiRequest, { code, body }: ApiResponse): void {
  const { reason, message } = code >= 400 ? ((body ?? {}) as { reason?: string; message?: string }) : {};
  simulation.trace.record({ kind: 'response', request: traced, code, ...(reason ? { reason } : {}), ...(message ? { message } : {}) });
}

/** An escaped slash counts as a slash. */
function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function pathOf(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return pathname + search;
}

async function apiRequestOf(server: ServerCore, request: Request): Promise<ApiRequest> {
  const url = new URL(request.url);
  const query = Object.fromEntries([...url.searchParams].reverse());
  const repeated = repeatedIn(url.searchParams);
  const info = requestInfoOf(request.method, decodedPath(url.pathname), query);
  const user = impersonate(server, authenticateRequest(server, request), request.headers);
  const body = await bodyOf(request);
  const headers: ApiRequest['headers'] = {
    accept: request.headers.get('accept') ?? '',
    ...(request.headers.has('content-type') ? { contentType: request.headers.get('content-type') ?? '' } : {}),
    ...(request.headers.has('user-agent') ? { userAgent: request.headers.get('user-agent') ?? '' } : {}),
  };
  const { group, resource, namespace, name, subresource, verb } = info;
  const traced = server.simulation.trace.record({
    kind: 'request',
    verb,
    user: user.username,
    object: { group, resource, kind: '', ...(namespace ? { namespace } : {}), name },
    ...(subresource ? { subresource } : {}),
  });
  return {
    info,
    method: request.method,
    query,
    ...(repeated ? { repeated } : {}),
    headers,
    user,
    traced,
    ...(body === undefined ? {} : { body }),
  };
}

/** Values of the keys that come more than once. */
function repeatedIn(parameters: URLSearchParams): Record<string, string[]> | undefined {
  const keys = [...parameters.keys()];
  const several = keys.filter((key, index) => keys.indexOf(key) !== index);
  return several.length > 0 ? Object.fromEntries(several.map((key) => [key, parameters.getAll(key)])) : undefined;
}

/** The text of the body, or the object in it when it is in protobuf (its bytes when they cannot be read); undefined when a request has none. */
async function bodyOf(request: Request): Promise<unknown> {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  if (isProtobuf(request.headers.get('content-type') ?? '')) return objectOf(new Uint8Array(await request.arrayBuffer()));
  const text = await request.text();
  assertSize(text.length);
  return text === '' && request.method === 'DELETE' ? undefined : text;
}

function objectOf(bytes: Uint8Array): unknown {
  assertSize(bytes.length);
  if (bytes.length === 0) return undefined;
  try {
    return decodeProtobuf(bytes);
  } catch (error) {
    // Where the kind that is wanted is known, it is refused.
    if (error instanceof ProtobufError) return bytes;
    throw error;
  }
}

function assertSize(size: number): void {
  if (size <= MAX_BODY_BYTES) return;
  throw new ApiStatusError({ message: `Request entity too large: limit is ${MAX_BODY_BYTES}`, reason: 'RequestEntityTooLarge', code: 413 });
}
