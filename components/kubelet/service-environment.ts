import type { Pod, Service } from '../../src/api/kinds/core-v1.ts';

/** The master service is there in every namespace, the others with enableServiceLinks. */
const MASTER_SERVICES = new Set(['kubernetes']);

/** pkg/kubelet/envvars FromServices: variables of the Services that a pod sees. Made once for each namespace, until a Service changes. */
export class ServiceEnvironment {
  readonly #servicesOf: (namespace: string) => readonly Service[];
  readonly #known = new Map<string, ReadonlyMap<string, string>>();

  constructor(servicesOf: (namespace: string) => readonly Service[]) {
    this.#servicesOf = servicesOf;
  }

  /** Some Service was added, changed or removed. */
  invalidate(): void {
    this.#known.clear();
  }

  of(pod: Pod): ReadonlyMap<string, string> {
    const namespace = pod.metadata.namespace ?? '';
    const links = pod.spec?.enableServiceLinks ?? true;
    const key = `${namespace}/${links}`;
    let values = this.#known.get(key);
    if (!values) {
      values = this.#make(namespace, links);
      this.#known.set(key, values);
    }
    return values;
  }

  #make(namespace: string, links: boolean): ReadonlyMap<string, string> {
    const chosen = new Map<string, Service>();
    for (const service of this.#servicesOf('default')) {
      if (MASTER_SERVICES.has(service.metadata.name ?? '')) chosen.set(service.metadata.name ?? '', service);
    }
    if (links) for (const service of this.#servicesOf(namespace)) chosen.set(service.metadata.name ?? '', service);
    const values = new Map<string, string>();
    for (const service of chosen.values()) addService(values, service);
    return values;
  }
}

function addService(values: Map<string, string>, service: Service): void {
  const { clusterIP, ports = [] } = service.spec ?? {};
  if (!clusterIP || clusterIP === 'None') return;
  const name = (service.metadata.name ?? '').toUpperCase().replaceAll('-', '_');
  const [first] = ports;
  values.set(`${name}_SERVICE_HOST`, clusterIP);
  if (first) values.set(`${name}_SERVICE_PORT`, String(first.port));
  for (const port of ports)
    if (port.name) values.set(`${name}_SERVICE_PORT_${port.name.toUpperCase().replaceAll('-', '_')}`, String(port.port));
  for (const [index, { port, protocol = 'TCP' }] of ports.entries()) {
    const url = `${protocol.toLowerCase()}://${clusterIP}:${port}`;
    const prefix = `${name}_PORT_${port}_${protocol}`;
    if (index === 0) values.set(`${name}_PORT`, url);
    values
      .set(prefix, url)
      .set(`${prefix}_PROTO`, protocol.toLowerCase())
      .set(`${prefix}_PORT`, String(port))
      .set(`${prefix}_ADDR`, clusterIP);
  }
}
