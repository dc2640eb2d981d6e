import type { ServicePort as PortSpec, Service } from '../../src/api/kinds/core-v1.ts';
import type { TransportProtocol } from '../../src/api/network.ts';

export type IPFamily = 'IPv4' | 'IPv6';

/** One port of a Service, as a proxy of one IP family sees it: pkg/proxy BaseServicePortInfo. */
export interface ServicePortInfo {
  /** `namespace/name`, with `:port` where the port has a name: pkg/proxy ServicePortName. */
  readonly name: string;
  /** `namespace/name` */
  readonly service: string;
  readonly portName: string;
  readonly clusterIP: string;
  readonly port: number;
  readonly protocol: TransportProtocol;
  /** 0 for none. */
  readonly nodePort: number;
  readonly loadBalancerVIPs: readonly string[];
  readonly externalIPs: readonly string[];
  readonly loadBalancerSourceRanges: readonly string[];
  /** 0 for no affinity. */
  readonly stickySeconds: number;
  readonly externalPolicyLocal: boolean;
  readonly internalPolicyLocal: boolean;
  /** 0 for none. */
  readonly healthCheckNodePort: number;
}

/** pkg/proxy ServicePort.ExternallyAccessible */
export function externallyAccessible({ nodePort, loadBalancerVIPs, externalIPs }: ServicePortInfo): boolean {
  return nodePort !== 0 || loadBalancerVIPs.length > 0 || externalIPs.length > 0;
}

/** pkg/proxy ServicePort.UsesClusterEndpoints */
export function usesClusterEndpoints(info: ServicePortInfo): boolean {
  return !info.internalPolicyLocal || externallyAccessible(info);
}

/** pkg/proxy ServicePort.UsesLocalEndpoints */
export function usesLocalEndpoints(info: ServicePortInfo): boolean {
  return info.internalPolicyLocal || (info.externalPolicyLocal && externallyAccessible(info));
}

/** `namespace/name`, or `namespace/name:port`: pkg/proxy ServicePortName.String */
function servicePortName(service: string, portName: string): string {
  return portName ? `${service}:${portName}` : service;
}

/** The ports of a Service that a proxy of the family has to do with; none for one without an address in it. pkg/proxy serviceToServiceMap */
export function servicePortInfos(service: Service, family: IPFamily): ServicePortInfo[] {
  const { spec = {} } = service;
  if (!spec.clusterIP || spec.clusterIP === 'None' || spec.type === 'ExternalName') return [];
  const isOfFamily = (address: string): boolean => address.includes(':') === (family === 'IPv6');
  const clusterIP = (spec.clusterIPs?.length ? spec.clusterIPs : [spec.clusterIP]).find(isOfFamily);
  if (clusterIP === undefined) return [];
  const key = `${service.metadata.namespace}/${service.metadata.name}`;
  const ranges = (spec.loadBalancerSourceRanges ?? []).map((range) => range.trim()).filter(isOfFamily);
  const ingress = service.status?.loadBalancer?.ingress ?? [];
  const shared = {
    service: key,
    clusterIP,
    loadBalancerVIPs: ingress.flatMap(({ ip, ipMode }) => (ip && isOfFamily(ip) && (ipMode ?? 'VIP') === 'VIP' ? [ip] : [])),
    externalIPs: (spec.externalIPs ?? []).filter(isOfFamily),
    loadBalancerSourceRanges: ranges.some((range) => range.endsWith('/0')) ? [] : ranges,
    stickySeconds: spec.sessionAffinity === 'ClientIP' ? (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? 10_800) : 0,
    externalPolicyLocal: spec.externalTrafficPolicy === 'Local',
    internalPolicyLocal: spec.internalTrafficPolicy === 'Local',
    healthCheckNodePort: spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local' ? (spec.healthCheckNodePort ?? 0) : 0,
  };
  return (spec.ports ?? []).map((port) => ({ ...shared, ...portFields(key, port) }));
}

function portFields(
  service: string,
  { name = '', port, protocol, nodePort }: PortSpec,
): Pick<ServicePortInfo, 'name' | 'portName' | 'port' | 'protocol' | 'nodePort'> {
  const portName = servicePortName(service, name);
  return { name: portName, portName: name, port, protocol: (protocol ?? 'TCP') as TransportProtocol, nodePort: nodePort ?? 0 };
}
