import { type OutboundAnswer, OutboundError, type OutboundRequest } from '../api/outbound.ts';
import type { Actor } from '../sim/actor.ts';
import type { Cluster } from './cluster.ts';
import { nodesOf } from './config.ts';
import type { Visit, VisitResult } from './service-network.ts';

interface Address {
  readonly ip: string;
  readonly port: number;
}

/** kube-apiserver's way to a Service, from the node that it would run on. @throws OutboundError */
export async function dialService(
  { cluster, from }: { readonly cluster: Cluster; readonly from: Actor },
  { ip, port }: Address,
  request: OutboundRequest,
): Promise<OutboundAnswer> {
  const [node] = nodesOf(cluster.config.nodes);
  if (!node) throw new OutboundError(`dial tcp ${ip}:${port}: connect: network is unreachable`);
  const result = await cluster.serviceNetwork.visit(from, visitOf(node.name, { ip, port }, request));
  if (result.beyond && cluster.outbound) return cluster.outbound(redirect(request, result.beyond));
  return answerOf({ ip, port }, result);
}

/** A request of kube-apiserver to a Service as it goes through the network. What TLS would say is not looked at. */
export function visitOf(node: string, { ip, port }: Address, { method, url, headers, body, timeoutMs }: OutboundRequest): Visit {
  const { host, pathname, search } = new URL(url);
  const plain = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : value.join(', ')]),
  );
  const call = { method, headers: { ...plain, host }, timeoutMs, ...(body === undefined ? {} : { body }) };
  return { node, namespace: 'default', host: ip, port, path: `${pathname}${search}`, call };
}

/** The same request at the address that the network took it to. */
function redirect(request: OutboundRequest, { ip, port }: Address): OutboundRequest {
  const { pathname, search } = new URL(request.url);
  return { ...request, url: `https://${ip}:${port}${pathname}${search}` };
}

/** What came of it. @throws OutboundError */
export function answerOf({ ip, port }: Address, { outcome, status, body = '', headers = {} }: VisitResult): OutboundAnswer {
  if (outcome === 'answered' && status !== undefined) return { status, body, headers };
  throw new OutboundError(`dial tcp ${ip}:${port}: ${outcome === 'refused' ? 'connect: connection refused' : 'i/o timeout'}`);
}
