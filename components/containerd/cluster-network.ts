import type { ResolvConf } from '../../src/api/resolv-conf.ts';
import type { Actor } from '../../src/sim/actor.ts';
import type { NetworkNamespace } from './network-namespace.ts';

/** A request that a process in a container sends. */
export interface OutgoingRequest {
  /** A name or an address. */
  readonly host: string;
  readonly port: number;
  /** For HTTP; without it only a connection is made. */
  readonly path?: string;
  readonly method?: string;
  /** The address of the host, where it is known without asking for its name. */
  readonly address?: string;
}

export interface OutgoingResult {
  readonly outcome: 'answered' | 'refused' | 'timeout' | 'no such name';
  readonly status?: number;
  readonly body?: string;
}

/** The pod that a request comes from. */
interface Origin {
  readonly node: string;
  readonly fromIp: string;
  readonly namespace: string;
  /** How it looks names up, if not as pods of its namespace usually do. */
  readonly resolvConf?: ResolvConf;
}

/** What is beyond the node: names, Services, other nodes. The cluster hands it to the runtime. */
export interface ClusterNetwork {
  visit(actor: Actor, request: OutgoingRequest & Origin): Promise<OutgoingResult>;
  /** Addresses of a name, as the pod resolves it. */
  lookUp(host: string, from: Origin): readonly string[];
}

/** What a process of a container reaches. */
export interface ContainerNetwork {
  request(request: OutgoingRequest): Promise<OutgoingResult>;
  lookUp(host: string): readonly string[];
}

interface Parts {
  readonly actor: Actor;
  readonly own: NetworkNamespace;
  readonly node: string;
  readonly namespace: string;
  readonly resolvConf?: ResolvConf;
  /** What the container says of hosts itself. */
  readonly hostsFile: () => { readonly text: string } | { readonly failure: string };
  /** Namespaces of pods on the same node. */
  readonly networkAt: (ip: string) => NetworkNamespace | undefined;
  /** Absent where a node stands alone: then only addresses on it are reached. */
  readonly cluster: ClusterNetwork | undefined;
}

/** Requests of a pod's processes: to itself directly, to all others through the cluster's network. */
export class PodOutgoingNetwork implements ContainerNetwork {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async request(request: OutgoingRequest): Promise<OutgoingResult> {
    const { actor, own, networkAt, cluster } = this.#parts;
    const { host } = request;
    const address = this.#inHostsFile(host) ?? host;
    if (address === 'localhost' || address.startsWith('127.') || address === own.ip) return ask(own, request);
    if (cluster) return cluster.visit(actor, { ...request, ...(address === host ? {} : { address }), ...this.#origin });
    const network = networkAt(address);
    return network ? ask(network, request) : { outcome: /^\d+(\.\d+){3}$/.test(address) ? 'timeout' : 'no such name' };
  }

  lookUp(host: string): readonly string[] {
    if (host === 'localhost') return ['127.0.0.1'];
    return this.#parts.cluster?.lookUp(host, this.#origin) ?? [];
  }

  get #origin(): Origin {
    const { node, namespace, own, resolvConf } = this.#parts;
    return { node, namespace, fromIp: own.ip, ...(resolvConf ? { resolvConf } : {}) };
  }

  /** hosts(5): an address, then its names. */
  #inHostsFile(host: string): string | undefined {
    const file = this.#parts.hostsFile();
    if (!('text' in file)) return undefined;
    for (const line of file.text.split('\n')) {
      const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
      if (address && !address.includes(':') && names.includes(host)) return address;
    }
    return undefined;
  }
}

function ask(network: NetworkNamespace, { host, port, path, method = 'GET' }: OutgoingRequest): OutgoingResult {
  const service = network.at(port);
  if (!service) return { outcome: 'refused' };
  if (path === undefined) return { outcome: 'answered' };
  const answer = service.http?.({ method, path, host, port, headers: {} }) ?? { status: 400, body: '' };
  return { outcome: 'answered', status: answer.status, body: answer.body };
}
