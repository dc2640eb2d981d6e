import type { Node, Pod, Service } from '../../../src/api/kinds/core-v1.ts';
import type { Endpoint } from '../../../src/api/kinds/discovery-v1.ts';
import { isPodReady } from '../controller/controller-utils.ts';
import { shouldSetHostname } from './util/pod-changes.ts';

const LABEL_ZONE = 'topology.kubernetes.io/zone';

/** What a slice says of a pod. endpointslice utils.go podToEndpoint */
export function podToEndpoint(pod: Pod, options: { node: Node | undefined; service: Service; addressType: string }): Endpoint {
  const { node, service, addressType } = options;
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  const serving = isPodReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !terminating);
  const zone = node?.metadata.labels?.[LABEL_ZONE];
  return {
    addresses: getEndpointAddresses(pod, addressType),
    conditions: { ready, serving, terminating },
    ...(shouldSetHostname(pod, service) ? { hostname: pod.spec?.hostname ?? '' } : {}),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(pod.spec?.nodeName ? { nodeName: pod.spec.nodeName } : {}),
    ...(zone ? { zone } : {}),
  };
}

/** endpointslice utils.go getEndpointAddresses */
function getEndpointAddresses(pod: Pod, addressType: string): string[] {
  const wantsIPv6 = addressType === 'IPv6';
  const addresses: string[] = [];
  for (const { ip } of pod.status?.podIPs ?? []) if (ip.includes(':') === wantsIPv6) addresses.push(ip);
  return addresses;
}

/** What makes two endpoints the same one. endpointslice util/endpointset.go hashEndpoint */
export function endpointIdentity({ addresses, hostname, nodeName, targetRef }: Endpoint): string {
  return `${addresses.join(',')} ${hostname ?? ''} ${nodeName ?? ''} ${targetRef?.namespace ?? ''}/${targetRef?.name ?? ''}`;
}

/** Whether two endpoints of one identity agree in the rest; hints do not count. endpointslice util/endpointset.go EndpointsEqualBeyondHash */
export function endpointsEqualBeyondHash(a: Endpoint, b: Endpoint): boolean {
  return (
    a.zone === b.zone &&
    a.targetRef?.uid === b.targetRef?.uid &&
    a.conditions?.ready === b.conditions?.ready &&
    a.conditions?.serving === b.conditions?.serving &&
    a.conditions?.terminating === b.conditions?.terminating
  );
}

/** The address types in which a Service wants slices. endpointslice utils.go getAddressTypesForService */
export function getAddressTypesForService({ spec }: Service): string[] {
  const families = (spec?.ipFamilies ?? []).filter((family) => family === 'IPv4' || family === 'IPv6');
  if (families.length > 0) return families;
  if (spec?.clusterIP && spec.clusterIP !== 'None') return [spec.clusterIP.includes(':') ? 'IPv6' : 'IPv4'];
  return ['IPv4', 'IPv6'];
}
