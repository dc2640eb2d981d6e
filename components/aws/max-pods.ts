import type { InstanceType } from './instance-types.ts';

/** As many pods as addresses besides the primary ones of interfaces, and two that need none (aws-node and kube-proxy): the limits that the AMIs of EKS give to kubelets. */
export function maxPods({ maximumNetworkInterfaces, ipv4AddressesPerInterface }: InstanceType): number {
  return maximumNetworkInterfaces * (ipv4AddressesPerInterface - 1) + 2;
}
