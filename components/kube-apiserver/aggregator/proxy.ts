import type { APIService } from '../../../src/api/kinds/apiregistration-v1.ts';
import { type OutboundAnswer, OutboundError } from '../../../src/api/outbound.ts';
import type { ApiRequest, ApiResponse, UserInfo } from '../../../src/api/request.ts';
import { pathOf } from '../audit.ts';
import { reach } from '../outbound.ts';
import type { ServerCore } from '../server-core.ts';
import { type Steps, wait } from '../steps.ts';
import { isAvailable } from './availability.ts';

const TIMEOUT_MS = 60_000;
const METHODS: Readonly<Record<string, string>> = {
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
};

/** Hands a request on to the server of an APIService, with who sends it in headers. kube-aggregator pkg/apiserver.proxyHandler.ServeHTTP */
export function* proxyTo(server: ServerCore, service: APIService, request: ApiRequest): Steps<ApiResponse> {
  const { spec } = service;
  const { namespace = '', name = '', port } = spec?.service ?? {};
  if (!isAvailable(service)) return unavailable('service unavailable');
  const endpoint = {
    service: { namespace, name, ...(port === undefined ? {} : { port }) },
    caBundle: spec?.caBundle,
    insecure: spec?.insecureSkipTLSVerify ?? false,
  };
  const { body } = request;
  try {
    const answer = yield* wait(
      reach(server, endpoint, {
        method: methodOf(request),
        suffix: (request.info.path || pathOf(request.info)) + queryOf(request.query),
        headers: headersOf(request),
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        timeoutMs: TIMEOUT_MS,
      }),
    );
    return responseOf(request, answer);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return unavailable(`error trying to reach service: ${error.message}`);
  }
}

function unavailable(text: string): ApiResponse {
  return { code: 503, text: `${text}\n`, headers: { 'x-content-type-options': 'nosniff' } };
}

/** The method of a request, also of one that did not come over HTTP. */
export function methodOf({ method, info }: ApiRequest): string {
  return method ?? METHODS[info.verb] ?? 'GET';
}

export function queryOf(query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  return text && `?${text}`;
}

/** client-go transport.SetAuthProxyHeaders */
function headersOf({ headers, user, body }: ApiRequest): Record<string, string | readonly string[]> {
  const { accept, contentType, userAgent } = headers;
  return {
    ...(accept ? { accept } : {}),
    ...(body === undefined ? {} : { 'content-type': contentType ?? 'application/json' }),
    ...(userAgent ? { 'user-agent': userAgent } : {}),
    ...userHeaders(user),
  };
}

function userHeaders({ username, uid, groups, extra = {} }: UserInfo): Record<string, string | readonly string[]> {
  return {
    'x-remote-user': username,
    ...(uid ? { 'x-remote-uid': uid } : {}),
    ...(groups.length ? { 'x-remote-group': groups } : {}),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [`x-remote-extra-${encodeURIComponent(key).toLowerCase()}`, values]),
    ),
  };
}

/** As it came over HTTP; parsed for callers in the same process. */
function responseOf(request: ApiRequest, { status, headers, body }: OutboundAnswer): ApiResponse {
  const type = headers['content-type'] ?? 'text/plain';
  if (request.method !== undefined) return { code: status, text: body, headers: { 'content-type': type } };
  return type.startsWith('application/json') ? { code: status, body: JSON.parse(body) as unknown } : { code: status, text: body };
}
