import { namespaces, networkpolicies, pods } from '../../src/api/resources.ts';
import type { Client } from '../../src/client/client.ts';
import { SharedInformerFactory } from '../../src/client/informer-factory.ts';
import type { Actor } from '../../src/sim/actor.ts';
import type { PacketQueue } from './packet-queue.ts';
import { BY_IP, PolicyEngine, podIPsOf } from './policy-engine.ts';
import type { Endpoint } from './policy-rules.ts';

export interface KubeNetworkPoliciesOptions {
  readonly actor: Actor;
  /** Logged in as `system:serviceaccount:kube-system:kube-network-policies`. */
  readonly client: Client;
  readonly config: {
    /** The queue of the node that it runs on. */
    readonly queue: PacketQueue;
    /** What has an address and is no pod here, and stands for one. */
    readonly others?: ReadonlyMap<string, Endpoint>;
  };
}

/** What the account may do: install.yaml of kube-network-policies. */
export const RULES = [
  { apiGroups: [''], resources: ['pods', 'namespaces'], verbs: ['list', 'watch'] },
  { apiGroups: ['networking.k8s.io'], resources: ['networkpolicies'], verbs: ['list', 'watch'] },
];

/**
 * The program of kube-network-policies on one node: watches NetworkPolicies, and decides about the first packet of each connection of the node's pods.
 * @example runKubeNetworkPolicies({ actor, client, config: { queue } });
 */
export async function runKubeNetworkPolicies({ actor, client, config }: KubeNetworkPoliciesOptions): Promise<void> {
  const factory = new SharedInformerFactory(client);
  const informers = [factory.forResource(pods), factory.forResource(namespaces), factory.forResource(networkpolicies)] as const;
  informers[0].addIndexers({ [BY_IP]: podIPsOf });
  factory.start();
  await factory.waitForCacheSync();
  const engine = new PolicyEngine({
    pods: informers[0].store,
    namespaces: informers[1].store,
    policies: informers[2].store,
    others: config.others ?? new Map(),
  });
  config.queue.listen(actor, (direction, packet) => engine.judge(direction, packet));
}
