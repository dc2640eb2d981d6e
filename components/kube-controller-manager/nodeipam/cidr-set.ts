import { formatIP, maskIP, parseCidr as parseCidrText } from '../../../src/api/validation/ip.ts';

/** A range of addresses: the first one as a number, how many bits of it are fixed, and the length of an address. */
export interface Cidr {
  readonly first: bigint;
  readonly prefix: number;
  readonly bits: 32 | 128;
}

/** Reads `10.244.0.0/16` or `fd00::/48`; undefined when malformed. */
export function parseCidr(text: string): Cidr | undefined {
  const parsed = parseCidrText(text);
  if (!parsed) return undefined;
  const { ip, prefix } = parsed;
  return { first: maskIP(ip, prefix).value, prefix, bits: ip.version === 4 ? 32 : 128 };
}

export function formatCidr({ first, prefix, bits }: Cidr): string {
  return `${formatIP({ version: bits === 32 ? 4 : 6, value: first })}/${prefix}`;
}

/**
 * Gives out equal parts of a range, each part once, in turn: one that comes back is given again only after all others.
 * pkg/controller/nodeipam/ipam/cidrset CidrSet
 */
export class CidrSet {
  readonly #range: Cidr;
  readonly #nodePrefix: number;
  readonly #size: number;
  readonly #used = new Set<number>();
  #next = 0;

  constructor(range: Cidr, nodePrefix: number) {
    this.#range = range;
    this.#nodePrefix = nodePrefix;
    this.#size = 2 ** Math.min(30, Math.max(0, nodePrefix - range.prefix));
  }

  /** Undefined when all are taken. */
  allocateNext(): Cidr | undefined {
    for (let tries = 0; tries < this.#size; tries++) {
      const index = (this.#next + tries) % this.#size;
      if (this.#used.has(index)) continue;
      this.#used.add(index);
      this.#next = (index + 1) % this.#size;
      return { first: this.#range.first + (BigInt(index) << this.#hostBits), prefix: this.#nodePrefix, bits: this.#range.bits };
    }
    return undefined;
  }

  /** Takes every part that the range touches out of what is given. */
  occupy(range: Cidr): void {
    for (const index of this.#indexes(range)) this.#used.add(index);
  }

  release(range: Cidr): void {
    for (const index of this.#indexes(range)) this.#used.delete(index);
  }

  get #hostBits(): bigint {
    return BigInt(this.#range.bits - this.#nodePrefix);
  }

  #indexes(range: Cidr): number[] {
    if (range.bits !== this.#range.bits) return [];
    const last = range.first + (1n << BigInt(range.bits - range.prefix)) - 1n;
    const from = Number((range.first - this.#range.first) >> this.#hostBits);
    const to = Number((last - this.#range.first) >> this.#hostBits);
    const indexes: number[] = [];
    for (let index = Math.max(0, from); index <= Math.min(to, this.#size - 1); index++) indexes.push(index);
    return indexes;
  }
}
