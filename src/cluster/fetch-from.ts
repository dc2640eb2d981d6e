import { type Outbound, OutboundError } from '../api/outbound.ts';
import type { Actor } from '../sim/actor.ts';
import type { Cluster } from './cluster.ts';
import { nodesOf } from './config.ts';
import { answerOf, visitOf } from './dial-service.ts';

const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** How a process that would run in a pod of `namespace` sends requests: to names and addresses of the cluster through its network, to all others out of it. */
export function fetchFrom(cluster: Cluster, actor: Actor, namespace: string): Outbound {
  return async (request) => {
    const { hostname, port, protocol } = new URL(request.url);
    const isAddress = /^\d+(\.\d+){3}$/.test(hostname);
    const [node] = nodesOf(cluster.config.nodes);
    const from = node && { node: node.name, fromIp: node.ip, namespace };
    const [ip] = isAddress || !from ? [hostname] : cluster.serviceNetwork.lookUp(hostname, from);
    if (ip !== undefined && node) {
      const address = { ip, port: Number(port) || (PORTS[protocol] ?? 80) };
      return answerOf(address, await cluster.serviceNetwork.visit(actor, visitOf(node.name, address, request)));
    }
    if (cluster.outbound) return cluster.outbound(request);
    throw new OutboundError(`dial tcp: lookup ${hostname}: no such host`);
  };
}
