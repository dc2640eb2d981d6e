import type { XmlValue } from '../../../src/api/xml-text.ts';
import { type Account, timestamp } from '../account.ts';
import { AwsFailure } from '../aws-failure.ts';
import type { Subnets } from '../ec2/subnets.ts';
import type { QueryParameters } from '../query-parameters.ts';
import { type ActiveBalancer, Front } from './front.ts';
import { Listeners } from './listeners.ts';
import { type Tag, tagsOf } from './tags.ts';
import { TargetGroups } from './target-groups.ts';
import type { Probe } from './targets.ts';

/** From the request until a load balancer takes requests. */
const PROVISION_MS = 120_000;

interface LoadBalancer extends ActiveBalancer {
  readonly scheme: string;
  readonly vpcId: string;
  readonly subnetIds: readonly string[];
  readonly createdAt: number;
  readonly tags: readonly Tag[];
}

interface ElbV2Parts {
  readonly subnets: Subnets;
  readonly probe: Probe;
  /** The address of an instance. */
  readonly addressOf: (instanceId: string) => string | undefined;
}

/** Elastic Load Balancing, version 2: load balancers with their listeners, rules and target groups. */
export class ElbV2 {
  readonly #account: Account;
  readonly #subnets: Subnets;
  readonly #balancers = new Map<string, LoadBalancer>();
  readonly #listeners: Listeners;
  readonly operations: Readonly<Record<string, (parameters: QueryParameters) => XmlValue>>;
  /** What those see who send requests to them. */
  readonly front: Front;
  #publicAddresses = 0;

  constructor(account: Account, { subnets, probe, addressOf }: ElbV2Parts) {
    this.#account = account;
    this.#subnets = subnets;
    this.#listeners = new Listeners(account);
    const groups = new TargetGroups(account, { probe, usersOf: (arn) => this.#listeners.usersOf(arn) });
    const active = () => [...this.#balancers.values()].filter((balancer) => !this.#isProvisioning(balancer));
    this.front = new Front({ active, listeners: this.#listeners, groups, addressOf });
    this.operations = {
      ...this.#listeners.operations,
      ...groups.operations,
      CreateLoadBalancer: (parameters) => ({ LoadBalancers: [this.#describe(this.#create(parameters))] }),
      DescribeLoadBalancers: (parameters) => ({ LoadBalancers: this.#select(parameters).map((balancer) => this.#describe(balancer)) }),
      DescribeTags: (parameters) => ({
        TagDescriptions: parameters.texts('ResourceArns').map((ResourceArn) => {
          const { tags } = this.#balancers.get(ResourceArn) ?? groups.get(ResourceArn);
          return { ResourceArn, Tags: tags.map((tag) => ({ ...tag })) };
        }),
      }),
      DeleteLoadBalancer: (parameters) => {
        const arn = parameters.required('LoadBalancerArn');
        this.#listeners.deleteOf(arn);
        const { subnetIds = [], privateAddresses = [] } = this.#balancers.get(arn) ?? {};
        for (const id of subnetIds) this.#subnets.release(this.#subnets.get(id), privateAddresses);
        this.#balancers.delete(arn);
        return {};
      },
    };
  }

  #create(parameters: QueryParameters): LoadBalancer {
    const name = parameters.required('Name');
    const type = parameters.get('Type') === 'network' ? 'network' : 'application';
    const scheme = parameters.get('Scheme') ?? 'internet-facing';
    const known = [...this.#balancers.values()].find((each) => each.name === name);
    if (known && (known.type !== type || known.scheme !== scheme))
      throw new AwsFailure('DuplicateLoadBalancerName', `A load balancer with the same name '${name}' exists, but with different settings`);
    if (known) return known;
    const subnets = parameters.texts('Subnets').map((id) => this.#subnets.get(id));
    if (type === 'application' && new Set(subnets.map(({ availabilityZone }) => availabilityZone)).size < 2)
      throw new AwsFailure('ValidationError', 'At least two subnets in two different Availability Zones must be specified');
    const { id, region, random, actor } = this.#account;
    const unique = random.hex(16);
    const privateAddresses = subnets.map((subnet) => this.#subnets.takeHighest(subnet));
    const balancer: LoadBalancer = {
      arn: `arn:aws:elasticloadbalancing:${region}:${id}:loadbalancer/${type === 'network' ? 'net' : 'app'}/${name}/${unique}`,
      ...{ name, type, scheme },
      dnsName: dnsNameOf({ name: `${scheme === 'internal' ? 'internal-' : ''}${name}`, type, unique, region }),
      vpcId: subnets[0]?.vpcId ?? '',
      subnetIds: subnets.map(({ subnetId }) => subnetId),
      createdAt: actor.simulation.wallTime,
      privateAddresses,
      addresses: scheme === 'internal' ? privateAddresses : subnets.map(() => this.#publicAddress()),
      tags: tagsOf(parameters),
    };
    this.#balancers.set(balancer.arn, balancer);
    return balancer;
  }

  /** Of the range that documentation uses. */
  #publicAddress(): string {
    return `203.0.113.${(this.#publicAddresses++ % 254) + 1}`;
  }

  #isProvisioning({ createdAt }: LoadBalancer): boolean {
    return this.#account.actor.simulation.wallTime < createdAt + PROVISION_MS;
  }

  #select(parameters: QueryParameters): LoadBalancer[] {
    const [names, arns] = [parameters.texts('Names'), parameters.texts('LoadBalancerArns')];
    const found = [...this.#balancers.values()].filter(
      ({ name, arn }) => (names.length === 0 || names.includes(name)) && (arns.length === 0 || arns.includes(arn)),
    );
    if (found.length < Math.max(names.length, arns.length))
      throw new AwsFailure('LoadBalancerNotFound', `Load balancers '[${[...names, ...arns].join(', ')}]' not found`);
    return found;
  }

  #describe(balancer: LoadBalancer): XmlValue {
    const { arn, name, type, scheme, dnsName, vpcId, subnetIds, createdAt } = balancer;
    return {
      LoadBalancerArn: arn,
      DNSName: dnsName,
      CreatedTime: timestamp(this.#account, createdAt),
      LoadBalancerName: name,
      ...{ Scheme: scheme, VpcId: vpcId, Type: type, IpAddressType: 'ipv4' },
      State: { Code: this.#isProvisioning(balancer) ? 'provisioning' : 'active' },
      AvailabilityZones: subnetIds.map((SubnetId) => ({ SubnetId, ZoneName: this.#subnets.get(SubnetId).availabilityZone })),
    };
  }
}

function dnsNameOf({ name, type, unique, region }: { name: string; type: string; unique: string; region: string }): string {
  if (type === 'network') return `${name}-${unique}.elb.${region}.amazonaws.com`;
  const digits = (BigInt(`0x${unique}`) % 10_000_000_000n).toString().padStart(10, '0');
  return `${name}-${digits}.${region}.elb.amazonaws.com`;
}
