import type { EndpointInfo } from '../endpoint.ts';
import { externallyAccessible, type ServicePortInfo, usesClusterEndpoints, usesLocalEndpoints } from '../service-port.ts';
import type { CategorizedEndpoints } from '../topology.ts';
import { addressInCidr } from './address-in-cidr.ts';
import { endpointChain, type ServicePortChains, servicePortChains } from './chain-names.ts';
import { endpointRules, sepChains } from './endpoint-rules.ts';
import { jump, type Rule, type Target } from './rule.ts';
import { KUBE_MARK_MASQ } from './static-rules.ts';

/** Rules for one port of a Service: what it adds to chains that all share, and the chains of its own. */
export interface ServiceRules {
  readonly natServices: readonly Rule[];
  readonly natNodePorts: readonly Rule[];
  readonly filterServices: readonly Rule[];
  readonly filterExternalServices: readonly Rule[];
  readonly filterNodePorts: readonly Rule[];
  readonly filterProxyFirewall: readonly Rule[];
  /** In table nat. */
  readonly chains: ReadonlyMap<string, readonly Rule[]>;
}

/** What the node is like. */
export interface NodeFacts {
  /** The range of pod addresses; without one nothing can tell pods from others. */
  readonly clusterCIDR: string | undefined;
  readonly nodeIP: string | undefined;
  /** Loopback addresses lead to node ports too (and are counted). */
  readonly localhostNodePorts: boolean;
}

/** pkg/proxy/iptables/proxier.go syncProxyRules, the part that is done for each port of each Service */
export function serviceRules(info: ServicePortInfo, endpoints: CategorizedEndpoints, node: NodeFacts): ServiceRules {
  return new ServiceRulesBuilder(info, endpoints, node).build();
}

class ServiceRulesBuilder {
  readonly #info: ServicePortInfo;
  readonly #endpoints: CategorizedEndpoints;
  readonly #node: NodeFacts;
  readonly #names: ServicePortChains;
  readonly #internalChain: string;
  readonly #hasInternal: boolean;
  readonly #hasExternal: boolean;

  constructor(info: ServicePortInfo, endpoints: CategorizedEndpoints, node: NodeFacts) {
    this.#info = info;
    this.#endpoints = endpoints;
    this.#node = node;
    this.#names = servicePortChains(info);
    this.#internalChain = info.internalPolicyLocal ? this.#names.local : this.#names.cluster;
    const hasLocal = endpoints.local.length > 0;
    this.#hasInternal = endpoints.hasAny && (!info.internalPolicyLocal || hasLocal);
    this.#hasExternal = endpoints.hasAny && (!info.externalPolicyLocal || hasLocal);
  }

  build(): ServiceRules {
    return {
      natServices: this.#natServices(),
      natNodePorts: this.#natNodePorts(),
      filterServices: this.#hasInternal ? [] : [{ ...this.#to(this.#info.clusterIP), ...this.#refusal() }],
      filterExternalServices: this.#hasExternal ? [] : this.#refusedExternal(),
      filterNodePorts: this.#healthCheck(),
      filterProxyFirewall: this.#proxyFirewall(),
      chains: this.#chains(),
    };
  }

  /** Packets for the Service's port at one of its addresses. */
  #to(destination: string): Pick<Rule, 'destination' | 'protocol' | 'port'> {
    return { destination, protocol: this.#info.protocol, port: this.#info.port };
  }

