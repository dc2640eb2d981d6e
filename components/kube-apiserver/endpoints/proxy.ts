import type { Node, Pod, Service } from '../../../src/api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { OutboundError } from '../../../src/api/outbound.ts';
import type { ApiRequest, ApiResponse } from '../../../src/api/request.ts';
import { endpoints } from '../../../src/api/resources.ts';
import { ApiStatusError, newBadRequest, newNotFound } from '../../../src/api/status-error.ts';
import { methodOf, queryOf } from '../aggregator/proxy.ts';
import type { RequestContext } from '../request-context.ts';
import { type Steps, wait } from '../steps.ts';
import { viaKubelet } from './node-proxy.ts';

const KUBELET_PORT = '10250';
const DEFAULT_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443 };
const TIMEOUT_MS = 60_000;
const OPTIONS: Readonly<Record<string, string>> = { pods: 'PodProxyOptions', services: 'ServiceProxyOptions', nodes: 'NodeProxyOptions' };

/** What a proxied request names: `[scheme:]name[:port]`. apimachinery pkg/util/net.SplitSchemeNamePort */
interface Target {
  readonly scheme: string;
  readonly name: string;
  /** As it was written, `''` when it was not. */
  readonly port: string;
}

interface Location {
  readonly scheme: string;
  readonly ip: string;
  readonly port: number;
}

/** Requests that go on to a Service, a pod or a node. pkg/registry/core/{service,pod,node}/rest.ProxyREST.Connect */
export function* proxy(context: RequestContext): Steps<ApiResponse> {
  const { request, resource, server } = context;
  const path = pathBelow(request);
  yield* server.admission.connect({ context, operation: 'CONNECT', name: request.info.name, object: optionsOf(resource.resource, path) });
  const target = targetOf(request.info.name);
  if (!target) throw newBadRequest(`invalid ${resource.resource.replace(/s$/, '')} request ${JSON.stringify(request.info.name)}`);
  if (resource.resource === 'nodes' && ['', KUBELET_PORT].includes(target.port)) return yield* toKubelet(context, { target, path });
  const location = locationOf(context, target);
  return redirectOf(request, path) ?? (yield* forward(context, { location, path }));
}

function* toKubelet(context: RequestContext, { target, path }: { target: Target; path: string }): Steps<ApiResponse> {
  const { server, request } = context;
  if (!context.storage.get('', target.name)) throw newNotFound(context.resource, target.name);
  const redirect = redirectOf(request, path);
  if (redirect) return redirect;
  const info = { ...request.info, isResourceRequest: false, path, resource: '', subresource: '', name: '' };
  return yield* viaKubelet({ server, request: { ...request, info } }, target.name);
}

/** What comes after `proxy` in the path; empty without a slash. */
function pathBelow({ info }: ApiRequest): string {
  // Requests inside the process have no path.
  if (!info.path) return '/';
  const proxied = `/${info.resource}/${info.name}/proxy`;
  return info.path.slice(info.path.indexOf(proxied) + proxied.length);
}

/** Options have no metadata. */
function optionsOf(resource: string, path: string): KubernetesObject {
  return { apiVersion: 'v1', kind: OPTIONS[resource] ?? '', ...(path ? { path } : {}) } as unknown as KubernetesObject;
}

function targetOf(id: string): Target | undefined {
  const parts = id.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  const valid = parts.length <= 3 && name !== '' && (scheme === '' || scheme in DEFAULT_PORTS);
  return valid ? { scheme: scheme || 'http', name, port } : undefined;
}

/** A browser that asks for the root without its slash is sent there. apimachinery pkg/util/proxy.UpgradeAwareHandler.ServeHTTP */
function redirectOf({ info, query, method = 'GET' }: ApiRequest, path: string): ApiResponse | undefined {
  if (path !== '' || (method !== 'GET' && method !== 'HEAD')) return undefined;
  return { code: 301, headers: { location: `${info.path}/${queryOf(query)}` } };
}

