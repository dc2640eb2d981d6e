import { Forward } from '../../components/coredns/plugin/forward/forward.ts';
import type { NameResolver, SocketAddress } from '../api/network.ts';
import { type HostLookup, lookupHost, type ResolvConf } from '../api/resolv-conf.ts';

/** Where pods ask for names: the address that kubeadm gives the Service kube-dns. */
export const CLUSTER_DNS: SocketAddress = { ip: '10.96.0.10', port: 53 };
const NO_DNS: NameResolver = { resolve: () => ({ code: 'TIMEOUT', answers: [], additional: [] }) };

/** Who answers for names: CoreDNS in the cluster, somebody else outside of it. */
export class NameServers {
  #cluster: NameResolver = NO_DNS;
  readonly #outside: NameResolver;

  /** @param outside the addresses of names that are not of the cluster */
  constructor(outside: (name: string) => readonly string[] | undefined) {
    this.#outside = new Forward(outside);
  }

  setCluster(resolver: NameResolver): void {
    this.#cluster = resolver;
  }

  /** The first name server answers; one outside of the cluster knows nothing of what is in it. */
  lookUp(host: string, resolvConf: ResolvConf): HostLookup {
    return lookupHost(host, resolvConf, asksCluster(resolvConf) ? this.#cluster : this.#outside);
  }
}

export function asksCluster({ nameservers }: ResolvConf): boolean {
  return nameservers === undefined || nameservers[0] === CLUSTER_DNS.ip;
}
