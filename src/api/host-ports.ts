import type { Pod } from './kinds/core-v1.ts';

/** A port on the node's address that a pod takes. */
export interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

const ANY = '0.0.0.0';

/** The host ports in use on a node, by address: framework.HostPortInfo. */
export class HostPortInfo {
  readonly #byAddress: Map<string, Set<string>>;

  constructor(byAddress: Map<string, Set<string>> = new Map()) {
    this.#byAddress = byAddress;
  }

  add({ ip, protocol, port }: HostPort): void {
    let ports = this.#byAddress.get(ip);
    if (!ports) {
      ports = new Set();
      this.#byAddress.set(ip, ports);
    }
    ports.add(`${protocol}/${port}`);
  }

  remove({ ip, protocol, port }: HostPort): void {
    const ports = this.#byAddress.get(ip);
    ports?.delete(`${protocol}/${port}`);
    if (ports?.size === 0) this.#byAddress.delete(ip);
  }

  /** Same protocol and port, and the same address or one that stands for all. */
  conflicts({ ip, protocol, port }: HostPort): boolean {
    const key = `${protocol}/${port}`;
    if (ip !== ANY) return this.#byAddress.get(ANY)?.has(key) === true || this.#byAddress.get(ip)?.has(key) === true;
    for (const ports of this.#byAddress.values()) if (ports.has(key)) return true;
    return false;
  }

  get isEmpty(): boolean {
    return this.#byAddress.size === 0;
  }

  clone(): HostPortInfo {
    return new HostPortInfo(new Map([...this.#byAddress].map(([ip, ports]) => [ip, new Set(ports)])));
  }
}

const NONE: readonly never[] = [];

/** pkg/scheduler/util GetHostPorts: those of containers and of sidecars. */
export function hostPortsOf(pod: Pod): readonly HostPort[] {
  let ports: HostPort[] | undefined;
  const sidecars = pod.spec?.initContainers?.filter((container) => container.restartPolicy === 'Always') ?? NONE;
  for (const containers of [sidecars, pod.spec?.containers ?? NONE]) {
    for (const container of containers) {
      for (const port of container.ports ?? NONE) {
        if (!port.hostPort || port.hostPort <= 0) continue;
        ports ??= [];
        ports.push({ ip: port.hostIP || '0.0.0.0', protocol: port.protocol || 'TCP', port: port.hostPort });
      }
    }
  }
  return ports ?? NONE;
}
