import type { NetworkNamespace } from '../../components/containerd/network-namespace.ts';
import type { Actor, Timer } from '../sim/actor.ts';
import type { Cluster } from './cluster.ts';
import { nodesOf } from './config.ts';
import { isBalanced, reachedBy } from './reached-by.ts';
import { KUBERNETES_ADMIN } from './users.ts';

/** Requests to something in the cluster, as a rate: they are no events, but what answers them uses CPU. */
export interface Load {
  /**
   * A Service by its name as a pod in `namespace` would say it, or an address. `service/web` and `ingress/shop` stand for their load balancer, that is for what
   * their status says they are reached by; then the load comes from outside of the cluster.
   */
  readonly service: string;
  /** What the `Host` header says, for load balancers that look at it. */
  readonly host?: string;
  /** Default `default`. */
  readonly namespace?: string;
  /** Default 80. */
  readonly port?: number;
  /** Instead of what it was; 0 ends the load. */
  readonly requestsPerSecond: number;
  /** Where it comes from: the rules of this node's kube-proxy share it out. Default: the first node. */
  readonly node?: string;
}

/** As long as a resolver keeps an answer: CoreDNS's TTL. */
const RESOLVE_AGAIN_MS = 30_000;
const HTTP_PORT = 80;

interface Flow {
  readonly key: string;
  readonly load: Load;
  /** The name or address that it goes to, once that is known. */
  host: string | undefined;
  /** Who gets a share of it. */
  receivers: readonly Receiver[];
}

interface Receiver {
  readonly network: NetworkNamespace;
  readonly port: number;
  /** Its part of the whole. */
  readonly share: number;
}

/**
 * Clients outside the pods that send requests at steady rates. Each rate is shared evenly among the endpoints to which DNS and kube-proxy lead, anew whenever
 * rules change; a container that listens at the port uses CPU for its share (`cpuPerRequestMs` of its image). Between changes nothing happens.
 */
export class LoadGenerator {
  readonly #cluster: Cluster;
  readonly #actor: Actor;
  readonly #flows = new Map<string, Flow>();
  readonly #watched = new Set<string>();
  #soon: Timer | undefined;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#actor = cluster.simulation.actor('load', (actor) => {
      const again = async (): Promise<void> => {
        for (const flow of this.#flows.values()) if (flow.host === undefined) await this.#findHost(flow);
        this.#shareOut();
        actor.schedule(RESOLVE_AGAIN_MS, again, { priority: 'background' });
      };
      return again();
    });
    this.#actor.start();
  }

  set(load: Load): void {
    const { service, namespace = 'default', port = HTTP_PORT, node = this.#firstNode() } = load;
    const isOutside = isBalanced(service);
    const key = `${isOutside ? 'outside' : node} ${namespace}/${service}:${port}`;
    const before = this.#flows.get(key);
    const flow: Flow = {
      ...{ key, load: { ...load, namespace, port, node } },
      host: isOutside ? before?.host : service,
      receivers: before?.receivers ?? [],
    };
    this.#flows.set(key, flow);
    // A load balancer sends to any node.
    for (const name of isOutside ? nodesOf(this.#cluster.config.nodes).map((each) => each.name) : [node]) this.#watch(name);
    if (flow.host === undefined) this.#actor.schedule(0, () => this.#findHost(flow).then(() => this.#shareOut()));
    else this.#shareOutSoon();
  }

  #watch(node: string): void {
    if (!this.#watched.has(node)) this.#cluster.serviceNetwork.netfilterOf(node)?.onChange(() => this.#shareOutSoon());
    this.#watched.add(node);
  }

  async #findHost(flow: Flow): Promise<void> {
    const { service, namespace = 'default' } = flow.load;
    const client = this.#cluster.clientOf(this.#actor, KUBERNETES_ADMIN);
    flow.host = await reachedBy(client, { host: service, namespace });
  }

  /** Each of those that it may reach once. */
  #receiversOf({ load, host }: Flow): Receiver[] {
    const { service, namespace = '', port = HTTP_PORT, node = '', host: hostHeader = host } = load;
    const { serviceNetwork } = this.#cluster;
    if (host === undefined || hostHeader === undefined) return [];
    if (!isBalanced(service)) {
      const all = serviceNetwork.destinationsOf({ node, namespace, host, port });
      return all.map((receiver) => ({ ...receiver, share: 1 / all.length }));
    }
    const merged = new Map<NetworkNamespace, Receiver>();
    for (const receiver of serviceNetwork.sharesBehind(host, { port, host: hostHeader, path: '/' })) {
      const share = receiver.share + (merged.get(receiver.network)?.share ?? 0);
      merged.set(receiver.network, { ...receiver, share });
    }
    return [...merged.values()];
  }

  #firstNode(): string {
    return nodesOf(this.#cluster.config.nodes)[0]?.name ?? '';
  }

  #shareOutSoon(): void {
    this.#soon ??= this.#actor.schedule(0, () => {
      this.#soon = undefined;
      this.#shareOut();
    });
  }

  #shareOut(): void {
    for (const flow of this.#flows.values()) this.#send(flow);
  }

  #send(flow: Flow): void {
    const { key, load } = flow;
    const { service, port = HTTP_PORT, requestsPerSecond } = load;
    const before = flow.receivers;
    const receivers = this.#receiversOf(flow);
    flow.receivers = receivers;
    const isStill = (network: NetworkNamespace): boolean => receivers.some((receiver) => receiver.network === network);
    for (const receiver of before) if (!isStill(receiver.network)) receiver.network.arrive(receiver.port, key, 0);
    for (const receiver of receivers) receiver.network.arrive(receiver.port, key, requestsPerSecond * receiver.share);
    if (requestsPerSecond === 0) this.#flows.delete(key);
    const same = before.length === receivers.length && before.every(({ network }) => isStill(network));
    if (same && requestsPerSecond > 0 && receivers.length > 0) return;
    const message = `${requestsPerSecond} requests/s for ${service}:${port}, shared among ${receivers.length} endpoints`;
    this.#cluster.simulation.trace.record({ kind: 'runtime', what: 'load', message });
  }
}

/** How the trace shows that a load is set. */
export function describeLoad({ service, port = HTTP_PORT, requestsPerSecond }: Load): string {
  return `load of ${requestsPerSecond} requests/s for ${service}:${port}`;
}
