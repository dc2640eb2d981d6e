import { type OutboundAnswer, OutboundError, type OutboundRequest } from '../../src/api/outbound.ts';
import type { ServerCore } from './server-core.ts';
import { type ResolvedAddress, resolveEndpoint, type ServiceReference } from './service-resolver.ts';

/** Where something outside kube-apiserver listens: client configs of webhooks and APIServices. */
export interface OutboundEndpoint {
  readonly url?: string | undefined;
  readonly service?: (ServiceReference & { readonly path?: string }) | undefined;
  readonly caBundle?: string | undefined;
  readonly insecure?: boolean;
}

export interface OutboundCall {
  readonly method: string;
  /** What comes after the path of the endpoint, query included. */
  readonly suffix: string;
  readonly headers: OutboundRequest['headers'];
  readonly body?: string;
  readonly timeoutMs: number;
}

const HTTPS_PORT = 443;

/** The URL that messages name: services by their name in the cluster. */
export function urlOf({ url, service }: OutboundEndpoint, suffix = ''): string {
  if (!service) return `${url ?? ''}${suffix}`;
  const { namespace, name, port = HTTPS_PORT, path = '' } = service;
  return `https://${name}.${namespace}.svc:${port}${path.startsWith('/') || path === '' ? path : `/${path}`}${suffix}`;
}

/** Sends a request to something that is not kube-apiserver. @throws OutboundError `Post "https://…": why` */
export async function sendOutbound(server: ServerCore, endpoint: OutboundEndpoint, call: OutboundCall): Promise<OutboundAnswer> {
  try {
    return await reach(server, endpoint, call);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const { method } = call;
    const verb = `${method.slice(0, 1)}${method.slice(1).toLowerCase()}`;
    throw new OutboundError(`${verb} ${JSON.stringify(urlOf(endpoint, call.suffix))}: ${error.message}`);
  }
}

/** The same; what goes wrong is told without the URL. `address`: where the Service is reached, if the caller knows. @throws OutboundError */
export async function reach(
  server: ServerCore,
  endpoint: OutboundEndpoint,
  call: OutboundCall & { readonly address?: ResolvedAddress },
): Promise<OutboundAnswer> {
  const { method, headers, body, timeoutMs, suffix } = call;
  const { outbound, dialService } = server.config;
  const address = call.address ?? (endpoint.service && resolveEndpoint(server, endpoint.service));
  // What a Service of type ExternalName names is outside.
  const url = address?.outside
    ? urlOf({ url: `https://${address.ip}:${address.port}${endpoint.service?.path ?? ''}` }, suffix)
    : urlOf(endpoint, suffix);
  const request: OutboundRequest = {
    method,
    url,
    headers,
    timeoutMs,
    ...(body === undefined ? {} : { body }),
    ...(endpoint.caBundle ? { caBundle: endpoint.caBundle } : {}),
    ...(endpoint.service ? { serverName: `${endpoint.service.name}.${endpoint.service.namespace}.svc` } : {}),
    ...(endpoint.insecure ? { insecure: true } : {}),
  };
  if (address && !address.outside) {
    if (dialService) return dialService(address, request);
    throw new OutboundError(`dial tcp ${address.ip}:${address.port}: connect: network is unreachable`);
  }
  if (outbound) return outbound(request);
  throw new OutboundError(`dial tcp ${new URL(url).host}: connect: network is unreachable`);
}
