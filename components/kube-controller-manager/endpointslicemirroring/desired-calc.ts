import type { EndpointAddress, Endpoints, EndpointPort as SubsetPort } from '../../../src/api/kinds/core-v1.ts';
import type { Endpoint, EndpointPort } from '../../../src/api/kinds/discovery-v1.ts';
import { type PodAddress, repackSubsets } from '../endpoint/repack-subsets.ts';
import { endpointIdentity } from '../endpointslice/pod-to-endpoint.ts';
import { newPortMapKey } from '../endpointslice/util/port-map-key.ts';

export const MAX_ENDPOINTS_PER_SUBSET = 1_000;

/** Endpoints of one address type behind one list of ports. */
export interface DesiredSlice {
  readonly addressType: string;
  readonly ports: EndpointPort[];
  readonly endpoints: Map<string, Endpoint>;
}

/** What the slices of Endpoints should hold, by `sliceKey`, and what cannot be mirrored. */
export interface Desired {
  readonly slices: Map<string, DesiredSlice>;
  readonly invalid: number;
  readonly skipped: number;
}

export function sliceKey(addressType: string, ports: EndpointPort[]): string {
  return `${addressType} ${newPortMapKey(ports)}`;
}

/** pkg/controller/endpointslicemirroring/reconciler_helpers.go desiredCalc */
export function desiredSlices(endpoints: Endpoints): Desired {
  const slices = new Map<string, DesiredSlice>();
  let invalid = 0;
  let skipped = 0;
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of repackSubsets(entriesOf(endpoints))) {
    let added = 0;
    for (const [address, ready] of [...addresses.map((a) => [a, true] as const), ...notReadyAddresses.map((a) => [a, false] as const)]) {
      if (added >= MAX_ENDPOINTS_PER_SUBSET) break;
      const addressType = addressTypeOf(address.ip);
      if (addressType) {
        add(slices, { address, ready, addressType, ports });
        added++;
      } else invalid++;
    }
    skipped += addresses.length + notReadyAddresses.length - added;
  }
  return { slices, invalid, skipped };
}

function entriesOf({ subsets = [] }: Endpoints): PodAddress[] {
  return subsets.flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }) => {
    const places: (SubsetPort | undefined)[] = ports.length > 0 ? ports : [undefined];
    const each = (list: readonly EndpointAddress[], ready: boolean): PodAddress[] =>
      list.flatMap((address) => places.map((port) => ({ address, port, ready })));
    return [...each(addresses, true), ...each(notReadyAddresses, false)];
  });
}

function add(
  slices: Map<string, DesiredSlice>,
  { address, ready, addressType, ports }: { address: EndpointAddress; ready: boolean; addressType: string; ports: readonly SubsetPort[] },
): void {
  const slicePorts = ports.map(({ name = '', protocol, port, appProtocol }) => ({
    name,
    protocol: protocol ?? 'TCP',
    port,
    ...(appProtocol === undefined ? {} : { appProtocol }),
  }));
  const key = sliceKey(addressType, slicePorts);
  const slice = slices.get(key) ?? { addressType, ports: slicePorts, endpoints: new Map() };
  slices.set(key, slice);
  const endpoint = addressToEndpoint(address, ready);
  slice.endpoints.set(endpointIdentity(endpoint), endpoint);
}

/** pkg/controller/endpointslicemirroring/utils.go addressToEndpoint */
function addressToEndpoint({ ip, hostname, nodeName, targetRef }: EndpointAddress, ready: boolean): Endpoint {
  return {
    addresses: [ip],
    conditions: { ready },
    ...(hostname ? { hostname } : {}),
    ...(targetRef ? { targetRef } : {}),
    ...(nodeName === undefined ? {} : { nodeName }),
  };
}

/** pkg/controller/endpointslicemirroring/utils.go getAddressType */
function addressTypeOf(ip: string): string | undefined {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(ip)) return 'IPv4';
  return ip.includes(':') ? 'IPv6' : undefined;
}
