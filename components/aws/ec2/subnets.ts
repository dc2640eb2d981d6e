import { formatIP, parseCidr } from '../../../src/api/validation/ip.ts';
import type { XmlValue } from '../../../src/api/xml-text.ts';
import { type Account, newId } from '../account.ts';
import { AwsFailure } from '../aws-failure.ts';
import type { QueryParameters } from '../query-parameters.ts';
import { fitsFilters } from './filter.ts';

/** Amazon keeps the first four addresses of a subnet and the last one. */
const RESERVED = 5;

export interface Subnet {
  readonly subnetId: string;
  readonly vpcId: string;
  readonly cidrBlock: string;
  readonly availabilityZone: string;
}

/** The subnets of a VPC, and which of their addresses are taken. */
export class Subnets {
  readonly #account: Account;
  readonly #subnets = new Map<string, Subnet>();
  readonly #used = new Map<string, Set<string>>();

  constructor(account: Account) {
    this.#account = account;
  }

  get all(): readonly Subnet[] {
    return [...this.#subnets.values()];
  }

  create(spec: Omit<Subnet, 'subnetId'>): Subnet {
    const subnet = { subnetId: newId(this.#account, 'subnet'), ...spec };
    this.#subnets.set(subnet.subnetId, subnet);
    this.#used.set(subnet.subnetId, new Set());
    return subnet;
  }

  get(id: string): Subnet {
    const subnet = this.#subnets.get(id);
    if (!subnet) throw new AwsFailure('InvalidSubnetID.NotFound', `The subnet ID '${id}' does not exist`);
    return subnet;
  }

  /** Any free addresses, or the one that is asked for. @throws AwsFailure */
  take({ subnetId, cidrBlock }: Subnet, count: number, wanted?: string): string[] {
    const used = this.#used.get(subnetId) ?? new Set();
    const { first, size } = rangeOf(cidrBlock);
    if (size - RESERVED - used.size < count) throw noFreeAddresses();
    const taken: string[] = [];
    while (taken.length < count) {
      const offset = RESERVED - 1 + this.#account.random.integer(size - RESERVED);
      const ip = wanted ?? addressAt(first, offset);
      if (used.has(ip) && wanted === undefined) continue;
      used.add(ip);
      taken.push(ip);
    }
    return taken;
  }

  /** The highest free address. @throws AwsFailure */
  takeHighest(subnet: Subnet): string {
    const { first, size } = rangeOf(subnet.cidrBlock);
    for (let offset = size - 2; offset >= RESERVED - 1; offset--) {
      const ip = addressAt(first, offset);
      if (!this.#used.get(subnet.subnetId)?.has(ip)) return this.take(subnet, 1, ip)[0] ?? ip;
    }
    throw noFreeAddresses();
  }

  release({ subnetId }: Subnet, ips: readonly string[]): void {
    for (const ip of ips) this.#used.get(subnetId)?.delete(ip);
  }

  describe(parameters: QueryParameters): XmlValue {
    const ids = parameters.texts('SubnetId');
    for (const id of ids) this.get(id);
    const found = this.all.filter((subnet) => {
      const values: Readonly<Record<string, string>> = {
        'vpc-id': subnet.vpcId,
        'subnet-id': subnet.subnetId,
        'availability-zone': subnet.availabilityZone,
      };
      return (ids.length === 0 || ids.includes(subnet.subnetId)) && fitsFilters(parameters, (name) => [values[name]]);
    });
    const subnetSet = found.map((subnet) => {
      const free = rangeOf(subnet.cidrBlock).size - RESERVED - (this.#used.get(subnet.subnetId)?.size ?? 0);
      return { ...subnet, state: 'available', ownerId: this.#account.id, availableIpAddressCount: free };
    });
    return { subnetSet };
  }
}

function noFreeAddresses(): AwsFailure {
  const message = 'The specified subnet does not have enough free addresses to satisfy the request.';
  return new AwsFailure('InsufficientFreeAddressesInSubnet', message);
}

function rangeOf(cidrBlock: string): { readonly first: bigint; readonly size: number } {
  const cidr = parseCidr(cidrBlock);
  return { first: cidr?.ip.value ?? 0n, size: 2 ** (32 - (cidr?.prefix ?? 32)) };
}

function addressAt(first: bigint, offset: number): string {
  return formatIP({ version: 4, value: first + BigInt(offset) });
}
