import type { Service } from './process.ts';

/** The ports of one pod, or of the node itself for pods with `hostNetwork`. */
export class NetworkNamespace {
  readonly ip: string;
  readonly #services = new Map<number, Service>();
  /** Programs that nobody described: they answer at every port. */
  readonly #fallbacks = new Set<Service>();

  constructor(ip: string) {
    this.ip = ip;
  }

  /** @returns whether the port was free */
  listen(port: number, service: Service): boolean {
    if (this.#services.has(port)) return false;
    this.#services.set(port, service);
    return true;
  }

  listenEverywhere(service: Service): void {
    this.#fallbacks.add(service);
  }

  /** Gives back every port that the service held. */
  close(service: Service): void {
    this.#fallbacks.delete(service);
    for (const [port, holder] of this.#services) if (holder === service) this.#services.delete(port);
  }

  at(port: number): Service | undefined {
    return this.#services.get(port) ?? this.#fallbacks.values().next().value;
  }
}
