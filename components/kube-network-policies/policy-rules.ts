import type { Namespace, Pod } from '../../src/api/kinds/core-v1.ts';
import type { LabelSelector } from '../../src/api/kinds/meta-v1.ts';
import type { IPBlock, NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from '../../src/api/kinds/networking-v1.ts';
import { labelSelectorAsSelector, type Selector } from '../../src/api/label-selector.ts';
import { maskIP, parseCidr, parseIP } from '../../src/api/validation/ip.ts';
import type { Direction } from './packet-queue.ts';

/** One end of a connection. Without a pod it is something else: a node, a pod in the node's own network, the world outside. */
export interface Endpoint {
  readonly ip: string;
  readonly pod?: Pick<Pod, 'metadata' | 'spec'>;
  /** Where the pod is. */
  readonly namespace?: Pick<Namespace, 'metadata'>;
}

/** What a connection asks for. */
export interface Port {
  readonly port: number;
  readonly protocol: string;
}

/** A rule of a policy, of either direction. */
interface Rule {
  readonly peers: readonly NetworkPolicyPeer[] | undefined;
  readonly ports: readonly NetworkPolicyPort[] | undefined;
}

const selectors = new WeakMap<LabelSelector, Selector>();

function matches(selector: LabelSelector | undefined, labels: Readonly<Record<string, string>> = {}): boolean {
  if (!selector) return true;
  const known = selectors.get(selector) ?? labelSelectorAsSelector(selector);
  selectors.set(selector, known);
  return known.matches(labels);
}

/** Whether the policy isolates the pod in this direction. Both are in one namespace. */
export function isIsolatedBy({ spec }: NetworkPolicy, pod: Pick<Pod, 'metadata'>, direction: Direction): boolean {
  const type = direction === 'egress' ? 'Egress' : 'Ingress';
  return (spec?.policyTypes ?? ['Ingress']).includes(type) && matches(spec?.podSelector ?? {}, pod.metadata.labels);
}

/** The number of the rule that lets the connection through; -1 if none does. */
export function allowingRule(
  policy: NetworkPolicy,
  direction: Direction,
  connection: { peer: Endpoint; to: Endpoint; port: Port },
): number {
  const { peer, to, port } = connection;
  return rulesOf(policy, direction).findIndex(
    ({ peers, ports }) =>
      (!peers?.length || peers.some((candidate) => isPeer(candidate, peer, policy))) &&
      (!ports?.length || ports.some((candidate) => isPort(candidate, to, port))),
  );
}

function rulesOf({ spec }: NetworkPolicy, direction: Direction): readonly Rule[] {
  return direction === 'egress'
    ? (spec?.egress ?? []).map(({ to, ports }) => ({ peers: to, ports }))
    : (spec?.ingress ?? []).map(({ from, ports }) => ({ peers: from, ports }));
}

/** networking/v1 NetworkPolicyPeer: selectors mean pods, a block of addresses means whatever has such an address. */
function isPeer(
  { ipBlock, namespaceSelector, podSelector }: NetworkPolicyPeer,
  { ip, pod, namespace }: Endpoint,
  policy: NetworkPolicy,
): boolean {
  if (ipBlock) return isInBlock(ip, ipBlock);
  if (!pod) return false;
  const inNamespace = namespaceSelector
    ? matches(namespaceSelector, namespace?.metadata.labels)
    : pod.metadata.namespace === policy.metadata.namespace;
  return inNamespace && matches(podSelector, pod.metadata.labels);
}

function isInBlock(ip: string, { cidr, except = [] }: IPBlock): boolean {
  return contains(cidr, ip) && !except.some((part) => contains(part, ip));
}

function contains(range: string, text: string): boolean {
  const [cidr, ip] = [parseCidr(range), parseIP(text)];
  if (!cidr || cidr.ip.version !== ip?.version) return false;
  return maskIP(cidr.ip, cidr.prefix).value === maskIP(ip, cidr.prefix).value;
}

/** networking/v1 NetworkPolicyPort. A name stands for the port of that name of the pod that is connected to. */
function isPort({ port: wanted, endPort, protocol = 'TCP' }: NetworkPolicyPort, to: Endpoint, { port, protocol: used }: Port): boolean {
  if (protocol !== used) return false;
  if (wanted === undefined) return true;
  if (typeof wanted === 'number') return endPort === undefined ? port === wanted : port >= wanted && port <= endPort;
  const containers = [...(to.pod?.spec?.containers ?? []), ...(to.pod?.spec?.initContainers ?? []).filter(isSidecar)];
  return containers.some(({ ports = [] }) =>
    ports.some(({ name, containerPort, protocol: own = 'TCP' }) => name === wanted && own === used && containerPort === port),
  );
}

function isSidecar({ restartPolicy }: { readonly restartPolicy?: string }): boolean {
  return restartPolicy === 'Always';
}
