import { ingresses, services } from '../api/resources.ts';
import { isNotFound } from '../api/status-error.ts';
import type { Client } from '../client/client.ts';

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
