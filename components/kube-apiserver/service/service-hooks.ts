import type { Endpoints, Service, ServicePort, ServiceSpec } from '../../../src/api/kinds/core-v1.ts';
import { endpoints } from '../../../src/api/resources.ts';
import { ApiStatusError, type FieldError, newInvalid } from '../../../src/api/status-error.ts';
import { invalid } from '../../../src/api/validation/field.ts';
import type { RequestContext } from '../request-context.ts';
import type { Reservation, ServerCore, StorageHooks } from '../server-core.ts';
import { commitDelete } from '../storage/commit.ts';
import {
  addressesOf,
  needsClusterIP,
  needsHealthCheckNodePort,
  needsNodePort,
  normalizeClusterIPs,
  patchAllocatedValues,
} from './allocated-values.ts';
import { IpAllocator } from './ip-allocator.ts';
import { PortAllocator, portsOf } from './port-allocator.ts';

/** Addresses and node ports of Services. pkg/registry/core/service/storage.REST with its Allocators */
export class ServiceHooks implements StorageHooks<Service> {
  readonly #ips: IpAllocator;
  readonly #ports: PortAllocator;

  constructor(server: ServerCore) {
    this.#ips = new IpAllocator(server);
    this.#ports = new PortAllocator(server);
  }

  beginCreate(_context: RequestContext<Service>, service: Service): Reservation<Service> {
    const spec = withFamilies(normalizeClusterIPs(service.spec ?? {}, undefined));
    return this.#reserve({ ...service, spec }, undefined);
  }

  beginUpdate(context: RequestContext<Service>, service: Service, old: Service): Reservation<Service> {
    if (context.subresource) return { object: service, finish: () => {} };
    const patched = patchAllocatedValues(service, old);
    return this.#reserve({ ...patched, spec: withFamilies(patched.spec ?? {}) }, old);
  }

  /** A Service takes its Endpoints with it. */
  afterDelete(context: RequestContext<Service>, service: Service): void {
    this.#release(service);
    const { namespace = '', name = '' } = service.metadata;
    const storage = context.server.storage(endpoints);
    const object = storage.get(namespace, name);
    if (object) commitDelete({ ...context, storage, resource: endpoints } as unknown as RequestContext<Endpoints>, object);
  }

  /** Takes what the Service needs more than it held; gives back what it no longer needs once the write is done. */
  #reserve(service: Service, old: Service | undefined): Reservation<Service> {
    const heldIps = new Set(old ? addressesOf(old) : []);
    const heldPorts = new Set(old ? portsOf(old) : []);
    const taken: { ips: string[]; ports: number[] } = { ips: [], ports: [] };
    const giveBack = (): void => {
      for (const ip of taken.ips) this.#ips.release(ip);
      for (const port of taken.ports) this.#ports.release(port);
    };
    try {
      let spec = service.spec ?? {};
      spec = this.#withAddress(service, spec, { held: heldIps, taken });
      spec = this.#withPorts(service, spec, { held: heldPorts, taken });
      const object = { ...service, spec };
      return {
        object,
        finish: (success) => {
          if (!success) giveBack();
          else if (old) this.#releaseUnused(old, object);
        },
      };
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  #withAddress(service: Service, spec: ServiceSpec, use: { held: ReadonlySet<string>; taken: { ips: string[] } }): ServiceSpec {
    if (!needsClusterIP(spec) || spec.clusterIP === 'None') return spec;
    const ip = spec.clusterIP || this.#ips.next();
    if (!ip) throw internal('failed to allocate a serviceIP: range is full');
    if (!use.held.has(ip)) {
      const problem = this.#ips.problemWith(ip);
      if (problem) throw refused(service, invalid('spec.clusterIPs', [ip], `failed to allocate IP ${ip}: ${problem}`));
      this.#ips.take(ip, { namespace: service.metadata.namespace ?? '', name: service.metadata.name ?? '' });
      use.taken.ips.push(ip);
    }
    return { ...spec, clusterIP: ip, clusterIPs: spec.clusterIPs?.length ? spec.clusterIPs : [ip] };
  }

