import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { Service } from '../../../src/api/kinds/core-v1.ts';
import type { EndpointSlice } from '../../../src/api/kinds/discovery-v1.ts';
import { keyOf } from '../../../src/api/object.ts';
import type { EndpointInfo } from '../endpoint.ts';
import { EndpointSliceCache, portKey } from '../endpoint-slice-cache.ts';
import { type IPFamily, type ServicePortInfo, servicePortInfos } from '../service-port.ts';
import { categorizeEndpoints, type Place } from '../topology.ts';
import type { Netfilter } from './netfilter.ts';
import type { Rule } from './rule.ts';
import { type NodeFacts, type ServiceRules, serviceRules } from './service-rules.ts';
import {
  builtInFilterChains,
  builtInNatChains,
  KUBE_EXTERNAL_SERVICES,
  KUBE_NODEPORTS,
  KUBE_PROXY_FIREWALL,
  KUBE_SERVICES,
  NODE_PORTS_RULE,
  staticFilterChains,
  staticNatChains,
} from './static-rules.ts';

/** What a sync changed, for whoever tells about it. */
export interface SyncReport {
  /** Services whose rules are others now, with how many endpoints each has. */
  readonly changed: readonly { readonly service: string; readonly endpoints: number }[];
  readonly isFull: boolean;
}

interface Written {
  readonly rules: ServiceRules;
  readonly endpoints: number;
}

/**
 * Keeps what Services and EndpointSlices say, and turns it into rules when told to: pkg/proxy/iptables/proxier.go Proxier, for one IP family.
 * Only rules of Services that changed are worked out anew.
 */
export class Proxier {
  readonly #netfilter: Netfilter;
  readonly #family: IPFamily;
  readonly #slices: EndpointSliceCache;
  readonly #services = new Map<string, readonly ServicePortInfo[]>();
  /** Services that changed since the last sync. */
  readonly #changed = new Set<string>();
  readonly #written = new Map<string, Written>();
  /** Names of what was written for each Service. */
  readonly #namesOf = new Map<string, readonly string[]>();
  #place: Place;
  #facts: NodeFacts;
  #needFullSync = true;

  constructor(options: { netfilter: Netfilter; family: IPFamily; node: string; clusterCIDR: string | undefined }) {
    this.#netfilter = options.netfilter;
    this.#family = options.family;
    this.#slices = new EndpointSliceCache(options.node, options.family);
    this.#place = { node: options.node, zone: '' };
    this.#facts = { clusterCIDR: options.clusterCIDR, nodeIP: undefined, localhostNodePorts: options.family === 'IPv4' };
  }

