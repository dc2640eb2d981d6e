import type { Namespace, Service } from '../../../../src/api/kinds/core-v1.ts';
import type { Endpoint, EndpointSlice } from '../../../../src/api/kinds/discovery-v1.ts';
import { endpointslices, namespaces, services } from '../../../../src/api/resources.ts';
import type { Client } from '../../../../src/client/client.ts';
import { SharedInformer } from '../../../../src/client/informer.ts';

const BY_SERVICE = 'service';
const BY_IP = 'ip';

/** What CoreDNS knows of the cluster: plugin/kubernetes/controller.go dnsControl. */
export class DnsController {
  readonly #services: SharedInformer<Service>;
  readonly #slices: SharedInformer<EndpointSlice>;
  readonly #namespaces: SharedInformer<Namespace>;

  constructor(client: Client) {
    this.#services = new SharedInformer({ client: client.resource(services), indexers: { [BY_IP]: ({ spec }) => spec?.clusterIPs ?? [] } });
    this.#slices = new SharedInformer({
      client: client.resource(endpointslices),
      indexers: {
        [BY_SERVICE]: ({ metadata }) => [`${metadata.namespace}/${metadata.labels?.['kubernetes.io/service-name']}`],
        [BY_IP]: ({ endpoints }) => (endpoints ?? []).flatMap(({ addresses }) => addresses),
      },
    });
    this.#namespaces = new SharedInformer({ client: client.resource(namespaces) });
  }

  /** Resolves when all is known. */
  async start(): Promise<void> {
    const informers = [this.#services, this.#slices, this.#namespaces];
    for (const informer of informers) informer.start();
    for (const informer of informers) await informer.waitForSync();
  }

  hasNamespace(name: string): boolean {
    return this.#namespaces.store.get(name) !== undefined;
  }

  service(namespace: string, name: string): Service | undefined {
    return this.#services.store.get(`${namespace}/${name}`);
  }

  slicesOf({ metadata }: Service): readonly EndpointSlice[] {
    return this.#slices.store.byIndex(BY_SERVICE, `${metadata.namespace}/${metadata.name}`);
  }

  servicesByIP(ip: string): readonly Service[] {
    return this.#services.store.byIndex(BY_IP, ip);
  }

  endpointsByIP(ip: string): readonly { readonly slice: EndpointSlice; readonly endpoint: Endpoint }[] {
    return this.#slices.store.byIndex(BY_IP, ip).flatMap((slice) => {
      const matching = (slice.endpoints ?? []).filter(({ addresses }) => addresses.includes(ip));
      return matching.map((endpoint) => ({ slice, endpoint }));
    });
  }
}

/** The addresses of a slice that are told: those of ready endpoints. plugin/kubernetes/object/endpoint.go EndpointSliceToEndpoints */
export function headlessAddresses({ endpoints }: EndpointSlice): readonly { readonly ip: string; readonly hostname: string }[] {
  const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
  return ready.flatMap((endpoint) => endpoint.addresses.map((ip) => ({ ip, hostname: endpointHostname(endpoint, ip) })));
}

/** plugin/kubernetes/kubernetes.go endpointHostname */
export function endpointHostname({ hostname, addresses }: Endpoint, ip: string = addresses[0] ?? ''): string {
  return hostname || ip.replace(/[.:]/g, '-');
}