function locationOf(context: RequestContext, target: Target): Location {
  const found = context.storage.get(context.namespace, target.name);
  if (!found) throw newNotFound(context.resource, target.name);
  if (context.resource.resource === 'services') return serviceLocation(context, target, found as Service);
  return context.resource.resource === 'pods' ? podLocation(target, found as Pod) : nodeLocation(target, found as Node);
}

/** pkg/registry/core/service/storage.REST.ResourceLocation: one of the Service's endpoints. */
function serviceLocation({ server, namespace, request }: RequestContext, { scheme, name, port }: Target, service: Service): Location {
  const numbered = /^\d+$/.test(port) ? service.spec?.ports?.find((candidate) => candidate.port === Number(port)) : undefined;
  if (/^\d+$/.test(port) && !numbered) throw unavailable(`no service port ${Number(port)} found for service "${name}"`);
  const wanted = numbered ? (numbered.name ?? '') : port;
  const { subsets = [] } = server.storage(endpoints).get(namespace, name) ?? {};
  if (subsets.length === 0) throw unavailable(`no endpoints available for service "${name}"`);
  const addresses = subsets.flatMap(({ addresses: ready = [], ports = [] }) => {
    const named = ports.find((candidate) => (candidate.name ?? '') === wanted);
    return named ? ready.map(({ ip }) => ({ scheme, ip, port: named.port })) : [];
  });
  const [only, ...others] = addresses;
  if (!only) throw unavailable(`no endpoints available for service "${request.info.name}"`);
  return others.length === 0 ? only : (server.random.pick(addresses) ?? only);
}

/** pkg/registry/core/pod.ResourceLocation */
function podLocation({ scheme, port }: Target, { spec, status }: Pod): Location {
  const ip = status?.podIP;
  if (!ip) throw newBadRequest('address not allowed');
  const exposed = spec?.containers.find(({ ports }) => ports?.length)?.ports?.[0]?.containerPort;
  return { scheme, ip, port: portOf(port) ?? exposed ?? DEFAULT_PORTS[scheme] ?? 80 };
}

/** pkg/registry/core/node.ResourceLocation, for ports other than the kubelet's */
function nodeLocation({ scheme, port }: Target, { status }: Node): Location {
  const ip = status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
  if (!ip) throw newBadRequest('address not allowed');
  return { scheme, ip, port: portOf(port) ?? DEFAULT_PORTS[scheme] ?? 80 };
}

function portOf(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** apimachinery pkg/util/proxy Transport.RoundTrip */
function* forward({ server, request }: RequestContext, { location, path }: { location: Location; path: string }): Steps<ApiResponse> {
  const { scheme, ip, port } = location;
  const { dialService } = server.config;
  const { body } = request;
  const call = {
    method: methodOf(request),
    url: `${scheme}://${ip}:${port}${path || '/'}${queryOf(request.query)}`,
    headers: headersOf(request),
    timeoutMs: TIMEOUT_MS,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  };
  try {
    if (!dialService) throw new OutboundError(`dial tcp ${ip}:${port}: connect: network is unreachable`);
    const { status, headers, body: text } = yield* wait(dialService({ ip, port }, call));
    return { code: status, text, headers: { 'content-type': sniffed(text), ...endToEnd(headers) } };
  } catch (error) {
    if (error instanceof OutboundError) throw unavailable(`error trying to reach service: ${error.message}`);
    throw error;
  }
}

function headersOf({ headers, info, body }: ApiRequest): Record<string, string> {
  const { accept, contentType, userAgent } = headers;
  return {
    ...(accept ? { accept } : {}),
    ...(body !== undefined && contentType ? { 'content-type': contentType } : {}),
    ...(userAgent ? { 'user-agent': userAgent } : {}),
    'x-forwarded-uri': info.path,
  };
}

/** What Go says of an answer that does not say what it is. net/http.DetectContentType */
function sniffed(text: string): string {
  return /^\s*<(!doctype html|html|head|body)[ >]/i.test(text) ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
}

const HOP_BY_HOP = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding']);

function endToEnd(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
}

function unavailable(message: string): ApiStatusError {
  return new ApiStatusError({ message, reason: 'ServiceUnavailable', code: 503 });
}
