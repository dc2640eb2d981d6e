import { ingresses, services } from '../api/resources.ts';
import { isNotFound } from '../api/status-error.ts';
import type { Client } from '../client/client.ts';
import type { Visit, VisitResult } from './service-network.ts';

const PLACE = /^(service|ingress)\/(.+)$/;

/** Whether a host is said as the object that has a load balancer: `service/web`, `ingress/shop`. */
export function isBalanced(host: string): boolean {
  return PLACE.test(host);
}

/** What the status of a Service or an Ingress says it is reached by: the name or the address of its load balancer; undefined while it has none. */
export async function reachedBy(
  client: Client,
  { host, namespace }: { readonly host: string; readonly namespace: string },
): Promise<string | undefined> {
  const [, kind, name = ''] = PLACE.exec(host) ?? [];
  try {
    const at = { namespace, name };
    const { status } = await (kind === 'service' ? client.resource(services).get(at) : client.resource(ingresses).get(at));
    const [first] = status?.loadBalancer?.ingress ?? [];
    return first?.hostname ?? first?.ip;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** The visit with an address where the name of a load balancer is asked for; undefined when there is none. */
export async function addressed(client: Client, visit: Visit): Promise<Visit | undefined> {
  if (!isBalanced(visit.host)) return visit;
  const host = await reachedBy(client, visit);
  return host === undefined ? undefined : { ...visit, host };
}

/** What comes of a visit to the name of a load balancer that there is not. */
export function unbalanced({ host }: Visit): VisitResult {
  return { outcome: 'no such name', way: [`${host} has no load balancer`] };
}

/** `web:80/ answered with 200 by 10.0.0.4:80` */
export function connectionText({ host, port, path = '' }: Visit, { outcome, status, address }: VisitResult): string {
  return `${host}:${port}${path} ${outcome}${status === undefined ? '' : ` with ${status}`}${address ? ` by ${address}` : ''}`;
}
