import type { TransportProtocol } from '../../../src/api/network.ts';

/** One rule of a packet filter: what a packet must be like, and where it goes then. Absent matches hold for every packet. */
export interface Rule {
  readonly source?: { readonly cidr: string; readonly not?: boolean };
  readonly destination?: string;
  readonly protocol?: TransportProtocol;
  readonly comment?: string;
  /** Only new connections. */
  readonly ctstate?: string;
  /** The address is one of the node's own. */
  readonly addrtype?: 'src' | 'dst';
  /** Holds by chance. */
  readonly probability?: number;
  readonly recent?: Recent;
  readonly mark?: { readonly value: string; readonly not?: boolean };
  readonly port?: number;
  /** Names a counter. */
  readonly nfacct?: string;
  readonly target?: Target;
}

/** Remembers sources under a name (`set`), or holds for those seen in the last seconds. */
interface Recent {
  readonly name: string;
  readonly set?: true;
  readonly seconds?: number;
}

export type Target =
  | { readonly kind: 'jump'; readonly chain: string }
  | { readonly kind: 'DNAT'; readonly ip: string; readonly port: number }
  | { readonly kind: 'MARK'; readonly text: string; readonly masquerade: boolean }
  | { readonly kind: 'MASQUERADE' | 'RETURN' | 'ACCEPT' | 'DROP' | 'REJECT' };

/** A jump to another chain. */
export function jump(chain: string): Target {
  return { kind: 'jump', chain };
}

/** The rule as iptables-save prints it, without `-A CHAIN`. */
export function formatRule(rule: Rule): string {
  const { source, destination, protocol, comment } = rule;
  const parts: string[] = [];
  if (source) parts.push(`${source.not ? '! ' : ''}-s ${withPrefix(source.cidr)}`);
  if (destination) parts.push(`-d ${withPrefix(destination)}`);
  if (protocol) parts.push(`-p ${protocol.toLowerCase()}`);
  if (comment !== undefined) parts.push(`-m comment --comment "${comment}"`);
  parts.push(...formatMatches(rule));
  if (rule.target) parts.push(formatTarget(rule.target));
  return parts.join(' ');
}

function formatMatches({ addrtype, ctstate, probability, recent, mark, port, protocol, nfacct, target }: Rule): string[] {
  const parts: string[] = [];
  if (addrtype) parts.push(`-m addrtype --${addrtype}-type LOCAL`);
  if (ctstate) parts.push(`-m conntrack --ctstate ${ctstate}`);
  if (probability !== undefined) parts.push(`-m statistic --mode random --probability ${formatProbability(probability)}`);
  if (recent) {
    const what = recent.set ? '--set' : `--rcheck --seconds ${recent.seconds ?? 0} --reap`;
    parts.push(`-m recent ${what} --name ${recent.name} --mask 255.255.255.255 --rsource`);
  }
  if (mark) parts.push(`-m mark ${mark.not ? '! ' : ''}--mark ${mark.value}`);
  const module = protocol?.toLowerCase();
  if (port !== undefined) parts.push(`-m ${module} --dport ${port}`);
  else if (module && target?.kind === 'DNAT') parts.push(`-m ${module}`);
  // The real program prints two spaces here.
  if (nfacct) parts.push(`-m nfacct --nfacct-name  ${nfacct}`);
  return parts;
}

function formatTarget(target: Target): string {
  switch (target.kind) {
    case 'jump':
      return `-j ${target.chain}`;
    case 'DNAT':
      return `-j DNAT --to-destination ${formatAddress(target.ip, target.port)}`;
    case 'MARK':
      return `-j MARK ${target.text}`;
    case 'REJECT':
      return '-j REJECT --reject-with icmp-port-unreachable';
    case 'MASQUERADE':
      return '-j MASQUERADE --random-fully';
    case 'RETURN':
    case 'ACCEPT':
    case 'DROP':
      return `-j ${target.kind}`;
  }
}

/** `ip:port`, or `[ip]:port`. Go's net.JoinHostPort */
export function formatAddress(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}

function withPrefix(address: string): string {
  return address.includes('/') ? address : `${address}/${address.includes(':') ? 128 : 32}`;
}

/** The kernel keeps 31 bits of a probability: that is what is printed. */
function formatProbability(probability: number): string {
  return (Math.round(Number(probability.toFixed(10)) * 2 ** 31) / 2 ** 31).toFixed(11);
}
