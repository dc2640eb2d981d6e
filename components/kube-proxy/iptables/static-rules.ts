import type { IPFamily } from '../service-port.ts';
import { jump, type Rule, type Target } from './rule.ts';

export const KUBE_SERVICES = 'KUBE-SERVICES';
export const KUBE_EXTERNAL_SERVICES = 'KUBE-EXTERNAL-SERVICES';
export const KUBE_NODEPORTS = 'KUBE-NODEPORTS';
export const KUBE_PROXY_FIREWALL = 'KUBE-PROXY-FIREWALL';
export const KUBE_MARK_MASQ = 'KUBE-MARK-MASQ';
const KUBE_POSTROUTING = 'KUBE-POSTROUTING';
const KUBE_FORWARD = 'KUBE-FORWARD';
const KUBE_FIREWALL = 'KUBE-FIREWALL';

const MARK = '0x4000/0x4000';
const NEW = 'NEW';

/** Jumps from the chains of the kernel; the one that is put in last stands first. pkg/proxy/iptables iptablesJumpChains */
export function builtInFilterChains(): Map<string, Rule[]> {
  const external = { ctstate: NEW, comment: 'kubernetes externally-visible service portals', target: jump(KUBE_EXTERNAL_SERVICES) };
  const nodePorts = { comment: 'kubernetes health check service ports', target: jump(KUBE_NODEPORTS) };
  const services = { ctstate: NEW, comment: 'kubernetes service portals', target: jump(KUBE_SERVICES) };
  const forward = { comment: 'kubernetes forwarding rules', target: jump(KUBE_FORWARD) };
  const proxyFirewall = { ctstate: NEW, comment: 'kubernetes load balancer firewall', target: jump(KUBE_PROXY_FIREWALL) };
  const firewall = { target: jump(KUBE_FIREWALL) };
  return new Map([
    ['INPUT', [firewall, proxyFirewall, nodePorts, external]],
    ['FORWARD', [proxyFirewall, forward, services, external]],
    ['OUTPUT', [firewall, proxyFirewall, services]],
  ]);
}

export function builtInNatChains(): Map<string, Rule[]> {
  const services = { comment: 'kubernetes service portals', target: jump(KUBE_SERVICES) };
  return new Map([
    ['OUTPUT', [services]],
    ['PREROUTING', [services]],
    ['POSTROUTING', [{ comment: 'kubernetes postrouting rules', target: jump(KUBE_POSTROUTING) }]],
  ]);
}

/** Chains of kube-proxy that do not depend on Services. pkg/proxy/iptables syncProxyRules */
export function staticNatChains(): Map<string, Rule[]> {
  const mark = (text: string, masquerade: boolean): Target => ({ kind: 'MARK', text, masquerade });
  return new Map([
    [
      KUBE_POSTROUTING,
      [
        { mark: { value: MARK, not: true }, target: { kind: 'RETURN' } },
        { target: mark('--set-xmark 0x4000/0x0', false) },
        { comment: 'kubernetes service traffic requiring SNAT', target: { kind: 'MASQUERADE' } },
      ],
    ],
    [KUBE_MARK_MASQ, [{ target: mark('--set-xmark 0x4000/0x4000', true) }]],
  ]);
}

export function staticFilterChains(family: IPFamily): Map<string, Rule[]> {
  const drop: Target = { kind: 'DROP' };
  const accept: Target = { kind: 'ACCEPT' };
  const localnet: Rule = {
    source: { cidr: '127.0.0.0/8', not: true },
    destination: '127.0.0.0/8',
    comment: 'block incoming localnet connections',
    ctstate: 'INVALID,NEW,UNTRACKED',
    target: drop,
  };
  return new Map([
    [
      KUBE_FORWARD,
      [
        { ctstate: 'INVALID', nfacct: 'ct_state_invalid_dropped_pkts', target: drop },
        { comment: 'kubernetes forwarding rules', mark: { value: MARK }, target: accept },
        { comment: 'kubernetes forwarding conntrack rule', ctstate: 'RELATED,ESTABLISHED', target: accept },
      ],
    ],
    [KUBE_FIREWALL, family === 'IPv4' ? [localnet] : []],
  ]);
}

/** The last rule of KUBE-SERVICES: what is meant for the node itself may be for a node port. */
export const NODE_PORTS_RULE: Rule = {
  comment: 'kubernetes service nodeports; NOTE: this must be the last rule in this chain',
  addrtype: 'dst',
  target: jump(KUBE_NODEPORTS),
};
