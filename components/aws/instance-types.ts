/** What a type of instance offers: Amazon EC2 instance type specifications. */
export interface InstanceType {
  readonly name: string;
  readonly vcpus: number;
  readonly memoryMiB: number;
  readonly maximumNetworkInterfaces: number;
  readonly ipv4AddressesPerInterface: number;
  /** `nitro`, or the older `xen`, where volumes and interfaces do not share their limit. */
  readonly hypervisor: 'nitro' | 'xen';
}

/** vCPUs, MiB of memory, interfaces, IPv4 addresses of each. */
const NITRO: Readonly<Record<string, readonly [number, number, number, number]>> = {
  't3.nano': [2, 512, 2, 2],
  't3.micro': [2, 1024, 2, 2],
  't3.small': [2, 2048, 3, 4],
  't3.medium': [2, 4096, 3, 6],
  't3.large': [2, 8192, 3, 12],
  't3.xlarge': [4, 16384, 4, 15],
  't3.2xlarge': [8, 32768, 4, 15],
  'm5.large': [2, 8192, 3, 10],
  'm5.xlarge': [4, 16384, 4, 15],
  'm5.2xlarge': [8, 32768, 4, 15],
  'm5.4xlarge': [16, 65536, 8, 30],
  'm6i.large': [2, 8192, 3, 10],
  'm6i.xlarge': [4, 16384, 4, 15],
  'm7i.large': [2, 8192, 3, 10],
  'c5.large': [2, 4096, 3, 10],
  'c5.xlarge': [4, 8192, 4, 15],
  'r5.large': [2, 16384, 3, 10],
  'r5.xlarge': [4, 32768, 4, 15],
};
const XEN: typeof NITRO = {
  't2.small': [1, 2048, 3, 4],
  't2.medium': [2, 4096, 3, 6],
  'm4.large': [2, 8192, 2, 10],
};

export const INSTANCE_TYPES: ReadonlyMap<string, InstanceType> = new Map(
  [...typesOf(NITRO, 'nitro'), ...typesOf(XEN, 'xen')].map((type) => [type.name, type]),
);

function typesOf(table: typeof NITRO, hypervisor: InstanceType['hypervisor']): InstanceType[] {
  return Object.entries(table).map(([name, [vcpus, memoryMiB, maximumNetworkInterfaces, ipv4AddressesPerInterface]]) => {
    return { name, vcpus, memoryMiB, maximumNetworkInterfaces, ipv4AddressesPerInterface, hypervisor };
  });
}
