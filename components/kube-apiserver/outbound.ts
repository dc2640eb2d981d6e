import { type OutboundAnswer, OutboundError } from '../../src/api/outbound.ts';
import { services } from '../../src/api/resources.ts';
import type { ServerCore } from './server-core.ts';

/** Where something outside kube-apiserver listens: client configs of webhooks and APIServices. */
export interface OutboundEndpoint {
  readonly url?: string | undefined;
  readonly service?: { readonly namespace: string; readonly name: string; readonly port?: number; readonly path?: string } | undefined;
  readonly caBundle?: string | undefined;
  readonly insecure?: boolean;
}

export interface OutboundCall {
  readonly method: string;
  /** What comes after the path of the endpoint, query included. */
  readonly suffix: string;
  readonly headers: Readonly<Record<string, string>>;
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
  const url = urlOf(endpoint, call.suffix);
  const { method, headers, body, timeoutMs } = call;
  const request = {
    method,
    url,
    headers,
    timeoutMs,
    ...(body === undefined ? {} : { body }),
    ...(endpoint.caBundle ? { caBundle: endpoint.caBundle } : {}),
    ...(endpoint.insecure ? { insecure: true } : {}),
  };
  try {
    const { outbound, dialService } = server.config;
    if (!endpoint.service) {
      if (!outbound) throw new OutboundError(`dial tcp ${new URL(url).host}: connect: network is unreachable`);
      return await outbound(request);
    }
    const address = addressOf(server, endpoint.service);
    if (!dialService) throw new OutboundError(`dial tcp ${address.ip}:${address.port}: connect: network is unreachable`);
    return await dialService(address, request);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new OutboundError(`${method[0]}${method.slice(1).toLowerCase()} ${JSON.stringify(url)}: ${error.message}`);
  }
}

/** kube-aggregator pkg/apiserver.NewClusterIPServiceResolver: a Service is reached by its cluster IP. */
function addressOf(
  server: ServerCore,
  { namespace, name, port = HTTPS_PORT }: NonNullable<OutboundEndpoint['service']>,
): { ip: string; port: number } {
  const spec = server.storage(services).get(namespace, name)?.spec;
  if (!spec) throw new OutboundError(`service ${JSON.stringify(name)} not found`);
  if (spec.type === 'ExternalName') return { ip: spec.externalName ?? '', port };
  if (!spec.ports?.some((candidate) => candidate.port === port))
    throw new OutboundError(`no service port ${port} found for service ${JSON.stringify(name)}`);
  if (!spec.clusterIP || spec.clusterIP === 'None') throw new OutboundError(`unsupported service type "${spec.type ?? ''}"`);
  return { ip: spec.clusterIP, port };
}
