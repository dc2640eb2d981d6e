import type { EndpointInfo } from '../endpoint.ts';
import type { ServicePortInfo } from '../service-port.ts';
import { endpointChain } from './chain-names.ts';
import { jump, type Rule } from './rule.ts';
import { KUBE_MARK_MASQ } from './static-rules.ts';

/** How one of several endpoints is chosen: pkg/proxy/iptables/proxier.go writeServiceToEndpointRules */
export function endpointRules(info: ServicePortInfo, endpoints: readonly EndpointInfo[], chainOf: (address: string) => string): Rule[] {
  const rules: Rule[] = [];
  const choose = (address: string): Rule => ({ comment: `${info.name} -> ${address}`, target: jump(chainOf(address)) });
  if (info.stickySeconds > 0) {
    for (const { address } of endpoints)
      rules.push({ ...choose(address), recent: { name: chainOf(address), seconds: info.stickySeconds } });
  }
  for (const [index, { address }] of endpoints.entries()) {
    const left = endpoints.length - index;
    rules.push(left > 1 ? { ...choose(address), probability: 1 / left } : choose(address));
  }
  return rules;
}

const remembered = new WeakMap<EndpointInfo, { readonly of: string; readonly chain: string; readonly rules: readonly Rule[] }>();

/** The chains that lead to endpoints. What was made for an endpoint is kept with it. */
export function sepChains(info: ServicePortInfo, endpoints: readonly EndpointInfo[]): (readonly [string, readonly Rule[]])[] {
  const of = `${info.name} ${info.protocol} ${info.stickySeconds > 0}`;
  return endpoints.map((endpoint) => {
    let known = remembered.get(endpoint);
    if (known?.of !== of) {
      const chain = endpointChain(info, endpoint.address);
      known = { of, chain, rules: sepRules(info, endpoint, chain) };
      remembered.set(endpoint, known);
    }
    return [known.chain, known.rules] as const;
  });
}

function sepRules({ name, protocol, stickySeconds }: ServicePortInfo, { ip, port }: EndpointInfo, chain: string): readonly Rule[] {
  return [
    // A pod that reaches itself through its Service would else answer itself.
    { source: { cidr: ip }, comment: name, target: jump(KUBE_MARK_MASQ) },
    {
      protocol,
      comment: name,
      ...(stickySeconds > 0 ? { recent: { name: chain, set: true as const } } : {}),
      target: { kind: 'DNAT', ip, port },
    },
  ];
}
