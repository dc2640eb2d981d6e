import type { Endpoint } from '../../src/api/kinds/discovery-v1.ts';
import { formatAddress } from './iptables/rule.ts';

/** Where one port of a Service leads: pkg/proxy BaseEndpointInfo. */
export interface EndpointInfo {
  readonly ip: string;
  readonly port: number;
  /** `ip:port` */
  readonly address: string;
  readonly isLocal: boolean;
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
  readonly zoneHints: readonly string[];
  readonly nodeHints: readonly string[];
}

/** pkg/proxy newBaseEndpointInfo, with what absent conditions mean. Undefined for an endpoint without an address. */
export function endpointInfo({ addresses, conditions, nodeName, hints }: Endpoint, port: number, node: string): EndpointInfo | undefined {
  const ip = addresses[0];
  if (ip === undefined) return undefined;
  return {
    ip,
    port,
    address: formatAddress(ip, port),
    isLocal: nodeName === node,
    ready: conditions?.ready ?? true,
    serving: conditions?.serving ?? true,
    terminating: conditions?.terminating ?? false,
    zoneHints: (hints?.forZones ?? []).map(({ name }) => name),
    nodeHints: (hints?.forNodes ?? []).map(({ name }) => name),
  };
}

/** An endpoint that still answers although it is on its way out. */
export function isServingTerminating({ serving, terminating }: EndpointInfo): boolean {
  return serving && terminating;
}
