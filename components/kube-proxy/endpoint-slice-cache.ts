import type { EndpointSlice } from '../../src/api/kinds/discovery-v1.ts';
import { keyOf } from '../../src/api/object.ts';
import { type EndpointInfo, endpointInfo } from './endpoint.ts';
import type { IPFamily } from './service-port.ts';

const LABEL_SERVICE_NAME = 'kubernetes.io/service-name';

/** `namespace/name` of the Service that a slice belongs to. */
function serviceOfSlice({ metadata }: EndpointSlice): string | undefined {
  const name = metadata.labels?.[LABEL_SERVICE_NAME];
  return name ? `${metadata.namespace}/${name}` : undefined;
}

/** How endpoints of a port are found: its name in the Service, and the protocol. */
export function portKey(portName: string, protocol: string): string {
  return `${portName} ${protocol}`;
}

/** The slices of all Services, and what they say of a Service's ports taken together: pkg/proxy/endpointslicecache.go EndpointSliceCache. */
export class EndpointSliceCache {
  readonly #node: string;
  readonly #family: IPFamily;
  readonly #slices = new Map<string, Map<string, EndpointSlice>>();

  constructor(node: string, family: IPFamily) {
    this.#node = node;
    this.#family = family;
  }

  /** Takes a new state of a slice; returns the Service whose endpoints may be others now. pkg/proxy/endpointslicecache.go updatePending */
  update(slice: EndpointSlice, isDeleted: boolean): string | undefined {
    const service = serviceOfSlice(slice);
    if (service === undefined || slice.addressType !== this.#family) return undefined;
    const slices = this.#slices.get(service) ?? new Map<string, EndpointSlice>();
    const key = keyOf(slice);
    const before = slices.get(key);
    if (isDeleted) {
      if (!slices.delete(key)) return undefined;
    } else slices.set(key, slice);
    if (slices.size > 0) this.#slices.set(service, slices);
    else this.#slices.delete(service);
    return !isDeleted && before?.endpoints === slice.endpoints && before?.ports === slice.ports ? undefined : service;
  }

  /** The endpoints of a Service, sorted, by `portKey`. pkg/proxy/endpointslicecache.go endpointInfoByServicePort */
  endpointsOf(service: string): ReadonlyMap<string, readonly EndpointInfo[]> {
    const byPort = new Map<string, Map<string, EndpointInfo>>();
    for (const slice of this.#slices.get(service)?.values() ?? []) {
      for (const { name, protocol, port } of slice.ports ?? []) {
        if (name === undefined || port === undefined) continue;
        const key = portKey(name, protocol ?? 'TCP');
        const found = byPort.get(key) ?? new Map<string, EndpointInfo>();
        byPort.set(key, found);
        this.#collect(slice, port, found);
      }
    }
    return new Map([...byPort].map(([key, found]) => [key, [...found.values()].sort((a, b) => (a.address < b.address ? -1 : 1))]));
  }

  /** Names of the Services that have slices. */
  services(): Iterable<string> {
    return this.#slices.keys();
  }

  /** Of doubles a local one stays; else the first. */
  #collect(slice: EndpointSlice, port: number, found: Map<string, EndpointInfo>): void {
    for (const endpoint of slice.endpoints ?? []) {
      const info = endpointInfo(endpoint, port, this.#node);
      if (!info) continue;
      const known = found.get(info.address);
      if (!known || (info.isLocal && !known.isLocal)) found.set(info.address, info);
    }
  }
}
