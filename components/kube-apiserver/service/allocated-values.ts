import type { Service, ServicePort, ServiceSpec } from '../../../src/api/kinds/core-v1.ts';

export const needsClusterIP = ({ type = 'ClusterIP' }: ServiceSpec): boolean => type !== 'ExternalName';

export const needsNodePort = ({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean =>
  type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);

export const needsHealthCheckNodePort = ({ type, externalTrafficPolicy }: ServiceSpec): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

/** The addresses that a Service holds; a headless one holds none. */
export function addressesOf({ spec }: Service): string[] {
  if (!spec || !needsClusterIP(spec) || spec.clusterIP === 'None') return [];
  return (spec.clusterIPs ?? (spec.clusterIP ? [spec.clusterIP] : [])).filter((ip) => ip !== 'None' && ip !== '');
}

/** A PUT that leaves out what was allocated keeps it. pkg/registry/core/service/storage.patchAllocatedValues */
export function patchAllocatedValues(service: Service, old: Service): Service {
  const before = old.spec ?? {};
  let spec: ServiceSpec = service.spec ?? {};
  if (needsClusterIP(before) && needsClusterIP(spec)) {
    if (!spec.clusterIP && before.clusterIP) spec = { ...spec, clusterIP: before.clusterIP };
    if (!spec.clusterIPs?.length && spec.clusterIP === before.clusterIP && before.clusterIPs)
      spec = { ...spec, clusterIPs: before.clusterIPs };
  }
  if (needsNodePort(before) && needsNodePort(spec)) spec = { ...spec, ports: patchNodePorts(spec.ports ?? [], before.ports ?? []) };
  if (needsHealthCheckNodePort(before) && needsHealthCheckNodePort(spec) && !spec.healthCheckNodePort && before.healthCheckNodePort) {
    spec = { ...spec, healthCheckNodePort: before.healthCheckNodePort };
  }
  return { ...service, spec: normalizeClusterIPs(spec, before) };
}

function patchNodePorts(ports: readonly ServicePort[], before: readonly ServicePort[]): ServicePort[] {
  const held = new Set(before.map(({ nodePort }) => nodePort));
  const used = new Set(ports.map(({ nodePort }) => nodePort).filter((port) => port && held.has(port)));
  const byName = new Map(before.map(({ name = '', nodePort }) => [name, nodePort]));
  return ports.map((port) => {
    const known = byName.get(port.name ?? '');
    if (port.nodePort || !known || used.has(known)) return port;
    used.add(known);
    return { ...port, nodePort: known };
  });
}

/** `clusterIP` and the first of `clusterIPs` go together. pkg/registry/core/service/storage.normalizeClusterIPs */
export function normalizeClusterIPs(spec: ServiceSpec, before: ServiceSpec | undefined): ServiceSpec {
  const { clusterIP = '', clusterIPs = [] } = spec;
  if (clusterIP && clusterIPs.length === 0) return { ...spec, clusterIPs: [clusterIP] };
  if (!before || clusterIP === before.clusterIP) return spec;
  if (clusterIPs[0] !== before.clusterIPs?.[0] || clusterIPs.length !== before.clusterIPs?.length) return spec;
  // Only the single field was changed: the list follows it.
  if (clusterIP === '') {
    const { clusterIPs: _, ...rest } = spec;
    return rest;
  }
  return { ...spec, clusterIPs: [clusterIP, ...clusterIPs.slice(1)] };
}