  get #isFirewalled(): boolean {
    return this.#info.loadBalancerSourceRanges.length > 0;
  }

  #natServices(): Rule[] {
    const { name, clusterIP, externalIPs, loadBalancerVIPs } = this.#info;
    const { external, firewall } = this.#names;
    const rules: Rule[] = [];
    if (this.#hasInternal) rules.push({ ...this.#to(clusterIP), comment: `${name} cluster IP`, target: jump(this.#internalChain) });
    if (!this.#endpoints.hasAny) return rules;
    for (const ip of externalIPs) rules.push({ ...this.#to(ip), comment: `${name} external IP`, target: jump(external) });
    const chain = this.#isFirewalled ? firewall : external;
    for (const ip of loadBalancerVIPs) rules.push({ ...this.#to(ip), comment: `${name} loadbalancer IP`, target: jump(chain) });
    return rules;
  }

  #natNodePorts(): Rule[] {
    const { name, protocol, nodePort } = this.#info;
    if (nodePort === 0 || !this.#endpoints.hasAny) return [];
    const rule: Rule = { protocol, port: nodePort, comment: name, target: jump(this.#names.external) };
    if (!this.#node.localhostNodePorts) return [rule];
    return [{ ...rule, destination: '127.0.0.0/8', nfacct: 'localhost_nps_accepted_pkts' }, rule];
  }

  /** How a connection is refused: at once if there is no endpoint at all, without a word if there is none here. */
  #refusal(): Pick<Rule, 'comment' | 'target'> {
    const { name } = this.#info;
    if (!this.#endpoints.hasAny) return { comment: `${name} has no endpoints`, target: { kind: 'REJECT' } };
    return { comment: `${name} has no local endpoints`, target: { kind: 'DROP' } };
  }

  #refusedExternal(): Rule[] {
    const { externalIPs, loadBalancerVIPs, nodePort, protocol } = this.#info;
    const rules: Rule[] = [...externalIPs, ...loadBalancerVIPs].map((ip) => ({ ...this.#to(ip), ...this.#refusal() }));
    if (nodePort !== 0) rules.push({ protocol, port: nodePort, addrtype: 'dst', ...this.#refusal() });
    return rules;
  }

  #healthCheck(): Rule[] {
    const { name, healthCheckNodePort } = this.#info;
    if (healthCheckNodePort === 0) return [];
    return [{ protocol: 'TCP', port: healthCheckNodePort, comment: `${name} health check node port`, target: { kind: 'ACCEPT' } }];
  }

  #proxyFirewall(): Rule[] {
    if (!this.#isFirewalled || !this.#endpoints.hasAny) return [];
    const comment = `${this.#info.name} traffic not accepted by ${this.#names.firewall}`;
    return this.#info.loadBalancerVIPs.map((ip) => ({ ...this.#to(ip), comment, target: { kind: 'DROP' } satisfies Target }));
  }

  #chains(): Map<string, readonly Rule[]> {
    const { cluster, local, reachable, hasAny } = this.#endpoints;
    const { name, loadBalancerVIPs } = this.#info;
    const chains = new Map<string, Rule[]>();
    if (this.#hasInternal) chains.set(this.#internalChain, this.#masqueradeOffCluster(name));
    if (hasAny && externallyAccessible(this.#info)) chains.set(this.#names.external, this.#externalChain());
    if (this.#isFirewalled && loadBalancerVIPs.length > 0 && hasAny) chains.set(this.#names.firewall, this.#firewallChain());
    if (cluster.length > 0 && usesClusterEndpoints(this.#info)) append(chains, this.#names.cluster, this.#choices(cluster));
    if (local.length > 0 && usesLocalEndpoints(this.#info)) append(chains, this.#names.local, this.#choices(local));
    return new Map<string, readonly Rule[]>([...chains, ...sepChains(this.#info, reachable)]);
  }

  #choices(endpoints: readonly EndpointInfo[]): Rule[] {
    return endpointRules(this.#info, endpoints, (address) => endpointChain(this.#info, address));
  }

  /** Who is not a pod gets the node's address as its source, so that the answer comes back this way. */
  #masqueradeOffCluster(name: string): Rule[] {
    const { clusterCIDR } = this.#node;
    if (!clusterCIDR) return [];
    const comment = `${name} cluster IP`;
    return [{ source: { cidr: clusterCIDR, not: true }, ...this.#to(this.#info.clusterIP), comment, target: jump(KUBE_MARK_MASQ) }];
  }

  #externalChain(): Rule[] {
    const { externalPolicyLocal } = this.#info;
    const { cluster, local } = this.#names;
    const what = (verb: string): string => `${verb} for ${this.#info.name} external destinations`;
    const rules: Rule[] = [];
    if (!externalPolicyLocal) rules.push({ comment: what('masquerade traffic'), target: jump(KUBE_MARK_MASQ) });
    else {
      const { clusterCIDR } = this.#node;
      if (clusterCIDR) rules.push({ source: { cidr: clusterCIDR }, comment: what('pod traffic'), target: jump(cluster) });
      rules.push({ comment: what('masquerade LOCAL traffic'), addrtype: 'src', target: jump(KUBE_MARK_MASQ) });
      rules.push({ comment: what('route LOCAL traffic'), addrtype: 'src', target: jump(cluster) });
    }
    if (this.#hasExternal) rules.push({ target: jump(externalPolicyLocal ? local : cluster) });
    return rules;
  }

  #firewallChain(): Rule[] {
    const { name, loadBalancerSourceRanges, loadBalancerVIPs } = this.#info;
    const { nodeIP } = this.#node;
    const comment = `${name} loadbalancer IP`;
    const allow = (cidr: string): Rule => ({ source: { cidr }, comment, target: jump(this.#names.external) });
    const includesNode = nodeIP !== undefined && loadBalancerSourceRanges.some((range) => addressInCidr(nodeIP, range));
    return [
      ...loadBalancerSourceRanges.map(allow),
      // The node reaches the load balancer with the balancer's own address as its source.
      ...(includesNode ? loadBalancerVIPs.map(allow) : []),
      { comment: `other traffic to ${name} will be dropped by KUBE-PROXY-FIREWALL` },
    ];
  }
}

function append(chains: Map<string, Rule[]>, name: string, rules: readonly Rule[]): void {
  chains.set(name, [...(chains.get(name) ?? []), ...rules]);
}
