import type { Service } from '../../../../src/api/kinds/core-v1.ts';
import type { EndpointSlice } from '../../../../src/api/kinds/discovery-v1.ts';
import { type DnsController, endpointHostname, headlessAddresses } from './controller.ts';
import { parseRequest, type RecordRequest } from './parse.ts';

/** Where a name leads: plugin/etcd/msg Service. */
export interface Target {
  /** The name of the record, with a dot at the end. */
  readonly name: string;
  /** An address; another name for a Service of type ExternalName. */
  readonly host: string;
  /** 0 where there is no port. */
  readonly port: number;
}

/** `undefined`: no such name. An empty list: the name exists, but leads nowhere by itself. */
export type Lookup = readonly Target[] | undefined;

/**
 * Names of Services, their endpoints and pods: CoreDNS plugin/kubernetes/kubernetes.go Kubernetes.
 * @example new Kubernetes('cluster.local.', controller).records('web.default.svc.cluster.local.');
 */
export class Kubernetes {
  readonly zone: string;
  readonly #controller: DnsController;

  constructor(zone: string, controller: DnsController) {
    this.zone = zone;
    this.#controller = controller;
  }

  /** Whether the name is in this zone. */
  owns(name: string): boolean {
    return name === this.zone || name.endsWith(`.${this.zone}`);
  }

  /** plugin/kubernetes/kubernetes.go Records */
  records(name: string): Lookup {
    const base = name === this.zone ? '' : name.slice(0, -this.zone.length - 1);
    const request = parseRequest(base);
    if (!request) return undefined;
    if (request.podOrSvc === '' || request.namespace === '') return [];
    if (!this.#controller.hasNamespace(request.namespace)) return undefined;
    if (request.service === '') return [];
    return request.podOrSvc === 'pod' ? this.#findPods(request) : this.#findServices(request);
  }

  /** Names of an address of a Service or an endpoint, for reverse lookups. plugin/kubernetes/reverse.go serviceRecordForIP */
  reverse(ip: string): readonly string[] {
    const services = this.#controller.servicesByIP(ip).map((service) => this.#serviceName(service));
    if (services.length > 0) return services;
    return this.#controller.endpointsByIP(ip).map(({ slice, endpoint }) => {
      const { namespace, labels } = slice.metadata;
      return `${endpointHostname(endpoint)}.${labels?.['kubernetes.io/service-name']}.${namespace}.svc.${this.zone}`;
    });
  }

  /** Mode `pods insecure`: any address has a name, whether there is such a pod or not. plugin/kubernetes/kubernetes.go findPods */
  #findPods({ service, namespace, endpoint, port }: RecordRequest): Lookup {
    if (endpoint || port) return undefined;
    const isIPv4 = service.split('-').length === 4 && !service.includes('--');
    const host = service.replaceAll('-', isIPv4 ? '.' : ':');
    if (!isAddress(host)) return undefined;
    return [{ name: `${service}.${namespace}.pod.${this.zone}`, host, port: 0 }];
  }

  /** plugin/kubernetes/kubernetes.go findServices */
  #findServices(request: RecordRequest): Lookup {
    const service = this.#controller.service(request.namespace, request.service);
    if (!service) return undefined;
    const targets = this.#targets(service, request);
    return targets.length > 0 ? targets : undefined;
  }

  #targets(service: Service, request: RecordRequest): Target[] {
    const { type, externalName, clusterIP, clusterIPs, ports = [] } = service.spec ?? {};
    if (type === 'ExternalName') {
      if (request.endpoint || request.port || request.protocol || !externalName) return [];
      return [{ name: this.#serviceName(service), host: externalName, port: 0 }];
    }
    if (clusterIP === 'None' || request.endpoint) return this.#endpointTargets(service, request);
    const addresses = clusterIPs?.length ? clusterIPs : [clusterIP ?? ''];
    return ports
      .filter(({ name = '', protocol = 'TCP' }) => matchPortAndProtocol(request, name, protocol))
      .flatMap(({ port }) => addresses.map((host) => ({ name: this.#serviceName(service), host, port })));
  }

  #endpointTargets(service: Service, request: RecordRequest): Target[] {
    const slices = this.#controller.slicesOf(service);
    return slices.flatMap((slice) => this.#sliceTargets(service, slice, request));
  }

  #sliceTargets(service: Service, slice: EndpointSlice, request: RecordRequest): Target[] {
    // Without ports the addresses are still there.
    const ports = slice.ports?.length ? slice.ports : [{ name: '', protocol: '', port: 0 }];
    return headlessAddresses(slice).flatMap(({ ip, hostname }) => {
      if (request.endpoint && request.endpoint !== hostname) return [];
      const matching = ports.filter(({ name = '', protocol = '' }) => matchPortAndProtocol(request, name, protocol));
      return matching.map(({ port = 0 }) => ({ name: `${hostname}.${this.#serviceName(service)}`, host: ip, port }));
    });
  }

  #serviceName({ metadata }: Service): string {
    return `${metadata.name}.${metadata.namespace}.svc.${this.zone}`;
  }
}

/** plugin/kubernetes/kubernetes.go matchPortAndProtocol */
function matchPortAndProtocol(request: RecordRequest, port: string, protocol: string): boolean {
  return (
    (request.port === '' || request.port === port.toLowerCase()) && (request.protocol === '' || request.protocol === protocol.toLowerCase())
  );
}

function isAddress(text: string): boolean {
  const parts = text.split('.');
  if (parts.length === 4) return parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);
  return text.includes(':') && /^[0-9a-f:]+$/.test(text) && text.split(':').length <= 8;
}
