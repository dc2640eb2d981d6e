import { isBalanced } from './reached-by.ts';
import type { ServiceNetwork, Visit } from './service-network.ts';

/**
 * The request of a person. People outside know load balancers; names and addresses of the cluster are for who is in it, on its first node.
 * @example visitByHand(cluster.serviceNetwork, { host: 'service/web', port: 80, path: '/' })
 */
export function visitByHand(
  network: ServiceNetwork,
  asked: { readonly host: string; readonly port: number; readonly path: string },
): Visit {
  const isOutside = isBalanced(asked.host) || network.balancers.has(asked.host);
  const [node = 'n1'] = network.nodes;
  return { ...(isOutside ? {} : { node }), namespace: 'default', ...asked };
}
