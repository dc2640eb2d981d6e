import type { XmlValue } from '../../../src/api/xml-text.ts';
import { type Account, newId } from '../account.ts';
import { AwsFailure } from '../aws-failure.ts';
import type { QueryParameters } from '../query-parameters.ts';
import { fitsFilters } from './filter.ts';
import type { Instance, Instances } from './instances.ts';
import type { Subnets } from './subnets.ts';

export interface NetworkInterface {
  readonly networkInterfaceId: string;
  readonly subnetId: string;
  readonly description: string;
  readonly macAddress: string;
  readonly privateIpAddress: string;
  readonly secondary: Set<string>;
  attachment: { readonly attachmentId: string; readonly instanceId: string; readonly deviceIndex: number } | undefined;
}

/** Interfaces, where they are attached, and their addresses: as many of both as the type of the instance allows. */
export class NetworkInterfaces {
  readonly #account: Account;
  readonly #subnets: Subnets;
  readonly #instances: Instances;
  readonly #interfaces = new Map<string, NetworkInterface>();

  constructor(account: Account, { subnets, instances }: { readonly subnets: Subnets; readonly instances: Instances }) {
    this.#account = account;
    this.#subnets = subnets;
    this.#instances = instances;
  }

  of({ instanceId }: Instance): NetworkInterface[] {
    return [...this.#interfaces.values()].filter(({ attachment }) => attachment?.instanceId === instanceId);
  }

  /** The interface that an instance is born with. */
  createPrimary(instance: Instance): void {
    const made = this.#create(instance.subnet.subnetId, { description: '', ip: instance.privateIpAddress });
    made.attachment = { attachmentId: newId(this.#account, 'eni-attach'), instanceId: instance.instanceId, deviceIndex: 0 };
  }

  readonly operations: Readonly<Record<string, (parameters: QueryParameters) => XmlValue>> = {
    CreateNetworkInterface: (parameters) => {
      const made = this.#create(parameters.required('SubnetId'), { description: parameters.get('Description') ?? '' });
      this.#assign(made, parameters.number('SecondaryPrivateIpAddressCount') ?? 0);
      return { networkInterface: this.#describe(made) };
    },
    AttachNetworkInterface: (parameters) => this.#attach(parameters),
    DetachNetworkInterface: (parameters) => {
      const id = parameters.required('AttachmentId');
      const found = [...this.#interfaces.values()].find(({ attachment }) => attachment?.attachmentId === id);
      if (!found) throw new AwsFailure('InvalidAttachmentID.NotFound', `The network interface attachment '${id}' does not exist.`);
      if (found.attachment?.deviceIndex === 0)
        throw new AwsFailure('OperationNotPermitted', 'The network interface at device index 0 cannot be detached.');
      found.attachment = undefined;
      return { return: true };
    },
    DeleteNetworkInterface: (parameters) => {
      const { networkInterfaceId, subnetId, attachment, privateIpAddress, secondary } = this.#get(parameters);
      if (attachment) throw new AwsFailure('InvalidParameterValue', `Network interface '${networkInterfaceId}' is currently in use.`);
      this.#interfaces.delete(networkInterfaceId);
      this.#subnets.release(this.#subnets.get(subnetId), [privateIpAddress, ...secondary]);
      return { return: true };
    },
    DescribeNetworkInterfaces: (parameters) => {
      const ids = parameters.texts('NetworkInterfaceId');
      for (const id of ids) this.#find(id);
      const found = [...this.#interfaces.values()].filter(
        (each) => (ids.length === 0 || ids.includes(each.networkInterfaceId)) && fitsFilters(parameters, (name) => valuesOf(each, name)),
      );
      return { networkInterfaceSet: found.map((each) => this.#describe(each)) };
    },
    AssignPrivateIpAddresses: (parameters) => {
      const found = this.#get(parameters);
      const ips = this.#assign(found, parameters.number('SecondaryPrivateIpAddressCount') ?? 0);
      const { networkInterfaceId } = found;
      return { networkInterfaceId, assignedPrivateIpAddressesSet: ips.map((privateIpAddress) => ({ privateIpAddress })), return: true };
    },
    UnassignPrivateIpAddresses: (parameters) => {
      const { secondary, subnetId } = this.#get(parameters);
      const ips = parameters.texts('PrivateIpAddress');
      if (!ips.every((ip) => secondary.has(ip)))
        throw new AwsFailure('InvalidParameterValue', 'Some of the specified addresses are not assigned to interface');
      for (const ip of ips) secondary.delete(ip);
      this.#subnets.release(this.#subnets.get(subnetId), ips);
      return { return: true };
    },
  };

  #attach(parameters: QueryParameters): XmlValue {
    const found = this.#get(parameters);
    const instance = this.#instances.get(parameters.required('InstanceId'));
    const deviceIndex = parameters.number('DeviceIndex') ?? 1;
    if (found.attachment) throw new AwsFailure('InvalidNetworkInterface.InUse', `Interface: [${found.networkInterfaceId}] in use.`);
    const attached = this.of(instance);
    const { name, maximumNetworkInterfaces } = instance.type;
    if (attached.length >= maximumNetworkInterfaces)
      throw new AwsFailure('AttachmentLimitExceeded', `Interface count ${attached.length + 1} exceeds the limit for ${name}`);
    if (attached.some(({ attachment }) => attachment?.deviceIndex === deviceIndex))
      throw new AwsFailure(
        'InvalidParameterValue',
        `Instance '${instance.instanceId}' already has an interface attached at device index '${deviceIndex}'.`,
      );
    this.#checkLimit(instance, found.secondary.size);
    found.attachment = { attachmentId: newId(this.#account, 'eni-attach'), instanceId: instance.instanceId, deviceIndex };
    return { attachmentId: found.attachment.attachmentId, networkCardIndex: 0 };
  }

  #create(subnetId: string, { description, ip }: { readonly description: string; readonly ip?: string }): NetworkInterface {
    const account = this.#account;
    const [privateIpAddress = ''] = this.#subnets.take(this.#subnets.get(subnetId), 1, ip);
    const mac = account.random.hex(10).match(/../g) ?? [];
    const made: NetworkInterface = {
      networkInterfaceId: newId(account, 'eni'),
      ...{ subnetId, description, privateIpAddress },
      macAddress: ['02', ...mac].join(':'),
      secondary: new Set(),
      attachment: undefined,
    };
    this.#interfaces.set(made.networkInterfaceId, made);
    return made;
  }

  #assign(found: NetworkInterface, count: number): string[] {
    const { attachment, secondary, subnetId } = found;
    if (attachment) this.#checkLimit(this.#instances.get(attachment.instanceId), secondary.size + count);
    const ips = this.#subnets.take(this.#subnets.get(subnetId), count);
    for (const ip of ips) secondary.add(ip);
    return ips;
  }

  /** @param secondary how many addresses besides the primary one there are to be */
  #checkLimit({ type }: Instance, secondary: number): void {
    if (secondary + 1 > type.ipv4AddressesPerInterface)
      throw new AwsFailure('PrivateIpAddressLimitExceeded', 'Number of private addresses will exceed limit.');
  }

  #get(parameters: QueryParameters): NetworkInterface {
    return this.#find(parameters.required('NetworkInterfaceId'));
  }

  #find(id: string): NetworkInterface {
    const found = this.#interfaces.get(id);
    if (!found) throw new AwsFailure('InvalidNetworkInterfaceID.NotFound', `The networkInterface ID '${id}' does not exist`);
    return found;
  }

  #describe({
    networkInterfaceId,
    subnetId,
    description,
    macAddress,
    privateIpAddress,
    secondary,
    attachment,
  }: NetworkInterface): XmlValue {
    const { vpcId, availabilityZone } = this.#subnets.get(subnetId);
    return {
      ...{ networkInterfaceId, subnetId, vpcId, availabilityZone, description, macAddress, privateIpAddress },
      ownerId: this.#account.id,
      status: attachment ? 'in-use' : 'available',
      attachment: attachment && { ...attachment, status: 'attached' },
      privateIpAddressesSet: [privateIpAddress, ...secondary].map((ip, index) => ({ privateIpAddress: ip, primary: index === 0 })),
    };
  }
}

function valuesOf(
  { attachment, subnetId, networkInterfaceId, privateIpAddress, secondary }: NetworkInterface,
  name: string,
): (string | undefined)[] {
  if (name === 'addresses.private-ip-address') return [privateIpAddress, ...secondary];
  const values: Readonly<Record<string, string | undefined>> = {
    'attachment.instance-id': attachment?.instanceId,
    'subnet-id': subnetId,
    'network-interface-id': networkInterfaceId,
    status: attachment ? 'in-use' : 'available',
  };
  return [values[name]];
}
