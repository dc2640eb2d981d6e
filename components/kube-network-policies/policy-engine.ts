import type { Namespace, Pod } from '../../src/api/kinds/core-v1.ts';
import type { NetworkPolicy } from '../../src/api/kinds/networking-v1.ts';
import type { Indexer } from '../../src/client/indexer.ts';
import { type Direction, describePacket, type Packet, type Verdict } from './packet-queue.ts';
import { allowingRule, type Endpoint, isIsolatedBy } from './policy-rules.ts';

/** Index of pods by the addresses that are theirs alone. */
export const BY_IP = 'podIP';

/** Addresses of a pod; none if it has the node's, or has ended and may have lost them to another. */
export function podIPsOf({ spec, status }: Pod): readonly string[] {
  if (spec?.hostNetwork || status?.phase === 'Succeeded' || status?.phase === 'Failed') return [];
  return (status?.podIPs ?? []).flatMap(({ ip }) => ip ?? []);
}

export interface PolicyEngineParts {
  readonly pods: Indexer<Pod>;
  readonly namespaces: Indexer<Namespace>;
  readonly policies: Indexer<NetworkPolicy>;
  /** What has an address and is no pod here, and stands for one. */
  readonly others: ReadonlyMap<string, Endpoint>;
}

/** kube-network-policies pkg/networkpolicy: decides about packets by the policies that the API has. */
export class PolicyEngine {
  readonly #parts: PolicyEngineParts;

  constructor(parts: PolicyEngineParts) {
    this.#parts = parts;
  }

  /** Undefined when no policy isolates the pod in this direction. */
  judge(direction: Direction, packet: Packet): Verdict | undefined {
    const [from, to] = [this.#endpointAt(packet.from), this.#endpointAt(packet.to.ip)];
    const [subject, peer] = direction === 'egress' ? [from, to] : [to, from];
    const { pod } = subject;
    if (!pod || pod === peer.pod) return undefined;
    const { name = '', namespace = '' } = pod.metadata;
    const isolating = this.#parts.policies.listNamespace(namespace).filter((policy) => isIsolatedBy(policy, pod, direction));
    if (isolating.length === 0) return undefined;
    const connection = { peer, to, port: { port: packet.to.port, protocol: packet.protocol } };
    const what = `${describePacket(packet)} (${direction} of ${namespace}/${name})`;
    for (const policy of isolating) {
      const rule = allowingRule(policy, direction, connection);
      if (rule >= 0) return { accepted: true, message: `${what} accepted by ${nameOf(policy)} ${direction}[${rule}]` };
    }
    return { accepted: false, message: `${what} dropped: no rule of ${isolating.map(nameOf).join(', ')} allows it` };
  }

  #endpointAt(ip: string): Endpoint {
    const [pod] = this.#parts.pods.byIndex(BY_IP, ip);
    if (!pod) return this.#parts.others.get(ip) ?? { ip };
    const namespace = this.#parts.namespaces.get(pod.metadata.namespace ?? '');
    return { ip, pod, ...(namespace ? { namespace } : {}) };
  }
}

function nameOf({ metadata }: NetworkPolicy): string {
  return `NetworkPolicy ${metadata.namespace}/${metadata.name}`;
}
