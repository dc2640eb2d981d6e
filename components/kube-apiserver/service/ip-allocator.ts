import { getCondition } from '../../../src/api/conditions.ts';
import type { IPAddress } from '../../../src/api/kinds/networking-v1.ts';
import { ipaddresses, servicecidrs, services } from '../../../src/api/resources.ts';
import type { Random } from '../../../src/sim/random.ts';
import { SERVICE_CIDR } from '../bootstrap.ts';
import { loopbackWrite } from '../loopback.ts';
import type { ServerCore } from '../server-core.ts';

/** The lower part of the range is left to addresses that users choose. pkg/registry/core/service/ipallocator.calculateRangeOffset */
const MIN_STATIC = 16;
const MAX_STATIC = 256;

/** A range of addresses for Services, as numbers: its network, and one past its last address. */
interface Range {
  readonly network: number;
  readonly end: number;
}

/**
 * Gives Services their addresses, each recorded as an IPAddress object, out of the ranges that ServiceCIDRs offer.
 * pkg/registry/core/service/ipallocator.MetaAllocator
 */
export class IpAllocator {
  readonly #server: ServerCore;
  readonly #random: Random;

  constructor(server: ServerCore) {
    this.#server = server;
    this.#random = server.simulation.random.fork('kube-apiserver/service-ip');
  }

  isUsed(ip: string): boolean {
    return this.#server.storage(ipaddresses).get('', ip) !== undefined;
  }

  /** The address of the default range itself: what a dry run answers. */
  get base(): string {
    return SERVICE_CIDR.slice(0, SERVICE_CIDR.indexOf('/'));
  }

  /** Why the address cannot be had; '' when it can. */
  problemWith(ip: string, dryRun: boolean): string {
    const address = toNumber(ip);
    const range = this.#ranges().find(({ network, end }) => network <= address && address < end);
    if (!range && !dryRun) return 'the provided network does not match the current range';
    if (!range || address === range.network || address === range.end - 1)
      return `the provided IP (${ip}) is not in the valid range. The range of valid IPs is ${range ? cidrOf(range) : SERVICE_CIDR}`;
    // A dry run looks at nothing here: what is free may change before the real one.
    return !dryRun && this.isUsed(ip) ? 'provided IP is already allocated' : '';
  }

  /** A free address of any range, from its upper part as long as there is one. */
  next(): string | undefined {
    const ranges = this.#ranges();
    while (ranges.length > 0) {
      const [range] = ranges.splice(ranges.length > 1 ? this.#random.integer(ranges.length) : 0, 1);
      const ip = range && this.#nextOf(range);
      if (ip) return ip;
    }
    return undefined;
  }

  #nextOf({ network, end }: Range): string | undefined {
    const size = end - network;
    const fixed = size < MIN_STATIC ? 0 : Math.min(Math.max(MIN_STATIC, Math.floor(size / 16)), MAX_STATIC);
    const free = (from: number, to: number): string | undefined => {
      if (to <= from) return undefined;
      const start = from + this.#random.integer(to - from);
      for (let step = 0; step < to - from; step++) {
        const ip = toText(network + from + ((start - from + step) % (to - from)));
        if (!this.isUsed(ip)) return ip;
      }
      return undefined;
    };
    return free(fixed + 1, size - 1) ?? free(1, Math.min(fixed + 1, size - 1));
  }

  /** Those of ServiceCIDRs that are ready, or of which nobody has said yet that they are not. */
  #ranges(): Range[] {
    const open = this.#server
      .storage(servicecidrs)
      .list()
      .filter(({ metadata, status }) => {
        const ready = getCondition(status?.conditions, 'Ready');
        return !metadata.deletionTimestamp && (!ready || ready.status === 'True');
      });
    return open.flatMap(({ spec }) => (spec?.cidrs ?? []).flatMap((cidr) => rangeOf(cidr) ?? []));
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

/** Undefined for a range of the other family. */
function rangeOf(cidr: string): Range | undefined {
  const [address = '', bits = '32'] = cidr.split('/');
  const network = toNumber(address);
  return Number.isNaN(network) ? undefined : { network, end: network + 2 ** (32 - Number(bits)) };
}

function cidrOf({ network, end }: Range): string {
  return `${toText(network)}/${32 - Math.log2(end - network)}`;
}

function toNumber(ip: string): number {
  const parts = ip.split('.').map(Number);
  return parts.length === 4 ? parts.reduce((sum, part) => sum * 256 + part, 0) : Number.NaN;
}

function toText(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}
