import type { XmlValue } from '../../../src/api/xml-text.ts';
import { type Account, newId } from '../account.ts';
import type { InstanceType } from '../instance-types.ts';
import type { QueryParameters } from '../query-parameters.ts';
import { describeInstanceTypes, type Instance, Instances } from './instances.ts';
import { NetworkInterfaces } from './network-interfaces.ts';
import { Subnets } from './subnets.ts';
import { Volumes } from './volumes.ts';

/** Addresses of the VPC, and how large the subnet of a zone is. */
const VPC_PREFIX = '192.168';
const SUBNET_SIZE = 32;

/** Amazon EC2: a VPC with a subnet in each zone, instances, their interfaces and volumes. */
export class Ec2 {
  readonly vpcId: string;
  readonly subnets: Subnets;
  readonly instances: Instances;
  readonly interfaces: NetworkInterfaces;
  readonly volumes: Volumes;
  readonly operations: Readonly<Record<string, (parameters: QueryParameters) => XmlValue>>;

  constructor(account: Account, zones: readonly string[]) {
    this.vpcId = newId(account, 'vpc');
    this.subnets = new Subnets(account);
    for (const [index, availabilityZone] of zones.entries())
      this.subnets.create({ vpcId: this.vpcId, cidrBlock: subnetCidr(index), availabilityZone });
    this.instances = new Instances(account);
    this.interfaces = new NetworkInterfaces(account, this);
    this.volumes = new Volumes(account, { instances: this.instances, zones });
    this.operations = {
      ...this.interfaces.operations,
      ...this.volumes.operations,
      DescribeSubnets: (parameters) => this.subnets.describe(parameters),
      DescribeInstanceTypes: describeInstanceTypes,
      DescribeInstances: (parameters) =>
        this.instances.describe(parameters, (instance) => ({
          networkInterfaceSet: this.interfaces.of(instance).map(({ networkInterfaceId, subnetId, privateIpAddress }) => {
            return { networkInterfaceId, subnetId, privateIpAddress };
          }),
        })),
      DescribeAvailabilityZones: () => ({
        availabilityZoneInfo: zones.map((zoneName) => ({ zoneName, zoneState: 'available', regionName: account.region })),
      }),
    };
  }

  /** Starts a machine with its first interface. */
  run({ zone, ...spec }: { readonly name: string; readonly type: InstanceType; readonly zone: string; readonly ip: string }): Instance {
    const subnet = this.subnets.all.find(({ availabilityZone }) => availabilityZone === zone);
    const instance = this.instances.run({ ...spec, subnet: this.subnets.get(subnet?.subnetId ?? '') });
    this.interfaces.createPrimary(instance);
    return instance;
  }
}

/** The subnets of the zones, one after another. */
function subnetCidr(zone: number): string {
  return `${VPC_PREFIX}.${zone * SUBNET_SIZE}.0/19`;
}

/** The n-th machine of a zone. */
export function machineAddress(zone: number, n: number): string {
  return `${VPC_PREFIX}.${zone * SUBNET_SIZE + Math.floor(n / 200)}.${10 + (n % 200)}`;
}
