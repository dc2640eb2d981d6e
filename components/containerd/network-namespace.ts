import type { Service } from './process.ts';

/** The ports of one pod, or of the node itself for pods with `hostNetwork`. */
export class NetworkNamespace {
  readonly ip: string;
  readonly #services = new Map<number, Service>();
  /** By port: requests a second that arrive there, by who sends them. Mostly there are none. */
  #arrivals: Map<number, Map<string, number>> | undefined;
  /** Programs that nobody described: they answer at every port. */
  #fallbacks: Set<Service> | undefined;

  constructor(ip: string) {
    this.ip = ip;
  }

  /** @returns whether the port was free */
  listen(port: number, service: Service): boolean {
    if (this.#services.has(port)) return false;
    this.#services.set(port, service);
    this.#deliver(port);
    return true;
  }

  listenEverywhere(service: Service): void {
    this.#fallbacks ??= new Set();
    this.#fallbacks.add(service);
    for (const port of this.#arrivals?.keys() ?? []) this.#deliver(port);
  }

  /** Gives back every port that the service held. */
  close(service: Service): void {
    this.#fallbacks?.delete(service);
    for (const [port, holder] of this.#services) if (holder === service) this.#services.delete(port);
    for (const port of this.#arrivals?.keys() ?? []) this.#deliver(port);
  }

  at(port: number): Service | undefined {
    return this.#services.get(port) ?? this.#fallbacks?.values().next().value;
  }

  /** From now on so many requests a second arrive from `source`. Whatever listens at the port gets them, also when it only begins to later. */
  arrive(port: number, source: string, requestsPerSecond: number): void {
    this.#arrivals ??= new Map();
    const sources = this.#arrivals.get(port) ?? new Map<string, number>();
    this.#arrivals.set(port, sources);
    if (requestsPerSecond > 0) sources.set(source, requestsPerSecond);
    else sources.delete(source);
    this.#deliver(port);
    if (sources.size === 0) this.#arrivals.delete(port);
  }

  /** What arrives as a load, at all ports. */
  get requestsPerSecond(): number {
    let total = 0;
    for (const sources of this.#arrivals?.values() ?? []) for (const rate of sources.values()) total += rate;
    return total;
  }

  #deliver(port: number): void {
    const sources = this.#arrivals?.get(port);
    if (!sources) return;
    let total = 0;
    for (const rate of sources.values()) total += rate;
    this.at(port)?.onLoad?.(total);
  }
}
