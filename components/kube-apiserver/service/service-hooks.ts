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

/** What a request has taken so far; a dry run takes nothing. */
interface Taken {
  readonly dryRun: boolean;
  readonly ips: string[];
  readonly ports: number[];
}

const isIPv4 = (text: string): boolean => /^\d{1,3}(\.\d{1,3}){3}$/.test(text);

/** Addresses and node ports of Services. pkg/registry/core/service/storage.REST with its Allocators */
export class ServiceHooks implements StorageHooks<Service> {
  readonly #ips: IpAllocator;
  readonly #ports: PortAllocator;

  constructor(server: ServerCore) {
    this.#ips = new IpAllocator(server);
    this.#ports = new PortAllocator(server);
  }

  beginCreate({ dryRun }: RequestContext<Service>, service: Service): Reservation<Service> {
    const named = { ...service, spec: normalizeClusterIPs(service.spec ?? {}, undefined) };
    return this.#reserve(withFamilies(named), { old: undefined, dryRun });
  }

  beginUpdate({ subresource, dryRun }: RequestContext<Service>, service: Service, old: Service): Reservation<Service> {
    if (subresource) return { object: service, finish: () => {} };
    return this.#reserve(withFamilies(patchAllocatedValues(service, old)), { old, dryRun });
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
  #reserve(service: Service, { old, dryRun }: { old: Service | undefined; dryRun: boolean }): Reservation<Service> {
    const taken: Taken = { dryRun, ips: [], ports: [] };
    const giveBack = (): void => {
      for (const ip of taken.ips) this.#ips.release(ip);
      for (const port of taken.ports) this.#ports.release(port);
    };
    try {
      const withAddress = this.#withAddress(service, old, taken);
      const spec = this.#withPorts(service, withAddress, { held: new Set(old ? portsOf(old) : []), taken });
      return {
        object: { ...service, spec },
        finish: (stored) => {
          if (!stored) giveBack();
          else if (old) this.#releaseUnused(old, stored);
        },
      };
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  /** A Service that has an address keeps it: validation refuses a change of it. */
  #withAddress(service: Service, old: Service | undefined, taken: Taken): ServiceSpec {
    const spec = service.spec ?? {};
    if (!needsClusterIP(spec) || spec.clusterIP === 'None' || (old?.spec && needsClusterIP(old.spec))) return spec;
    const given = spec.clusterIP;
    if (given && !isIPv4(given)) {
      if (!given.includes(':')) return spec;
      throw refused(service, invalid('spec.clusterIPs[0]', spec.clusterIPs ?? [given], 'IPv6 is not configured on this cluster'));
    }
    const ip = given || (taken.dryRun ? this.#ips.base : this.#ips.next());
    if (!ip) throw internal('failed to allocate a serviceIP: range is full');
    if (given) {
      const problem = this.#ips.problemWith(given, taken.dryRun);
      if (problem) throw refused(service, invalid('spec.clusterIPs', [given], `failed to allocate IP ${given}: ${problem}`));
    }
    if (!taken.dryRun) {
      this.#ips.take(ip, { namespace: service.metadata.namespace ?? '', name: service.metadata.name ?? '' });
      taken.ips.push(ip);
    }
    const { clusterIP: _, clusterIPs, ...rest } = spec;
    return { clusterIP: ip, clusterIPs: clusterIPs?.length ? clusterIPs : [ip], ...rest };
  }

  #withPorts(service: Service, spec: ServiceSpec, use: { held: ReadonlySet<number>; taken: Taken }): ServiceSpec {
    let out = spec;
    if (needsNodePort(spec)) {
      const ports: ServicePort[] = [];
      for (const port of spec.ports ?? []) ports.push(this.#withPort(service, port, { ...use, ports }));
      out = { ...out, ports };
    }
    if (!needsHealthCheckNodePort(out) || out.healthCheckNodePort) return out;
    return { ...out, healthCheckNodePort: this.#takePort(this.#nextPort(), use.taken) };
  }

  #withPort(
    service: Service,
    port: ServicePort,
    use: { held: ReadonlySet<number>; taken: Taken; ports: readonly ServicePort[] },
  ): ServicePort {
    const { held, taken, ports } = use;
    if (port.nodePort) {
      const others = ports.filter((other) => other.nodePort === port.nodePort);
      if (others.some((other) => other.protocol === port.protocol)) throw refused(service, portTaken(ports.length, port.nodePort));
      if (held.has(port.nodePort) || others.length > 0) return port;
      // A dry run looks at nothing here: what is free may change before the real one.
      const problem = taken.dryRun ? '' : this.#ports.problemWith(port.nodePort);
      if (problem) throw refused(service, invalid(`spec.ports[${ports.length}].nodePort`, port.nodePort, problem));
      this.#takePort(port.nodePort, taken);
      return port;
    }
    // The same port for another protocol gets the same node port.
    const sibling = ports.find((other) => other.port === port.port && other.protocol !== port.protocol && other.nodePort);
    if (sibling?.nodePort) return { ...port, nodePort: sibling.nodePort };
    return { ...port, nodePort: this.#takePort(this.#nextPort(), taken) };
  }

  #takePort(port: number, taken: Taken): number {
    if (taken.dryRun) return port;
    this.#ports.take(port);
    taken.ports.push(port);
    return port;
  }

  #nextPort(): number {
    const port = this.#ports.next();
    if (!port) throw internal('failed to allocate a nodePort: range is full');
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

/**
 * A cluster of one family: a headless Service without selector says that it would take both, no other may.
 * pkg/registry/core/service/storage.initIPFamilyFields
 */
function withFamilies(service: Service): Service {
  const spec = service.spec ?? {};
  if (!needsClusterIP(spec)) return service;
  const both = spec.clusterIP === 'None' && Object.keys(spec.selector ?? {}).length === 0;
  if (!both) {
    const errors = familyErrors(spec);
    if (errors.length > 0) throw refused(service, ...errors);
  }
  const ipFamilyPolicy = spec.ipFamilyPolicy ?? (both ? 'RequireDualStack' : 'SingleStack');
  const ipFamilies = spec.ipFamilies?.length ? spec.ipFamilies : both && ipFamilyPolicy !== 'SingleStack' ? ['IPv4', 'IPv6'] : ['IPv4'];
  return { ...service, spec: { ...spec, ipFamilyPolicy, ipFamilies } };
}

/** What only a cluster of two families has. */
function familyErrors({ ipFamilyPolicy, ipFamilies = [], clusterIPs = [] }: ServiceSpec): FieldError[] {
  const many = 'must be RequireDualStack or PreferDualStack when multiple';
  if (ipFamilyPolicy === 'SingleStack') {
    const errors: FieldError[] = [];
    for (const [name, list] of Object.entries({ clusterIPs, ipFamilies }))
      if (list.length === 2) errors.push(invalid('spec.ipFamilyPolicy', ipFamilyPolicy, `${many} '${name}' are specified`));
    if (errors.length > 0) return errors;
  }
  const errors: FieldError[] = [];
  if (ipFamilyPolicy === 'RequireDualStack')
    errors.push(invalid('spec.ipFamilyPolicy', ipFamilyPolicy, 'this cluster is not configured for dual-stack services'));
  // Of an address and a family that do not fit validation tells.
  for (const [index, family] of ipFamilies.entries())
    if (family === 'IPv6' && (clusterIPs[index] ?? 'None') === 'None')
      errors.push(invalid(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster'));
  return errors;
}

function portTaken(index: number, port: number): FieldError {
  return invalid(`spec.ports[${index}].nodePort`, port, 'provided port is already allocated');
}

function refused(service: Service, ...errors: readonly FieldError[]): ApiStatusError {
  return newInvalid({ group: '', kind: 'Service' }, service.metadata.name ?? '', errors);
}

function internal(why: string): ApiStatusError {
  return new ApiStatusError({
    message: `Internal error occurred: ${why}`,
    reason: 'InternalError',
    details: { causes: [{ message: why }] },
    code: 500,
  });
}
