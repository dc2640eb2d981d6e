import type { XmlValue } from '../../../src/api/xml-text.ts';
import { type Account, newId, timestamp } from '../account.ts';
import { AwsFailure } from '../aws-failure.ts';
import { INSTANCE_TYPES, type InstanceType } from '../instance-types.ts';
import type { QueryParameters } from '../query-parameters.ts';
import { fitsFilters } from './filter.ts';
import type { Subnet } from './subnets.ts';

export interface Instance {
  readonly instanceId: string;
  readonly type: InstanceType;
  readonly subnet: Subnet;
  readonly privateIpAddress: string;
  readonly privateDnsName: string;
  /** Its tag `Name`. */
  readonly name: string;
  readonly launchTime: string;
  state: 'running' | 'stopped' | 'terminated';
}

const STATE_CODES = { running: 16, terminated: 48, stopped: 80 };

/** The machines of an account. */
export class Instances {
  readonly #account: Account;
  readonly #instances = new Map<string, Instance>();

  constructor(account: Account) {
    this.#account = account;
  }

  get all(): readonly Instance[] {
    return [...this.#instances.values()];
  }

  run({
    name,
    type,
    subnet,
    ip,
  }: {
    readonly name: string;
    readonly type: InstanceType;
    readonly subnet: Subnet;
    readonly ip: string;
  }): Instance {
    const account = this.#account;
    const instance: Instance = {
      instanceId: newId(account, 'i'),
      ...{ type, subnet, name },
      privateIpAddress: ip,
      privateDnsName: `ip-${ip.replaceAll('.', '-')}.${account.region}.compute.internal`,
      launchTime: timestamp(account),
      state: 'running',
    };
    this.#instances.set(instance.instanceId, instance);
    return instance;
  }

  get(id: string): Instance {
    const instance = this.#instances.get(id);
    if (!instance) throw new AwsFailure('InvalidInstanceID.NotFound', `The instance ID '${id}' does not exist`);
    return instance;
  }

  describe(parameters: QueryParameters, more: (instance: Instance) => Readonly<Record<string, XmlValue>>): XmlValue {
    const ids = parameters.texts('InstanceId');
    for (const id of ids) this.get(id);
    const found = this.all.filter(
      (instance) => (ids.length === 0 || ids.includes(instance.instanceId)) && fitsFilters(parameters, (name) => valuesOf(instance, name)),
    );
    const ownerId = this.#account.id;
    return {
      reservationSet: found.map((instance) => {
        const reservationId = `r-0${instance.instanceId.slice(3)}`;
        return { reservationId, ownerId, instancesSet: [{ ...describeInstance(instance), ...more(instance) }] };
      }),
    };
  }
}

function valuesOf(
  { instanceId, privateDnsName, privateIpAddress, name: tag, state, subnet }: Instance,
  name: string,
): (string | undefined)[] {
  const values: Readonly<Record<string, string>> = {
    'instance-id': instanceId,
    'private-dns-name': privateDnsName,
    'private-ip-address': privateIpAddress,
    'tag:Name': tag,
    'instance-state-name': state,
    'availability-zone': subnet.availabilityZone,
  };
  return [values[name]];
}

function describeInstance(instance: Instance): Readonly<Record<string, XmlValue>> {
  const { instanceId, type, subnet, privateIpAddress, privateDnsName, name, launchTime, state } = instance;
  return {
    instanceId,
    instanceState: { code: STATE_CODES[state], name: state },
    privateDnsName,
    instanceType: type.name,
    launchTime,
    placement: { availabilityZone: subnet.availabilityZone, tenancy: 'default' },
    subnetId: subnet.subnetId,
    vpcId: subnet.vpcId,
    privateIpAddress,
    hypervisor: type.hypervisor,
    tagSet: [{ key: 'Name', value: name }],
  };
}

/** DescribeInstanceTypes */
export function describeInstanceTypes(parameters: QueryParameters): XmlValue {
  const names = parameters.texts('InstanceType');
  const unknown = names.filter((name) => !INSTANCE_TYPES.has(name));
  if (unknown.length > 0)
    throw new AwsFailure('InvalidInstanceType', `The following supplied instance types do not exist: [${unknown.join(', ')}]`);
  const found = [...INSTANCE_TYPES.values()].filter(({ name }) => names.length === 0 || names.includes(name));
  return {
    instanceTypeSet: found.map(({ name, vcpus, memoryMiB, maximumNetworkInterfaces, ipv4AddressesPerInterface, hypervisor }) => ({
      instanceType: name,
      currentGeneration: hypervisor === 'nitro',
      hypervisor,
      vCpuInfo: { defaultVCpus: vcpus },
      memoryInfo: { sizeInMiB: memoryMiB },
      networkInfo: { maximumNetworkInterfaces, ipv4AddressesPerInterface },
    })),
  };
}
