import { CniError, type CniNetConf, type CniPlugin, type CniResult, type CniRoute } from '../../src/api/cni.ts';
import { INTERNAL } from './error-code.ts';
import { Range, type RangeConf } from './range.ts';
import { Store } from './store.ts';

/** The `ipam` part of a configuration: plugins/ipam/host-local/backend/allocator IPAMConfig. */
interface IpamConf {
  readonly type: string;
  readonly ranges?: readonly (readonly RangeConf[])[];
  readonly routes?: readonly CniRoute[];
  /** The older way to write one range. */
  readonly subnet?: string;
  readonly rangeStart?: string;
  readonly rangeEnd?: string;
  readonly gateway?: string;
}

type RangeSet = readonly Range[];

/** The plugin host-local: gives addresses of the ranges that the configuration names, one after another, each to one interface. */
export function hostLocal(): CniPlugin {
  const stores = new Map<string, Store>();
  const parsed = new WeakMap<object, readonly RangeSet[]>();
  return ({ command, containerId, ifname }, stdin) => {
    const ipam = ipamOf(stdin);
    const store = stores.get(stdin.name) ?? new Store();
    stores.set(stdin.name, store);
    const owner = `${containerId} ${ifname}`;
    switch (command) {
      case 'ADD': {
        const sets = parsed.get(ipam) ?? rangeSetsOf(ipam);
        parsed.set(ipam, sets);
        return add({ stdin, ipam, sets }, store, owner);
      }
      case 'DEL':
        store.releaseBy(owner);
        return undefined;
      case 'CHECK':
        if (!store.ownedBy(owner)) throw new CniError(INTERNAL, `host-local: Failed to find address added by container ${containerId}`);
        return undefined;
    }
  };
}

/** Every range set gives one address; when one cannot, what the others gave is given back. */
function add(conf: { stdin: CniNetConf; ipam: IpamConf; sets: readonly RangeSet[] }, store: Store, owner: string): CniResult {
  const { stdin, ipam, sets } = conf;
  refuseSecond(sets, store, owner);
  try {
    const ips = sets.map((set, index) => get(set, { index, store, owner }));
    return { cniVersion: stdin.cniVersion, ips, ...(ipam.routes ? { routes: ipam.routes } : {}), dns: {} };
  } catch (error) {
    store.releaseBy(owner);
    throw error;
  }
}

/** An interface that has its address keeps it, and gets no other. */
function refuseSecond(sets: readonly RangeSet[], store: Store, owner: string): void {
  for (const ip of store.ownedBy(owner) ?? [])
    for (const [index, set] of sets.entries()) {
      const range = set.find(({ first, last }) => ip >= first && ip <= last);
      if (!range) continue;
      const why = `${range.format(ip)} has been allocated to ${owner.split(' ')[0]}, duplicate allocation is not allowed`;
      throw new CniError(INTERNAL, `failed to allocate for range ${index}: ${why}`);
    }
}

/** plugins/ipam/host-local/backend/allocator IPAllocator.Get: the next free address after the one that was given last. */
function get(set: RangeSet, at: { index: number; store: Store; owner: string }): { address: string; gateway: string } {
  const { index, store, owner } = at;
  for (const [range, ip] of addressesAfter(set, store.lastReserved(index))) {
    if (ip !== range.gateway && store.reserve(ip, owner, index))
      return { address: `${range.format(ip)}/${range.prefix}`, gateway: range.format(range.gateway) };
  }
  throw new CniError(INTERNAL, `failed to allocate for range ${index}: no IP addresses available in range set: ${set.join(',')}`);
}

/** All addresses of a set once, beginning after `last`: RangeIter. */
function* addressesAfter(set: RangeSet, last: bigint | undefined): Generator<[Range, bigint]> {
  const found = last === undefined ? -1 : set.findIndex((range) => last >= range.first && last <= range.last);
  const begin = Math.max(found, 0);
  const from = found < 0 || last === undefined ? undefined : last;
  for (let step = 0; step < set.length; step++) {
    const range = set[(begin + step) % set.length];
    if (!range) continue;
    for (let ip = step === 0 && from !== undefined ? from + 1n : range.first; ip <= range.last; ip++) yield [range, ip];
  }
  const first = set[begin];
  if (first && from !== undefined) for (let ip = first.first; ip <= from; ip++) yield [first, ip];
}

function ipamOf(stdin: CniNetConf): IpamConf {
  const ipam = stdin['ipam'] as IpamConf | undefined;
  if (!ipam) throw new CniError(INTERNAL, `IPAM config missing 'ipam' key`);
  return ipam;
}

/** allocator.LoadIPAMConfig */
function rangeSetsOf(ipam: IpamConf): readonly RangeSet[] {
  const { subnet, rangeStart, rangeEnd, gateway, ranges = [] } = ipam;
  const old: RangeConf[] = subnet
    ? [{ subnet, ...(rangeStart ? { rangeStart } : {}), ...(rangeEnd ? { rangeEnd } : {}), ...(gateway ? { gateway } : {}) }]
    : [];
  const sets = [...(old.length ? [old] : []), ...ranges];
  if (sets.length === 0) throw new CniError(INTERNAL, 'no IP ranges specified');
  return sets.map((set, index) => {
    try {
      return set.map((range) => new Range(range));
    } catch (error) {
      throw error instanceof CniError ? new CniError(error.code, `invalid range set ${index}: ${error.message}`) : error;
    }
  });
}
