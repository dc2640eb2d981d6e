import { shortHash } from '../../../src/api/sha256.ts';
import type { ServicePortInfo } from '../service-port.ts';

/** The chains of one port of a Service: pkg/proxy/iptables servicePortPolicyClusterChain and its like. */
export interface ServicePortChains {
  readonly cluster: string;
  readonly local: string;
  readonly external: string;
  readonly firewall: string;
}

export function servicePortChains({ name, protocol }: ServicePortInfo): ServicePortChains {
  const hash = shortHash(`${name}${protocol.toLowerCase()}`);
  return { cluster: `KUBE-SVC-${hash}`, local: `KUBE-SVL-${hash}`, external: `KUBE-EXT-${hash}`, firewall: `KUBE-FW-${hash}` };
}

/** pkg/proxy/iptables servicePortEndpointChainName */
export function endpointChain({ name, protocol }: ServicePortInfo, address: string): string {
  return `KUBE-SEP-${shortHash(`${name}${protocol.toLowerCase()}${address}`)}`;
}
