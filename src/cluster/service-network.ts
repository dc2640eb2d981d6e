import type { NetworkNamespace } from '../../components/containerd/network-namespace.ts';
import type { Containerd } from '../../components/containerd/server.ts';
import { type Direction, type Packet, PacketQueue } from '../../components/kube-network-policies/packet-queue.ts';
import { Netfilter } from '../../components/kube-proxy/iptables/netfilter.ts';
import type { BalancerTarget, IncomingRequest } from '../api/load-balancer.ts';
import type { NameResolver, Route, SocketAddress } from '../api/network.ts';
import { clusterFirst, type ResolvConf } from '../api/resolv-conf.ts';
import type { Actor } from '../sim/actor.ts';
import type { Random } from '../sim/random.ts';
import { askPod } from './ask-pod.ts';
import { Balancers, destinationOf, isPrivate } from './balancers.ts';
import { everyDestination } from './every-destination.ts';
import { HostPortRules } from './host-ports.ts';
import { asksCluster, CLUSTER_DNS, NameServers } from './name-servers.ts';

/** A request to something in the cluster, e.g. to a Service by its name. */
export interface Visit {
  /** The node that it starts on; if absent it comes from outside of the cluster, where load balancers are known and nothing else. */
  readonly node?: string;
  /** The pod's address if a pod sends it; the node itself otherwise. */
  readonly fromIp?: string;
  /** Whose search path completes short names. */
  readonly namespace: string;
  /** How short names are completed and who is asked, if not as for pods of the namespace with dnsPolicy ClusterFirst. */
  readonly resolvConf?: ResolvConf;
  /** A name or an address; `service/web` or `ingress/shop` stand for what its status says it is reached by. */
  readonly host: string;
  /** Its address, where it is known without asking for its name. */
  readonly address?: string;
  readonly port: number;
  /** What the `Host` header says, if it is not that. */
  readonly hostHeader?: string;
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
/** resolv.conf(5): 5 s, twice. */
const DNS_TIMEOUT_MS = 10_000;

/** Somebody outside. */
export const CLIENT_IP = '198.51.100.10';

/** Pods and Services have addresses of 10.0.0.0/8 only. */
function isOfPods(ip: string): boolean {
  return ip.startsWith('10.');
}

/** Who answers at a port. */
interface Receiver {
  readonly network: NetworkNamespace;
  readonly port: number;
}

type Accepted = Route & { readonly verdict: 'accepted' };

interface NetworkNode {
  readonly ip: string;
  readonly netfilter: Netfilter;
  readonly hostPorts: HostPortRules;
  /** Where a network plugin decides about packets, if one does. */
  packets?: PacketQueue;
  containerd?: Containerd;
}

/** The cluster's network as packets see it: names (CoreDNS), each node's packet filter (kube-proxy), and the pods' addresses (the runtimes). */
export class ServiceNetwork {
  readonly #nodes = new Map<string, NetworkNode>();
  readonly #random: Random;
  /** Those of the cloud that the cluster runs in. */
  readonly balancers = new Balancers();
  readonly #names = new NameServers((name) => this.balancers.resolve(name));

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

