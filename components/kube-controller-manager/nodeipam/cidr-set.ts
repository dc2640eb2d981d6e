/** A range of addresses: the first one as a number, how many bits of it are fixed, and the length of an address. */
export interface Cidr {
  readonly first: bigint;
  readonly prefix: number;
  readonly bits: 32 | 128;
}

/** Reads `10.244.0.0/16` or `fd00::/48`; undefined when malformed. */
export function parseCidr(text: string): Cidr | undefined {
  const [address = '', length = ''] = text.split('/');
  const bits = address.includes(':') ? 128 : 32;
  const value = bits === 128 ? parseIPv6(address) : parseIPv4(address);
  const prefix = Number(length);
  if (value === undefined || !/^\d+$/.test(length) || prefix > bits) return undefined;
  const host = BigInt(bits - prefix);
  return { first: (value >> host) << host, prefix, bits };
}

export function formatCidr({ first, prefix, bits }: Cidr): string {
  return `${bits === 32 ? formatIPv4(first) : formatIPv6(first)}/${prefix}`;
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

function parseIPv4(text: string): bigint | undefined {
  const parts = text.split('.').map(Number);
  if (parts.length !== 4 || parts.some((part) => !(part >= 0 && part <= 255))) return undefined;
  return parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
}

function parseIPv6(text: string): bigint | undefined {
  const [head = '', tail] = text.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const missing = 8 - groups(head).length - groups(tail ?? '').length;
  if (missing < 0 || (tail === undefined && missing !== 0)) return undefined;
  const all = [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail ?? '')];
  if (all.some((group) => !/^[0-9a-fA-F]{1,4}$/.test(group))) return undefined;
  return all.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}

function formatIPv4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.');
}

/** Go's net.IP.String: the longest run of zero groups is left out. */
function formatIPv6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16));
  const runs = [...groups.join(':').matchAll(/(?:^|(?<=:))0(?::0)+(?=:|$)/g)];
  const longest = runs.reduce<RegExpMatchArray | undefined>(
    (best, run) => (best && best[0].length >= run[0].length ? best : run),
    undefined,
  );
  if (!longest) return groups.join(':');
  const text = groups.join(':');
  const at = longest.index ?? 0;
  const before = text.slice(0, Math.max(0, at - 1));
  return `${before}::${text.slice(at + longest[0].length + 1)}`;
}
