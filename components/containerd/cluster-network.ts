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
    const { actor, own, node, namespace, networkAt, cluster } = this.#parts;
    const { host } = request;
    if (host === 'localhost' || host.startsWith('127.') || host === own.ip) return ask(own, request);
    if (cluster) return cluster.visit(actor, { ...request, node, fromIp: own.ip, namespace });
    const network = networkAt(host);
    return network ? ask(network, request) : { outcome: /^\d+(\.\d+){3}$/.test(host) ? 'timeout' : 'no such name' };
  }

  lookUp(host: string): readonly string[] {
    if (host === 'localhost') return ['127.0.0.1'];
    const { cluster, node, namespace, own } = this.#parts;
    return cluster?.lookUp(host, { node, namespace, fromIp: own.ip }) ?? [];
  }
}

function ask(network: NetworkNamespace, { host, port, path, method = 'GET' }: OutgoingRequest): OutgoingResult {
  const service = network.at(port);
  if (!service) return { outcome: 'refused' };
  if (path === undefined) return { outcome: 'answered' };
  const answer = service.http?.({ method, path, host, port, headers: {} }) ?? { status: 400, body: '' };
  return { outcome: 'answered', status: answer.status, body: answer.body };
}
