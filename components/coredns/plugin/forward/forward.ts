import type { DnsAnswer, DnsQuestion } from '../../../../src/api/network.ts';

/**
 * Passes questions about names outside the cluster on: CoreDNS plugin/forward. Here the outside world is what the configuration says it is; a name that it
 * does not know does not exist.
 */
export class Forward {
  readonly #lookUp: (name: string) => readonly string[] | undefined;

  /** @param lookUp the addresses of a name, without a dot at the end; undefined when there is no such name */
  constructor(lookUp: (name: string) => readonly string[] | undefined) {
    this.#lookUp = lookUp;
  }

  resolve({ name, type }: DnsQuestion): DnsAnswer {
    const addresses = this.#lookUp(name.replace(/\.$/, '').toLowerCase());
    if (!addresses) return { code: 'NXDOMAIN', answers: [], additional: [] };
    const wanted = addresses.filter((address) => type === (address.includes(':') ? 'AAAA' : 'A'));
    return { code: 'NOERROR', answers: wanted.map((data) => ({ name, type, ttl: 30, data })), additional: [] };
  }
}
