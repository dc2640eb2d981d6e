import { NodePodNetwork } from '../../components/containerd/pod-network.ts';
import type { Containerd } from '../../components/containerd/server.ts';
import { Netfilter } from '../../components/kube-proxy/iptables/netfilter.ts';
import type { NameResolver, Route } from '../api/network.ts';
import { clusterFirst, lookupHost } from '../api/resolv-conf.ts';
import type { Actor } from '../sim/actor.ts';
import type { Random } from '../sim/random.ts';
import { HostPortRules } from './host-ports.ts';

/** A request to something in the cluster, e.g. to a Service by its name. */
export interface Visit {
  /** The node that it starts on. */
  readonly node: string;
  /** The pod's address if a pod sends it; the node itself otherwise. */
  readonly fromIp?: string;
  /** Whose search path completes short names. */
  readonly namespace: string;
  /** A name or an address. */
  readonly host: string;
  readonly port: number;
  /** For HTTP. */
  readonly path?: string;
  /** What is sent, where it is no plain GET. */
  readonly call?: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly timeoutMs: number;
  };
}

/** What became of a visit, and the way it took: one line per stage. */
export interface VisitResult {
  readonly outcome: 'answered' | 'refused' | 'timeout' | 'no such name';
  readonly status?: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Who answered. */
  readonly address?: string;
  /** Where it left the network of the cluster: an address that is neither a pod's nor a node's. Nobody has answered yet. */
  readonly beyond?: { readonly ip: string; readonly port: number };
  readonly way: readonly string[];
}

const TIMEOUT_MS = 5_000;
const NO_DNS: NameResolver = { resolve: () => ({ code: 'TIMEOUT', answers: [], additional: [] }) };

/** Pods and Services have addresses of 10.0.0.0/8 only. */
function isOfPods(ip: string): boolean {
  return ip.startsWith('10.');
}

interface NetworkNode {
  readonly ip: string;
  readonly netfilter: Netfilter;
  readonly hostPorts: HostPortRules;
  containerd?: Containerd;
}

/** The cluster's network as packets see it: names (CoreDNS), each node's packet filter (kube-proxy), and the pods' addresses (the runtimes). */
export class ServiceNetwork {
  readonly #nodes = new Map<string, NetworkNode>();
  readonly #random: Random;
  #resolver: NameResolver = NO_DNS;

  constructor(random: Random) {
    this.#random = random;
  }

  addNode(name: string, node: { readonly ip: string; readonly now: () => number }): NetworkNode {
    const made: NetworkNode = {
      ip: node.ip,
      netfilter: new Netfilter({ now: node.now, addresses: [node.ip] }),
      hostPorts: new HostPortRules(),
    };
    this.#nodes.set(name, made);
    return made;
  }

  hasNode(name: string): boolean {
    return this.#nodes.has(name);
  }

  /** The container runtime of a node. */
  runtimeOf(name: string): Containerd | undefined {
    return this.#nodes.get(name)?.containerd;
  }

  /** The packet filter of a node. */
  netfilterOf(name: string): Netfilter | undefined {
    return this.#nodes.get(name)?.netfilter;
  }

  setResolver(resolver: NameResolver): void {
    this.#resolver = resolver;
  }

  /** Sends a request on its way, from an event of `actor`. */
  async visit(actor: Actor, visit: Visit): Promise<VisitResult> {
    const node = this.#nodes.get(visit.node);
    const way: string[] = [];
    const ip = this.#lookUp(visit, way);
    if (!node || ip === undefined) return { outcome: 'no such name', way };
    const from = visit.fromIp ?? node.ip;
    const route = node.netfilter.route({ from, destination: { ip, port: visit.port }, protocol: 'TCP' }, this.#random);
    for (const { chain, rule } of route.rules) way.push(`kube-proxy/${visit.node} ${chain}: ${rule}`);
    if (route.verdict !== 'accepted') return { outcome: route.verdict === 'rejected' ? 'refused' : 'timeout', way };
    return this.#reach(actor, { visit, route, way });
  }

  /** The addresses of a name, as a pod of that namespace resolves it. */
  lookUp(host: string, namespace: string): readonly string[] {
    return lookupHost(host, clusterFirst(namespace), this.#resolver).addresses;
  }

  #lookUp({ host, namespace }: Visit, way: string[]): string | undefined {
    if (/^\d+(\.\d+){3}$/.test(host)) return host;
    const { addresses, tried, code } = lookupHost(host, clusterFirst(namespace), this.#resolver);
    way.push(`coredns: ${tried.join(' ')} is ${addresses.join(', ') || code}`);
    return addresses[0];
  }

  async #reach(
    actor: Actor,
    { visit, route, way }: { visit: Visit; route: Route & { verdict: 'accepted' }; way: string[] },
  ): Promise<VisitResult> {
    const { ip, port } = route.destination;
    const target = [...this.#nodes.values()].find(({ containerd }) => containerd?.runtime.networkAt(ip))?.containerd;
    way.push(`to ${ip}:${port}${target ? '' : ': nobody has this address'}`);
    if (!target) return { outcome: 'timeout', way, ...(isOfPods(ip) ? {} : { beyond: { ip, port } }) };
    const network = new NodePodNetwork({ caller: actor, target: target.actor, networkAt: (address) => target.runtime.networkAt(address) });
    const address = `${ip}:${port}`;
    if (visit.path === undefined) {
      const answer = await network.connect({ host: ip, port }, TIMEOUT_MS);
      return { outcome: answer === 'connected' ? 'answered' : answer, address, way };
    }
    const { timeoutMs = TIMEOUT_MS, ...sent } = visit.call ?? { method: 'GET', headers: { host: visit.host } };
    const answer = await network.http({ ...sent, host: ip, port, path: visit.path }, timeoutMs);
    if (typeof answer === 'string') return { outcome: answer, address, way };
    const { status, body, headers } = answer;
    return { outcome: 'answered', status, body, ...(headers ? { headers } : {}), address, way };
  }
}
