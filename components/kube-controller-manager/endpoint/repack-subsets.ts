import type { EndpointAddress, EndpointPort, EndpointSubset } from '../../../src/api/kinds/core-v1.ts';
import { md5 } from '../endpointslice/util/md5.ts';

/** One address of a pod, behind one port; `port` is absent for a headless Service without ports. */
export interface PodAddress {
  readonly address: EndpointAddress;
  readonly port: EndpointPort | undefined;
  readonly ready: boolean;
}

interface PortGroup {
  readonly port: EndpointPort | undefined;
  readonly addresses: Map<string, { address: EndpointAddress; ready: boolean }>;
}

/**
 * Joins addresses into as few subsets as there are different sets of addresses, in the order in which upstream has them.
 * pkg/api/v1/endpoints/util.go RepackSubsets
 */
export function repackSubsets(entries: readonly PodAddress[]): EndpointSubset[] {
  const byAddresses = new Map<string, { group: PortGroup; ports: EndpointPort[] }>();
  const groups = groupByPort(entries);
  for (const group of groups) {
    const key = groups.length === 1 ? '' : addressesKey(group);
    const known = byAddresses.get(key) ?? { group, ports: [] };
    byAddresses.set(key, known);
    if (group.port) known.ports.push(group.port);
  }
  const subsets = [...byAddresses.values()].map(({ group, ports }) => toSubset(group, ports));
  return subsets.length > 1 ? sortByDigest(subsets, JSON.stringify) : subsets;
}

function groupByPort(entries: readonly PodAddress[]): PortGroup[] {
  const groups = new Map<string, PortGroup>();
  for (const { address, port, ready } of entries) {
    const portKey = port ? dump(port) : '';
    const group = groups.get(portKey) ?? { port, addresses: new Map() };
    groups.set(portKey, group);
    const key = `${address.ip} ${address.targetRef?.uid ?? ''}`;
    const known = group.addresses.get(key);
    // Of doubles all have to be ready.
    group.addresses.set(key, { address, ready: ready && (known?.ready ?? true) });
  }
  return [...groups.values()];
}

function addressesKey({ addresses }: PortGroup): string {
  return [...addresses]
    .map(([key, { ready }]) => `${key} ${ready}`)
    .sort()
    .join(',');
}

function toSubset({ addresses }: PortGroup, ports: EndpointPort[]): EndpointSubset {
  const sorted = [...addresses].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  const ready = sorted.filter((entry) => entry.ready).map(({ address }) => address);
  const notReady = sorted.filter((entry) => !entry.ready).map(({ address }) => address);
  return {
    ...(ready.length > 0 ? { addresses: ready } : {}),
    ...(notReady.length > 0 ? { notReadyAddresses: notReady } : {}),
    ...(ports.length > 0 ? { ports: ports.length > 1 ? sortByDigest(ports, dump) : ports } : {}),
  };
}

function sortByDigest<T>(items: readonly T[], text: (item: T) => string): T[] {
  const digests = new Map(items.map((item) => [item, md5(text(item))]));
  return [...items].sort((a, b) => ((digests.get(a) ?? '') < (digests.get(b) ?? '') ? -1 : 1));
}

/** The text of a port that upstream hashes. */
function dump({ name, port, protocol, appProtocol }: EndpointPort): string {
  const optional = appProtocol === undefined ? '<nil>' : `(*string)${appProtocol}`;
  return `(v1.EndpointPort){Name:(string)${name ?? ''} Port:(int32)${port} Protocol:(v1.Protocol)${protocol ?? ''} AppProtocol:${optional}}`;
}