  #withPorts(service: Service, spec: ServiceSpec, use: { held: ReadonlySet<number>; taken: { ports: number[] } }): ServiceSpec {
    let out = spec;
    if (needsNodePort(spec) || spec.ports?.some(({ nodePort }) => nodePort)) {
      const ports: ServicePort[] = [];
      for (const [index, port] of (spec.ports ?? []).entries())
        ports.push(this.#withPort(service, port, { ...use, index, ports, needed: needsNodePort(spec) }));
      out = { ...out, ports };
    }
    if (!needsHealthCheckNodePort(out) || out.healthCheckNodePort) return out;
    const healthCheckNodePort = this.#nextPort();
    use.taken.ports.push(healthCheckNodePort);
    return { ...out, healthCheckNodePort };
  }

  #withPort(
    service: Service,
    port: ServicePort,
    use: { held: ReadonlySet<number>; taken: { ports: number[] }; index: number; ports: readonly ServicePort[]; needed: boolean },
  ): ServicePort {
    if (!use.needed) return port;
    if (port.nodePort) {
      const shared = use.ports.some((other) => other.nodePort === port.nodePort);
      if (use.held.has(port.nodePort) || shared) return port;
      const problem = this.#ports.problemWith(port.nodePort);
      if (problem) throw refused(service, invalid(`spec.ports[${use.index}].nodePort`, port.nodePort, problem));
      this.#ports.take(port.nodePort);
      use.taken.ports.push(port.nodePort);
      return port;
    }
    // The same port for another protocol gets the same node port.
    const sibling = use.ports.find((other) => other.port === port.port && other.protocol !== port.protocol && other.nodePort);
    if (sibling?.nodePort) return { ...port, nodePort: sibling.nodePort };
    const nodePort = this.#nextPort();
    use.taken.ports.push(nodePort);
    return { ...port, nodePort };
  }

  #nextPort(): number {
    const port = this.#ports.next();
    if (!port) throw internal('failed to allocate a nodePort: range is full');
    this.#ports.take(port);
    return port;
  }

  #releaseUnused(old: Service, object: Service): void {
    const ips = new Set(addressesOf(object));
    const ports = new Set(portsOf(object));
    for (const ip of addressesOf(old)) if (!ips.has(ip)) this.#ips.release(ip);
    for (const port of portsOf(old)) if (!ports.has(port)) this.#ports.release(port);
  }

  #release(service: Service): void {
    for (const ip of addressesOf(service)) this.#ips.release(ip);
    for (const port of portsOf(service)) this.#ports.release(port);
  }
}

/** A cluster of one family: a headless Service without selector says that it would take both. pkg/registry/core/service/storage.initIPFamilyFields */
function withFamilies(spec: ServiceSpec): ServiceSpec {
  if (!needsClusterIP(spec)) return spec;
  const both = spec.clusterIP === 'None' && Object.keys(spec.selector ?? {}).length === 0;
  const ipFamilyPolicy = spec.ipFamilyPolicy ?? (both ? 'RequireDualStack' : 'SingleStack');
  const ipFamilies = spec.ipFamilies?.length ? spec.ipFamilies : both && ipFamilyPolicy !== 'SingleStack' ? ['IPv4', 'IPv6'] : ['IPv4'];
  return { ...spec, ipFamilyPolicy, ipFamilies };
}

function refused(service: Service, error: FieldError): ApiStatusError {
  return newInvalid({ group: '', kind: 'Service' }, service.metadata.name ?? '', [error]);
}

function internal(why: string): ApiStatusError {
  return new ApiStatusError({
    message: `Internal error occurred: ${why}`,
    reason: 'InternalError',
    details: { causes: [{ message: why }] },
    code: 500,
  });
}