  get nodes(): readonly string[] {
    return [...this.#nodes.keys()];
  }

  hasNode(name: string): boolean {
    return this.#nodes.has(name);
  }

  /** The container runtime of a node. */
  runtimeOf(name: string): Containerd | undefined {
    return this.#nodes.get(name)?.containerd;
  }

  /** Whoever has this address, on a machine that is up. */
  networkAt(ip: string): NetworkNamespace | undefined {
    for (const node of this.#nodes.values()) {
      const network = node.containerd?.runtime.networkAt(ip);
      if (network && isUp(node)) return network;
    }
    return undefined;
  }

  /** The packet filter of a node. */
  netfilterOf(name: string): Netfilter | undefined {
    return this.#nodes.get(name)?.netfilter;
  }

  /** From now on the packets of the node's pods are queued for whoever decides about them. */
  queuePackets(name: string): PacketQueue {
    const queue = new PacketQueue();
    const node = this.#nodes.get(name);
    if (node) node.packets = queue;
    return queue;
  }

  setResolver(resolver: NameResolver): void {
    this.#names.setCluster(resolver);
  }

  /** Sends a request on its way, from an event of `actor`. */
  async visit(actor: Actor, visit: Visit): Promise<VisitResult> {
    const way: string[] = [];
    if (visit.node === undefined) return this.#fromOutside(actor, visit, way);
    const node = this.#nodes.get(visit.node);
    if (!node) return { outcome: 'no such name', way };
    const ip = this.#lookUp(node, visit, way);
    if (ip === 'timeout') return late(actor, DNS_TIMEOUT_MS, { outcome: 'no such name', way });
    if (ip === undefined) return { outcome: 'no such name', way };
    const from = visit.fromIp ?? node.ip;
    const route = node.netfilter.route({ from, destination: { ip, port: visit.port }, protocol: 'TCP' }, this.#random);
    for (const { chain, rule } of route.rules) way.push(`kube-proxy/${visit.node} ${chain}: ${rule}`);
    if (route.verdict !== 'accepted') return { outcome: route.verdict === 'rejected' ? 'refused' : 'timeout', way };
    return this.#reach(actor, { visit, node, route, way, from });
  }

  async #fromOutside(actor: Actor, visit: Visit, way: string[]): Promise<VisitResult> {
    const { host, port } = visit;
    const addresses = isAddress(host) ? [host] : this.balancers.resolve(host);
    if (!isAddress(host)) way.push(`dns: ${host} is ${addresses?.join(', ') ?? 'NXDOMAIN'}`);
    if (!addresses) return { outcome: 'no such name', way };
    const ip = this.#oneOf(addresses);
    const through = isPrivate(ip) ? undefined : await this.#throughBalancer(actor, { visit, way, ip, from: CLIENT_IP });
    if (through) return through;
    way.push(`to ${ip}:${port}: nobody outside of the cluster has this address`);
    return late(actor, TIMEOUT_MS, { outcome: 'timeout', way });
  }

  /** Undefined when there is no load balancer at the address. */
  async #throughBalancer(
    actor: Actor,
    { visit, way, ip, from }: { readonly visit: Visit; readonly way: string[]; readonly ip: string; readonly from: string },
  ): Promise<VisitResult | undefined> {
    const { host, hostHeader = host, port, path } = visit;
    const forwarding = this.balancers.forward(ip, { port, host: hostHeader, path });
    if (!forwarding) return undefined;
    way.push(forwarding.what);
    if (forwarding.verdict === 'timeout') return late(actor, TIMEOUT_MS, { outcome: 'timeout', way });
    if (forwarding.verdict === 'answer') {
      const { status, body } = forwarding;
      return { outcome: 'answered', status, body, address: `${ip}:${port}`, way };
    }
    const target = this.#oneOf(forwarding.targets);
    const result = await this.#toTarget(actor, { visit, way, target: { from, ...target }, ip });
    return forwarding.proxies ? asGateway(result, `${ip}:${port}`) : result;
  }

