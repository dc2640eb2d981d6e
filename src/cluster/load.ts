import type { NetworkNamespace } from '../../components/containerd/network-namespace.ts';
import type { Actor, Timer } from '../sim/actor.ts';
import type { Cluster } from './cluster.ts';
import { nodesOf } from './config.ts';

/** Requests to something in the cluster, as a rate: they are no events, but what answers them uses CPU. */
export interface Load {
  /** A Service by its name as a pod in `namespace` would say it, or an address. */
  readonly service: string;
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
  /** Who gets a share of it. */
  receivers: readonly { readonly network: NetworkNamespace; readonly port: number }[];
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
      const again = (): void => {
        this.#shareOut();
        actor.schedule(RESOLVE_AGAIN_MS, again, { priority: 'background' });
      };
      again();
    });
    this.#actor.start();
  }

  set(load: Load): void {
    const { service, namespace = 'default', port = HTTP_PORT, node = this.#firstNode() } = load;
    const key = `${node} ${namespace}/${service}:${port}`;
    const flow = { key, load: { ...load, namespace, port, node }, receivers: this.#flows.get(key)?.receivers ?? [] };
    this.#flows.set(key, flow);
    if (!this.#watched.has(node)) this.#cluster.serviceNetwork.netfilterOf(node)?.onChange(() => this.#shareOutSoon());
    this.#watched.add(node);
    this.#shareOutSoon();
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
    const { service, namespace = '', port = HTTP_PORT, node = '', requestsPerSecond } = load;
    const before = flow.receivers;
    const receivers = this.#cluster.serviceNetwork.destinationsOf({ node, namespace, host: service, port });
    flow.receivers = receivers;
    const share = receivers.length > 0 ? requestsPerSecond / receivers.length : 0;
    const isStill = (network: NetworkNamespace): boolean => receivers.some((receiver) => receiver.network === network);
    for (const receiver of before) if (!isStill(receiver.network)) receiver.network.arrive(receiver.port, key, 0);
    for (const receiver of receivers) receiver.network.arrive(receiver.port, key, share);
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
