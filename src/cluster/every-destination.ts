import type { Chance, Connection, ServiceRouter, SocketAddress } from '../api/network.ts';

const ALMOST_ONE = 1 - Number.EPSILON;

/** Passes over the first ways that chance might take, then takes the next. */
class NthWay implements Chance {
  readonly #nth: number;
  asked = 0;

  constructor(nth: number) {
    this.#nth = nth;
  }

  float(): number {
    return this.asked++ < this.#nth ? ALMOST_ONE : 0;
  }
}

/** Where connections like this one end up: a Service's endpoints, each as likely as the others. None, when they are refused or dropped. */
export function everyDestination(router: ServiceRouter, connection: Connection): SocketAddress[] {
  const found: SocketAddress[] = [];
  for (let nth = 0; ; nth++) {
    const chance = new NthWay(nth);
    const route = router.route(connection, chance);
    if (route.verdict !== 'accepted') return found;
    found.push(route.destination);
    // The last of several ways is not left to chance.
    if (chance.asked <= nth) return found;
  }
}