  /** From a load balancer to a node, whose rules lead on, or to a pod. */
  async #toTarget(
    actor: Actor,
    {
      visit,
      way,
      target,
      ip,
    }: { readonly visit: Visit; readonly way: string[]; readonly target: BalancerTarget & { readonly from: string }; readonly ip: string },
  ): Promise<VisitResult> {
    const { from } = target;
    const [name, node] = this.#nodeAt(target.ip) ?? [];
    if (!node) return this.#deliver(actor, { visit, way, packet: { from, to: { ip: target.ip, port: target.port }, protocol: 'TCP' } });
    const destination = destinationOf(target, { ip, port: visit.port });
    way.push(`from ${from} to node ${name}, ${destination.ip}:${destination.port}`);
    if (!isUp(node)) return late(actor, TIMEOUT_MS, { outcome: 'timeout', way });
    const route = node.netfilter.route({ from, destination, protocol: 'TCP' }, this.#random);
    for (const { chain, rule } of route.rules) way.push(`kube-proxy/${name} ${chain}: ${rule}`);
    if (route.verdict === 'dropped') return late(actor, TIMEOUT_MS, { outcome: 'timeout', way });
    // Nobody but kube-proxy knows the port.
    if (route.verdict !== 'accepted' || route.destination.ip === destination.ip) return { outcome: 'refused', way };
    return this.#reach(actor, { visit, node, route, way, from });
  }

  #oneOf<T>(all: readonly T[]): T {
    return all[Math.floor(this.#random.float() * all.length)] as T;
  }

  #nodeAt(ip: string): [string, NetworkNode] | undefined {
    return [...this.#nodes].find(([, node]) => node.ip === ip);
  }

  /** Every endpoint that requests to a load balancer may reach, and the part of them that each gets. */
  sharesBehind(
    host: string,
    request: IncomingRequest,
  ): { readonly network: NetworkNamespace; readonly port: number; readonly share: number }[] {
    const ips = (isAddress(host) ? [host] : (this.balancers.resolve(host) ?? [])).filter((ip) => !isPrivate(ip));
    return ips.flatMap((ip) => {
      const forwarding = this.balancers.forward(ip, request);
      if (forwarding?.verdict !== 'forward') return [];
      return forwarding.targets.flatMap((target) => {
        const receivers = this.receiversBehind({
          ...destinationOf(target, { ip, port: request.port }),
          from: target.from ?? CLIENT_IP,
          at: target.ip,
        });
        const share = 1 / (ips.length * forwarding.targets.length * receivers.length);
        return receivers.map((receiver) => ({ ...receiver, share }));
      });
    });
  }

  /** Whom packets from outside reach behind an address of a pod, or by the rules of a node (`at`, unless it is that address). */
  receiversBehind({ ip, port, from, at = ip }: SocketAddress & { readonly from: string; readonly at?: string }): Receiver[] {
    const [, node] = this.#nodeAt(at) ?? [];
    if (!node) return this.#receivers({ ip, port }, from);
    if (!isUp(node)) return [];
    const connection = { from, destination: { ip, port }, protocol: 'TCP' as const };
    return everyDestination(node.netfilter, connection).flatMap((to) => this.#receivers(this.#throughHostPort(to, []), from));
  }

  #receivers(to: SocketAddress, from: string): Receiver[] {
    const holder = [...this.#nodes.values()].find(({ containerd }) => containerd?.runtime.networkAt(to.ip));
    const network = holder?.containerd?.runtime.networkAt(to.ip);
    if (!holder || !network || !passes(holder, ['ingress', { from, to, protocol: 'TCP' }], [])) return [];
    return [{ network, port: to.port }];
  }

  /** The addresses of a name, as the pod resolves it. */
  lookUp(
    host: string,
    from: Pick<Visit, 'namespace' | 'resolvConf'> & { readonly node: string; readonly fromIp: string },
  ): readonly string[] {
    const { node: name, fromIp, namespace, resolvConf = clusterFirst(namespace) } = from;
    const node = this.#nodes.get(name);
    if (node && asksCluster(resolvConf) && !passes(node, ['egress', dnsQuestion(fromIp)], [])) return [];
    return this.#names.lookUp(host, resolvConf).addresses;
  }

  /** Every endpoint that requests from a node (not from a pod on it) may reach, each as likely as the others. */
  destinationsOf({
    node: name,
    namespace,
    host,
    port,
  }: Pick<Visit, 'namespace' | 'host' | 'port'> & { readonly node: string }): Receiver[] {
    const node = this.#nodes.get(name);
    if (!node) return [];
    const addresses = isAddress(host) ? [host] : this.#names.lookUp(host, clusterFirst(namespace)).addresses;
    const connections = addresses.map((ip) => ({ from: node.ip, destination: { ip, port }, protocol: 'TCP' as const }));
    return connections.flatMap((connection) =>
      everyDestination(node.netfilter, connection).flatMap((routed) => {
        const to = this.#throughHostPort(routed, []);
        const holder = [...this.#nodes.values()].find(({ containerd }) => containerd?.runtime.networkAt(to.ip));
        const network = holder?.containerd?.runtime.networkAt(to.ip);
        if (!holder || !network) return [];
        const arrives = node === holder || passes(holder, ['ingress', { from: node.ip, to, protocol: 'TCP' }], []);
        return arrives ? [{ network, port: to.port }] : [];
      }),
    );
  }

  #lookUp(node: NetworkNode, visit: Visit, way: string[]): string | 'timeout' | undefined {
    const { fromIp, namespace, address: host = visit.host, resolvConf = clusterFirst(namespace) } = visit;
    if (isAddress(host)) return host;
    const own = asksCluster(resolvConf);
    if (own && fromIp !== undefined && !passes(node, ['egress', dnsQuestion(fromIp)], way)) return 'timeout';
    const { addresses, tried, code } = this.#names.lookUp(host, resolvConf);
    way.push(
      `${own ? 'coredns' : (resolvConf.nameservers?.[0] ?? 'no name server')}: ${tried.join(' ')} is ${addresses.join(', ') || code}`,
    );
    return addresses[0];
  }

  /** A port of a node may lead to a pod on it. */
  #throughHostPort(destination: SocketAddress, way: string[]): SocketAddress {
    for (const [name, { ip, hostPorts }] of this.#nodes) {
      if (ip !== destination.ip) continue;
      const found = hostPorts.lookUp(destination, 'TCP');
      if (found) way.push(`portmap/${name} CNI-HOSTPORT-DNAT: ${found.rule}`);
      return found?.to ?? destination;
    }
    return destination;
  }

  async #reach(
    actor: Actor,
    { visit, node, route, way, from }: { visit: Visit; node: NetworkNode; route: Accepted; way: string[]; from: string },
  ): Promise<VisitResult> {
    const to = this.#throughHostPort(route.destination, way);
    const packet: Packet = { from, to, protocol: 'TCP' };
    if (!passes(node, ['egress', packet], way)) return late(actor, TIMEOUT_MS, { outcome: 'timeout', way });
    return this.#deliver(actor, { visit, way, packet: route.masqueraded ? { ...packet, from: node.ip } : packet });
  }

  async #deliver(
    actor: Actor,
    { visit, way, packet }: { readonly visit: Visit; readonly way: string[]; readonly packet: Packet },
  ): Promise<VisitResult> {
    const { ip, port } = packet.to;
    const holder = [...this.#nodes.values()].find(({ containerd }) => containerd?.runtime.networkAt(ip));
    const target = holder?.containerd;
    const through = target ? undefined : await this.#throughBalancer(actor, { visit, way, ip, from: packet.from });
    if (through) return through;
    way.push(target ? `from ${packet.from} to ${ip}:${port}` : `to ${ip}:${port}: nobody has this address`);
    if (!target) return { outcome: 'timeout', way, ...(isOfPods(ip) ? {} : { beyond: { ip, port } }) };
    // A node reaches its own pods whatever policies say.
    if (packet.from !== holder.ip && !passes(holder, ['ingress', packet], way)) return late(actor, TIMEOUT_MS, { outcome: 'timeout', way });
    const answers = { ...(await askPod(actor, target, { visit, to: packet.to, timeoutMs: visit.call?.timeoutMs ?? TIMEOUT_MS })), way };
    return answers.outcome === 'timeout' ? answers : { ...answers, address: `${ip}:${port}` };
  }
}

function isAddress(host: string): boolean {
  return /^\d+(\.\d+){3}$/.test(host);
}

/** Nobody but a dead machine's pods are on it. */
function isUp({ containerd }: NetworkNode): boolean {
  return containerd?.actor.state !== 'crashed';
}

/** What somebody hears who speaks HTTP with the load balancer, not with the target. */
function asGateway(result: VisitResult, address: string): VisitResult {
  if (result.outcome === 'answered') return result;
  const status = result.outcome === 'timeout' ? 504 : 502;
  const [body, way] = [status === 504 ? '504 Gateway Time-out' : '502 Bad Gateway', result.way];
  return { outcome: 'answered', status, body, address, way };
}

/** Whether the network plugin lets the packet through; the way gets what it says. */
function passes({ packets }: NetworkNode, [direction, packet]: readonly [Direction, Packet], way: string[]): boolean {
  const verdict = packets?.judge(direction, packet);
  if (verdict) way.push(`kube-network-policies: ${verdict.message}`);
  return verdict?.accepted ?? true;
}

function dnsQuestion(from: string): Packet {
  return { from, to: CLUSTER_DNS, protocol: 'UDP' };
}

/** Nobody answers: that shows only when the sender gives up. */
async function late(actor: Actor, ms: number, result: VisitResult): Promise<VisitResult> {
  await actor.sleep(ms);
  return result;
}
