import type { HostPorts } from '../../components/cni-plugins/portmap.ts';
import type { CniPortMapping } from '../api/cni.ts';
import type { SocketAddress, TransportProtocol } from '../api/network.ts';

interface HostPortRule {
  readonly mapping: CniPortMapping;
  readonly ip: string;
  readonly owner: string;
}

/** The chain CNI-HOSTPORT-DNAT of a node: its own ports that lead to pods. */
export class HostPortRules implements HostPorts {
  #rules: readonly HostPortRule[] = [];

  map(mapping: CniPortMapping, { ip, owner }: { readonly ip: string; readonly owner: string }): void {
    this.#rules = [...this.#rules, { mapping, ip, owner }];
  }

  unmap(owner: string): void {
    if (this.#rules.some((rule) => rule.owner === owner)) this.#rules = this.#rules.filter((rule) => rule.owner !== owner);
  }

  /** Where a connection to the node leads, with the rule as iptables-save prints it; undefined when no pod has the port. */
  lookUp({ ip, port }: SocketAddress, protocol: TransportProtocol): { readonly to: SocketAddress; readonly rule: string } | undefined {
    const found = this.#rules.find(
      ({ mapping }) =>
        mapping.hostPort === port &&
        mapping.protocol.toUpperCase() === protocol &&
        (!mapping.hostIP || mapping.hostIP === '0.0.0.0' || mapping.hostIP === ip),
    );
    if (!found) return undefined;
    const to = { ip: found.ip, port: found.mapping.containerPort };
    return { to, rule: `-p ${found.mapping.protocol} --dport ${port} -j DNAT --to-destination ${to.ip}:${to.port}` };
  }
}
