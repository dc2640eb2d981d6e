import type { BalancerTarget, Forwarding, IncomingRequest, LoadBalancers } from '../api/load-balancer.ts';
import type { SocketAddress } from '../api/network.ts';

/** The load balancers of all clouds that the cluster runs in. */
export class Balancers implements LoadBalancers {
  readonly #clouds: LoadBalancers[] = [];

  add(cloud: LoadBalancers): void {
    this.#clouds.push(cloud);
  }

  resolve(name: string): readonly string[] | undefined {
    for (const cloud of this.#clouds) {
      const found = cloud.resolve(name);
      if (found) return found;
    }
    return undefined;
  }

  forward(ip: string, request: IncomingRequest): Forwarding | undefined {
    for (const cloud of this.#clouds) {
      const found = cloud.forward(ip, request);
      if (found) return found;
    }
    return undefined;
  }

  /** Whether there is a load balancer of that name, or at that address. */
  has(host: string): boolean {
    return this.resolve(host) !== undefined || this.forward(host, { port: 0, host }) !== undefined;
  }
}

/** Addresses that nobody outside can reach: RFC 1918. */
export function isPrivate(ip: string): boolean {
  return /^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(ip);
}

/** The destination of the packets that a load balancer sends on. */
export function destinationOf({ ip, port, keepsDestination }: BalancerTarget, asked: SocketAddress): SocketAddress {
  return keepsDestination ? asked : { ip, port };
}
