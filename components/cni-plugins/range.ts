import { CniError } from '../../src/api/cni.ts';
import { formatIP, maskIP, parseCidr, parseIP } from '../../src/api/validation/ip.ts';
import { INTERNAL } from './error-code.ts';

/** plugins/ipam/host-local/backend/allocator Range: addresses of one subnet that may be given. */
export interface RangeConf {
  readonly subnet: string;
  readonly rangeStart?: string;
  readonly rangeEnd?: string;
  readonly gateway?: string;
}

/** A range with what was left out filled in: Range.Canonicalize. */
export class Range {
  readonly first: bigint;
  readonly last: bigint;
  readonly gateway: bigint;
  readonly prefix: number;
  readonly #version: 4 | 6;

  /** @throws CniError */
  constructor({ subnet, rangeStart, rangeEnd, gateway }: RangeConf) {
    const cidr = parseCidr(subnet);
    if (!cidr) throw new CniError(INTERNAL, `invalid CIDR address: ${subnet}`);
    const { version } = cidr.ip;
    const size = 1n << BigInt((version === 4 ? 32 : 128) - cidr.prefix);
    if (size < 4n) throw new CniError(INTERNAL, `Network ${subnet} too small to allocate from`);
    this.#version = version;
    this.prefix = cidr.prefix;
    const base = maskIP(cidr.ip, cidr.prefix).value;
    const within = (text: string, field: string): bigint => {
      const ip = parseIP(text);
      if (ip?.version !== version || ip.value < base || ip.value >= base + size)
        throw new CniError(INTERNAL, `${field} ${text} not in network ${subnet}`);
      return ip.value;
    };
    this.gateway = gateway === undefined ? base + 1n : within(gateway, 'gateway');
    this.first = rangeStart === undefined ? base + 1n : within(rangeStart, 'RangeStart');
    // The last address of an IPv4 subnet is for broadcasts.
    this.last = rangeEnd === undefined ? base + size - (version === 4 ? 2n : 1n) : within(rangeEnd, 'RangeEnd');
  }

  format(ip: bigint): string {
    return formatIP({ version: this.#version, value: ip });
  }

  /** As messages name it. */
  toString(): string {
    return `${this.format(this.first)}-${this.format(this.last)}`;
  }
}
