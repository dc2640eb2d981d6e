import type { Chance, Connection, MatchedRule, Route, ServiceRouter, SocketAddress } from '../../../src/api/network.ts';
import { addressInCidr } from './address-in-cidr.ts';
import { formatRule, type Rule } from './rule.ts';

export type TableName = 'nat' | 'filter';

/** A change of the tables: these chains get these rules, those chains go. What is not named stays. */
export interface Restore {
  readonly set: Readonly<Record<TableName, ReadonlyMap<string, readonly Rule[]>>>;
  readonly delete: Readonly<Record<TableName, Iterable<string>>>;
}

/** From how many rules on a chain is searched by destination, not from top to bottom. */
const INDEXED_LENGTH = 16;
const MAX_DEPTH = 16;

interface Packet {
  readonly from: string;
  readonly isFromNode: boolean;
  readonly protocol: Connection['protocol'];
  destination: SocketAddress;
  translated: boolean;
  marked: boolean;
}

type Verdict = 'ACCEPT' | 'DROP' | 'REJECT' | 'DNAT' | 'MASQUERADE' | 'RETURN' | undefined;

/**
 * The packet filter in the kernel of one node. It keeps its rules and what it remembers of clients when kube-proxy goes down. Only the first packet of a
 * connection is asked for.
 * @example netfilter.route({ from: '10.244.1.5', destination: { ip: '10.96.0.10', port: 53 }, protocol: 'UDP' }, random);
 */
export class Netfilter implements ServiceRouter {
  readonly #now: () => number;
  readonly #tables: Readonly<Record<TableName, Map<string, readonly Rule[]>>> = { nat: new Map(), filter: new Map() };
  readonly #addresses: Set<string>;
  readonly #indexes = new WeakMap<readonly Rule[], ReadonlyMap<string, readonly Rule[]>>();
  /** By list name and source: when a client was last seen, in milliseconds. */
  readonly #recent = new Map<string, Map<string, number>>();

  readonly #listeners: (() => void)[] = [];

  /** @param options.addresses the node's own addresses */
  constructor(options: { now: () => number; addresses?: Iterable<string> }) {
    this.#now = options.now;
    this.#addresses = new Set(options.addresses);
  }

  /** Adds one of the node's own addresses. */
  addAddress(ip: string): void {
    this.#addresses.add(ip);
  }

