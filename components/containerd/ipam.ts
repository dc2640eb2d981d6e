import { invariant } from '../../src/sim/invariant.ts';

/** CNI's host-local plugin: gives addresses of one range in turn. The first address is the bridge's own. */
export class HostLocalIpam {
  readonly #base: number;
  readonly #size: number;
  readonly #used = new Set<number>();
  #last = 1;

  constructor(cidr: string) {
    const [address = '', bits = ''] = cidr.split('/');
    const parts = address.split('.').map(Number);
    invariant(
      parts.length === 4 && parts.every((part) => part >= 0 && part < 256) && Number(bits) <= 30,
      `a range of IPv4 addresses: ${cidr}`,
    );
    this.#size = 2 ** (32 - Number(bits));
    const whole = parts.reduce((sum, part) => sum * 256 + part, 0);
    this.#base = whole - (whole % this.#size);
  }

  /** The next free address; absent when all are given. */
  allocate(): string | undefined {
    for (let tried = 0; tried < this.#size; tried++) {
      this.#last = this.#last + 1 >= this.#size - 1 ? 2 : this.#last + 1;
      if (this.#last >= this.#size - 1) return undefined;
      if (this.#used.has(this.#last)) continue;
      this.#used.add(this.#last);
      return this.#format(this.#last);
    }
    return undefined;
  }

  release(address: string): void {
    const whole = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    this.#used.delete(whole - this.#base);
  }

  #format(offset: number): string {
    const whole = this.#base + offset;
    return [24, 16, 8, 0].map((shift) => Math.floor(whole / 2 ** shift) % 256).join('.');
  }
}
