import type { DnsAnswer, DnsQuestion, NameResolver } from '../../src/api/network.ts';
import type { Client } from '../../src/client/client.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { DnsHandler } from './dns-handler.ts';
import { Forward } from './plugin/forward/forward.ts';
import { DnsController } from './plugin/kubernetes/controller.ts';
import { Kubernetes } from './plugin/kubernetes/kubernetes.ts';

interface CoreDnsConfig {
  /** The cluster's domain. */
  readonly clusterDomain: string;
  /** Addresses of names outside the cluster, without a dot at the end. */
  readonly hosts: Readonly<Record<string, readonly string[]>>;
  /** The same, for names that come and go. */
  readonly upstream: (name: string) => readonly string[] | undefined;
  /** Called once the server answers: what opening port 53 is to the real one. */
  readonly listen: (resolver: NameResolver) => void;
}

const DEFAULT_CONFIG: CoreDnsConfig = { clusterDomain: 'cluster.local', hosts: {}, upstream: () => undefined, listen: () => {} };

export interface CoreDnsOptions {
  readonly actor: Actor;
  /** Logged in as `system:serviceaccount:kube-system:coredns`. */
  readonly client: Client;
  readonly config: Partial<CoreDnsConfig>;
}

/**
 * The program of CoreDNS, with the plugins of kubeadm's Corefile that matter here: kubernetes, forward, loadbalance. Answers nothing before it knows the cluster.
 * @example runCoreDns({ actor, client, config: { listen: (resolver) => network.setResolver(resolver) } });
 */
export async function runCoreDns({ actor, client, config: given }: CoreDnsOptions): Promise<void> {
  const config = { ...DEFAULT_CONFIG, ...given };
  const controller = new DnsController(client);
  const handler = new DnsHandler({
    kubernetes: new Kubernetes(`${config.clusterDomain}.`, controller),
    forward: new Forward((name) => config.hosts[name] ?? config.upstream(name)),
    random: actor.simulation.random.fork('coredns/loadbalance'),
  });
  await controller.start();
  config.listen(new RunningServer(actor, handler));
}

/** Answers for as long as the process that it belongs to runs. */
class RunningServer implements NameResolver {
  readonly #actor: Actor;
  readonly #incarnation: number;
  readonly #handler: DnsHandler;

  constructor(actor: Actor, handler: DnsHandler) {
    this.#actor = actor;
    this.#incarnation = actor.incarnation;
    this.#handler = handler;
  }

  resolve(question: DnsQuestion): DnsAnswer {
    const isRunning = this.#actor.state === 'running' && this.#actor.incarnation === this.#incarnation;
    return isRunning ? this.#handler.resolve(question) : { code: 'TIMEOUT', answers: [], additional: [] };
  }
}