  /** Calls `listener` after each change of rules. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** What iptables-restore --noflush does. */
  restore(change: Restore): void {
    for (const table of ['nat', 'filter'] as const) {
      for (const chain of change.delete[table]) this.#tables[table].delete(chain);
      for (const [chain, rules] of change.set[table]) this.#tables[table].set(chain, rules);
    }
    for (const listener of this.#listeners) listener();
  }

  chain(table: TableName, name: string): readonly Rule[] | undefined {
    return this.#tables[table].get(name);
  }

  chains(table: TableName): Iterable<string> {
    return this.#tables[table].keys();
  }

  /** The rules of a table as iptables-save prints them. */
  save(table: TableName): string[] {
    return [...this.#tables[table]].flatMap(([chain, rules]) => rules.map((rule) => `-A ${chain} ${formatRule(rule)}`));
  }

  route({ from, destination, protocol }: Connection, random: Chance): Route {
    const packet: Packet = { from, destination, protocol, isFromNode: this.#isOwn(from), translated: false, marked: false };
    const walk = new Walk(this, packet, { random, now: this.#now(), recent: this.#recent });
    walk.chain('nat', packet.isFromNode ? 'OUTPUT' : 'PREROUTING');
    for (const chain of this.#filterPath(packet)) {
      const verdict = walk.chain('filter', chain);
      if (verdict === 'REJECT') return { verdict: 'rejected', rules: walk.rules };
      if (verdict === 'DROP') return { verdict: 'dropped', rules: walk.rules };
    }
    const masqueraded = walk.chain('nat', 'POSTROUTING') === 'MASQUERADE';
    return { verdict: 'accepted', destination: packet.destination, masqueraded, rules: walk.rules };
  }

  /** @internal */
  isOwn(ip: string): boolean {
    return this.#isOwn(ip);
  }

  /** @internal The rules of a chain that may match the packet, in order. */
  candidates(table: TableName, chain: string, { ip, port, protocol }: SocketAddress & { protocol: string }): readonly Rule[] {
    const rules = this.#tables[table].get(chain) ?? [];
    if (rules.length < INDEXED_LENGTH) return rules;
    let index = this.#indexes.get(rules);
    if (!index) {
      index = indexByDestination(rules);
      this.#indexes.set(rules, index);
    }
    const exact = index.get(`${ip} ${protocol} ${port}`) ?? [];
    const anyAddress = index.get(` ${protocol} ${port}`) ?? [];
    return [...exact, ...anyAddress, ...(index.get('') ?? [])];
  }

  #isOwn(ip: string): boolean {
    return this.#addresses.has(ip) || ip.startsWith('127.') || ip === '::1';
  }

  #filterPath(packet: Packet): readonly string[] {
    const toNode = this.#isOwn(packet.destination.ip);
    if (packet.isFromNode) return toNode ? ['OUTPUT', 'INPUT'] : ['OUTPUT'];
    return [toNode ? 'INPUT' : 'FORWARD'];
  }
}

/** Rules by the destination that they ask for; those that ask for less are looked at after all others, which is where kube-proxy puts them. */
function indexByDestination(rules: readonly Rule[]): ReadonlyMap<string, readonly Rule[]> {
  const index = new Map<string, Rule[]>();
  for (const rule of rules) {
    const key = rule.port === undefined ? '' : `${rule.destination ?? ''} ${rule.protocol} ${rule.port}`;
    const group = index.get(key);
    if (group) group.push(rule);
    else index.set(key, [rule]);
  }
  return index;
}

/** One packet on its way through chains. */
class Walk {
  readonly rules: MatchedRule[] = [];
  readonly #netfilter: Netfilter;
  readonly #packet: Packet;
  readonly #random: Chance;
  readonly #now: number;
  readonly #recent: Map<string, Map<string, number>>;

  constructor(netfilter: Netfilter, packet: Packet, world: { random: Chance; now: number; recent: Map<string, Map<string, number>> }) {
    this.#netfilter = netfilter;
    this.#packet = packet;
    this.#random = world.random;
    this.#now = world.now;
    this.#recent = world.recent;
  }

  chain(table: TableName, name: string, depth = 0): Verdict {
    if (depth > MAX_DEPTH) return undefined;
    const { destination, protocol } = this.#packet;
    for (const rule of this.#netfilter.candidates(table, name, { ...destination, protocol })) {
      if (!this.#matches(rule)) continue;
      this.rules.push({ table, chain: name, rule: formatRule(rule) });
      const verdict = this.#apply(table, rule, depth);
      if (verdict === 'RETURN') return undefined;
      if (verdict) return verdict;
    }
    return undefined;
  }

  #apply(table: TableName, { target, recent }: Rule, depth: number): Verdict {
    if (recent?.set) this.#remember(recent.name);
    if (!target) return undefined;
    switch (target.kind) {
      case 'jump':
        return this.chain(table, target.chain, depth + 1);
      case 'MARK':
        if (target.masquerade) this.#packet.marked = true;
        return undefined;
      case 'DNAT':
        this.#packet.destination = { ip: target.ip, port: target.port };
        this.#packet.translated = true;
        return 'DNAT';
      default:
        return target.kind;
    }
  }

  #matches(rule: Rule): boolean {
    const { source, destination, protocol, port, addrtype, mark, probability, recent, ctstate } = rule;
    const packet = this.#packet;
    if (protocol && protocol !== packet.protocol) return false;
    if (port !== undefined && port !== packet.destination.port) return false;
    if (destination && !addressInCidr(packet.destination.ip, destination)) return false;
    if (source && addressInCidr(packet.from, source.cidr) === Boolean(source.not)) return false;
    if (addrtype === 'src' && !packet.isFromNode) return false;
    if (addrtype === 'dst' && !this.#netfilter.isOwn(packet.destination.ip)) return false;
    if (mark && packet.marked === Boolean(mark.not)) return false;
    if (ctstate && !ctstate.split(',').includes('NEW')) return false;
    if (recent && !recent.set && !this.#wasSeen(recent.name, recent.seconds ?? 0)) return false;
    return probability === undefined || this.#random.float() < probability;
  }

  #remember(list: string): void {
    const sources = this.#recent.get(list) ?? new Map<string, number>();
    this.#recent.set(list, sources);
    sources.set(this.#packet.from, this.#now);
  }

  /** Also forgets what is older: --reap. */
  #wasSeen(list: string, seconds: number): boolean {
    const sources = this.#recent.get(list);
    const last = sources?.get(this.#packet.from);
    if (last === undefined) return false;
    if (this.#now - last <= seconds * 1_000) return true;
    sources?.delete(this.#packet.from);
    return false;
  }
}
