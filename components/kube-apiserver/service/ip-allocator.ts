import type { IPAddress } from '../../../src/api/kinds/networking-v1.ts';
import { ipaddresses, services } from '../../../src/api/resources.ts';
import type { Random } from '../../../src/sim/random.ts';
import { SERVICE_CIDR } from '../bootstrap.ts';
import { loopbackWrite } from '../loopback.ts';
import type { ServerCore } from '../server-core.ts';

/** The lower part of the range is left to addresses that users choose. pkg/registry/core/service/ipallocator.calculateRangeOffset */
const MIN_STATIC = 16;
const MAX_STATIC = 256;

/** Gives Services their addresses, each recorded as an IPAddress object. pkg/registry/core/service/ipallocator.MetaAllocator */
export class IpAllocator {
  readonly cidr = SERVICE_CIDR;
  readonly #server: ServerCore;
  readonly #random: Random;
  readonly #base: number;
  readonly #size: number;

  constructor(server: ServerCore) {
    this.#server = server;
    this.#random = server.simulation.random.fork('kube-apiserver/service-ip');
    const [address = '', bits = '32'] = this.cidr.split('/');
    this.#base = toNumber(address);
    this.#size = 2 ** (32 - Number(bits));
  }

  isUsed(ip: string): boolean {
    return this.#server.storage(ipaddresses).get('', ip) !== undefined;
  }

  /** The address of the range itself: what a dry run answers. */
  get base(): string {
    return toText(this.#base);
  }

  /** Why the address cannot be had; '' when it can. */
  problemWith(ip: string, dryRun: boolean): string {
    const offset = toNumber(ip) - this.#base;
    if (offset <= 0 || offset >= this.#size - 1) {
      return dryRun
        ? `the provided IP (${ip}) is not in the valid range. The range of valid IPs is ${this.cidr}`
        : 'the provided network does not match the current range';
    }
    return this.isUsed(ip) ? 'provided IP is already allocated' : '';
  }

  /** A free address, from the upper part of the range as long as there is one. */
  next(): string | undefined {
    const fixed = Math.min(Math.max(MIN_STATIC, Math.floor(this.#size / 16)), MAX_STATIC);
    const free = (from: number, to: number): string | undefined => {
      const start = from + this.#random.integer(to - from);
      for (let step = 0; step < to - from; step++) {
        const ip = toText(this.#base + from + ((start - from + step) % (to - from)));
        if (!this.isUsed(ip)) return ip;
      }
      return undefined;
    };
    return free(fixed + 1, this.#size - 1) ?? free(1, fixed + 1);
  }

  take(ip: string, service: { readonly namespace: string; readonly name: string }): void {
    const object: IPAddress = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IPAddress',
      metadata: {
        name: ip,
        uid: this.#server.uids.uuid(),
        creationTimestamp: this.#server.now,
        labels: { 'ipaddress.kubernetes.io/ip-family': 'IPv4', 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' },
      },
      spec: { parentRef: { resource: services.resource, ...service } },
    };
    loopbackWrite(this.#server, object, { resource: ipaddresses, verb: 'create' });
  }

  release(ip: string): void {
    const object = this.#server.storage(ipaddresses).get('', ip);
    if (object) loopbackWrite(this.#server, object, { resource: ipaddresses, verb: 'delete' });
  }
}

function toNumber(ip: string): number {
  const parts = ip.split('.').map(Number);
  return parts.length === 4 ? parts.reduce((sum, part) => sum * 256 + part, 0) : Number.NaN;
}

function toText(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}
