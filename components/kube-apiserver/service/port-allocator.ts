import type { Service } from '../../../src/api/kinds/core-v1.ts';
import { services } from '../../../src/api/resources.ts';
import type { Random } from '../../../src/sim/random.ts';
import type { ServerCore } from '../server-core.ts';

const FIRST = 30_000;
const LAST = 32_767;
/** Ports up to here are left to those that users choose. pkg/registry/core/service/portallocator.calculateRangeOffset */
const STATIC_PORTS = 86;

/** Gives node ports to Services; the Services in the store say which are in use. pkg/registry/core/service/portallocator.PortAllocator */
export class PortAllocator {
  readonly #random: Random;
  readonly #used = new Map<number, number>();

  constructor(server: ServerCore) {
    this.#random = server.simulation.random.fork('kube-apiserver/node-port');
    for (const service of server.storage(services).list()) for (const port of portsOf(service)) this.take(port);
  }

  /** Why the port cannot be had; '' when it can. */
  problemWith(port: number): string {
    if (port < FIRST || port > LAST) return `provided port is not in the valid range. The range of valid ports is ${FIRST}-${LAST}`;
    return this.#used.has(port) ? 'provided port is already allocated' : '';
  }

  next(): number | undefined {
    const free = (from: number, to: number): number | undefined => {
      const start = this.#random.integer(to - from + 1);
      for (let step = 0; step <= to - from; step++) {
        const port = from + ((start + step) % (to - from + 1));
        if (!this.#used.has(port)) return port;
      }
      return undefined;
    };
    return free(FIRST + STATIC_PORTS, LAST) ?? free(FIRST, FIRST + STATIC_PORTS - 1);
  }

  take(port: number): void {
    this.#used.set(port, (this.#used.get(port) ?? 0) + 1);
  }

  release(port: number): void {
    const count = this.#used.get(port) ?? 0;
    if (count > 1) this.#used.set(port, count - 1);
    else this.#used.delete(port);
  }
}

/** The node ports that a Service holds, each once: two protocols may share one. */
export function portsOf({ spec }: Service): number[] {
  const ports = (spec?.ports ?? []).flatMap(({ nodePort }) => (nodePort ? [nodePort] : []));
  return [...new Set(ports), ...(spec?.healthCheckNodePort ? [spec.healthCheckNodePort] : [])];
}