  /** Each of these returns whether a sync is needed. pkg/proxy/iptables/proxier.go OnServiceUpdate */
  onService(service: Service, isDeleted: boolean): boolean {
    const key = keyOf(service);
    const before = this.#services.get(key) ?? [];
    const infos = isDeleted ? [] : servicePortInfos(service, this.#family);
    if (JSON.stringify(before) === JSON.stringify(infos)) return false;
    if (infos.length > 0) this.#services.set(key, infos);
    else this.#services.delete(key);
    this.#changed.add(key);
    return true;
  }

  onEndpointSlice(slice: EndpointSlice, isDeleted: boolean): boolean {
    const service = this.#slices.update(slice, isDeleted);
    if (service === undefined) return false;
    this.#changed.add(service);
    return this.#services.has(service);
  }

  onNode(zone: string, nodeIP: string | undefined): boolean {
    if (zone === this.#place.zone && nodeIP === this.#facts.nodeIP) return false;
    this.#place = { ...this.#place, zone };
    this.#facts = { ...this.#facts, nodeIP };
    this.#needFullSync = true;
    return true;
  }

  /** pkg/proxy/iptables/proxier.go syncProxyRules */
  sync(): SyncReport {
    const isFull = this.#needFullSync;
    const todo = isFull ? new Set([...this.#services.keys(), ...this.#changed]) : this.#changed;
    const own = new Map<string, readonly Rule[]>();
    const stale = new Set<string>();
    const changed: { service: string; endpoints: number }[] = [];
    for (const service of todo) {
      const before = this.#forget(service, stale);
      const after = this.#write(service, own);
      if (!deepEqual(before.map(shape), after.map(shape))) {
        changed.push({ service, endpoints: Math.max(0, ...after.map(({ endpoints }) => endpoints)) });
      }
    }
    for (const name of own.keys()) stale.delete(name);
    this.#restore(own, stale, isFull);
    this.#changed.clear();
    this.#needFullSync = false;
    return { changed, isFull };
  }

  /** Drops what was written for a Service; its chains are stale unless they are written anew. */
  #forget(service: string, stale: Set<string>): Written[] {
    const gone: Written[] = [];
    for (const [name, written] of this.#writtenOf(service)) {
      gone.push(written);
      this.#written.delete(name);
      for (const chain of written.rules.chains.keys()) stale.add(chain);
    }
    return gone;
  }

  #writtenOf(service: string): [string, Written][] {
    return (this.#namesOf.get(service) ?? []).flatMap((name) => {
      const written = this.#written.get(name);
      return written ? [[name, written]] : [];
    });
  }

  #write(service: string, own: Map<string, readonly Rule[]>): Written[] {
    const infos = this.#services.get(service);
    if (!infos) {
      this.#namesOf.delete(service);
      return [];
    }
    const byPort = this.#slices.endpointsOf(service);
    const names: string[] = [];
    const all = infos.map((info) => {
      const endpoints: readonly EndpointInfo[] = byPort.get(portKey(info.portName, info.protocol)) ?? [];
      const categories = categorizeEndpoints(endpoints, info, this.#place);
      const written = { rules: serviceRules(info, categories, this.#facts), endpoints: categories.reachable.length };
      const name = `${info.name} ${info.protocol}`;
      names.push(name);
      this.#written.set(name, written);
      for (const [chain, rules] of written.rules.chains) own.set(chain, rules);
      return written;
    });
    this.#namesOf.set(service, names);
    return all;
  }

  #restore(own: ReadonlyMap<string, readonly Rule[]>, stale: ReadonlySet<string>, isFull: boolean): void {
    const all = [...this.#written.values()].map(({ rules }) => rules);
    const nat = new Map<string, readonly Rule[]>(isFull ? [...builtInNatChains(), ...staticNatChains()] : []);
    const filter = new Map<string, readonly Rule[]>(isFull ? [...builtInFilterChains(), ...staticFilterChains(this.#family)] : []);
    nat.set(KUBE_SERVICES, [...all.flatMap(({ natServices }) => natServices), NODE_PORTS_RULE]);
    nat.set(
      KUBE_NODEPORTS,
      all.flatMap(({ natNodePorts }) => natNodePorts),
    );
    for (const [chain, rules] of own) nat.set(chain, rules);
    filter.set(
      KUBE_SERVICES,
      all.flatMap(({ filterServices }) => filterServices),
    );
    filter.set(
      KUBE_EXTERNAL_SERVICES,
      all.flatMap(({ filterExternalServices }) => filterExternalServices),
    );
    filter.set(
      KUBE_NODEPORTS,
      all.flatMap(({ filterNodePorts }) => filterNodePorts),
    );
    filter.set(
      KUBE_PROXY_FIREWALL,
      all.flatMap(({ filterProxyFirewall }) => filterProxyFirewall),
    );
    this.#netfilter.restore({ set: { nat, filter }, delete: { nat: isFull ? this.#unknownChains(own) : stale, filter: [] } });
  }

  /** Chains that an earlier kube-proxy left behind. */
  #unknownChains(own: ReadonlyMap<string, readonly Rule[]>): string[] {
    return [...this.#netfilter.chains('nat')].filter((name) => name.startsWith('KUBE-S') && name !== KUBE_SERVICES && !own.has(name));
  }
}

/** What two states of a port's rules are compared by. */
function shape({ rules }: Written): object {
  return { ...rules, chains: [...rules.chains] };
}
