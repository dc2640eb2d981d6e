import { type OutboundAnswer, OutboundError, type OutboundRequest } from '../api/outbound.ts';
import type { Visit, VisitResult } from './service-network.ts';

interface Address {
  readonly ip: string;
  readonly port: number;
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
export function redirect(request: OutboundRequest, { ip, port }: Address): OutboundRequest {
  const { pathname, search } = new URL(request.url);
  return { ...request, url: `https://${ip}:${port}${pathname}${search}` };
}

/** What came of it. @throws OutboundError */
export function answerOf({ ip, port }: Address, { outcome, status, body = '', headers = {} }: VisitResult): OutboundAnswer {
  if (outcome === 'answered' && status !== undefined) return { status, body, headers };
  throw new OutboundError(`dial tcp ${ip}:${port}: ${outcome === 'refused' ? 'connect: connection refused' : 'i/o timeout'}`);
}
