import type { Service, ServicePort, ServiceSpec } from '../../../../src/api/kinds/core-v1.ts';
import { isDNS1035Label, maskTrailingDash } from '../../../../src/api/validation/content.ts';
import { forbidden } from '../../../../src/api/validation/field.ts';
import type { KindRules } from '../kind-strategy.ts';
import { setDefaultsService } from './defaults.ts';
import { serviceWarnings, validateService, validateServiceUpdate } from './service-validation.ts';

/** kubernetes pkg/registry/core/service svcStrategy; addresses and node ports are given out by storage. */
export const serviceRules: KindRules<Service> = {
  validateName: (name, prefix) => isDNS1035Label(prefix ? maskTrailingDash(name) : name),
  defaults: setDefaultsService,
  metaTwiceOnUpdate: true,
  hasStatus: true,
  prepareForCreate: (service) => ({ ...service, spec: normalizeClusterIPs(service.spec ?? {}) }),
  prepareForUpdate: (service, old) => {
    const kept = patchAllocatedValues(service.spec ?? {}, old.spec ?? {});
    const spec = dropTypeDependentFields(normalizeClusterIPs(kept, old.spec), old.spec ?? {});
    // Whoever balances for it no more keeps no address of it.
    const left = old.spec?.type === 'LoadBalancer' && spec.type !== 'LoadBalancer';
    return { ...service, spec, ...(left ? { status: { ...service.status, loadBalancer: {} } } : {}) };
  },
  validate: validateService,
  validateUpdate: validateServiceUpdate,
  validateStatusUpdate: ({ spec, status }) =>
    spec?.type !== 'LoadBalancer' && status?.loadBalancer?.ingress?.length
      ? [forbidden('status.loadBalancer.ingress', "may only be used when `spec.type` is 'LoadBalancer'")]
      : [],
  warnings: serviceWarnings,
};

/** kubernetes pkg/registry/core/service NormalizeClusterIPs: clusterIP and the first of clusterIPs are one. */
function normalizeClusterIPs(spec: ServiceSpec, old?: ServiceSpec): ServiceSpec {
  const { clusterIP, clusterIPs } = spec;
  if (!old) return clusterIP && !clusterIPs?.length ? { ...spec, clusterIPs: [clusterIP] } : spec;
  if (clusterIP === old.clusterIP) {
    const { clusterIP: _, ...rest } = spec;
    if (clusterIP && clusterIPs?.length === 0 && old.clusterIPs?.length) return rest;
    return spec;
  }
  if (clusterIP && sameList(clusterIPs, old.clusterIPs)) return { ...spec, clusterIPs: [clusterIP] };
  if (!clusterIP && sameList(clusterIPs, old.clusterIPs)) {
    const { clusterIPs: _, ...rest } = spec;
    return rest;
  }
  return spec;
}

function sameList(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return (a ?? []).join() === (b ?? []).join();
}

const needsClusterIP = ({ type }: ServiceSpec): boolean => type === 'ClusterIP' || type === 'NodePort' || type === 'LoadBalancer';
const needsNodePort = ({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean =>
  type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);
const needsHealthCheck = ({ type, externalTrafficPolicy }: ServiceSpec): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

/** kubernetes pkg/registry/core/service/storage patchAllocatedValues: what a client leaves out of a replacement stays. */
function patchAllocatedValues(spec: ServiceSpec, old: ServiceSpec): ServiceSpec {
  const out: ServiceSpec = { ...spec };
  if (needsClusterIP(old) && needsClusterIP(spec)) {
    if (!out.clusterIP && !out.clusterIPs?.length) {
      if (old.clusterIP) out.clusterIP = old.clusterIP;
      if (old.clusterIPs) out.clusterIPs = old.clusterIPs;
    } else if (!out.clusterIP && old.clusterIP && sameList(out.clusterIPs, old.clusterIPs)) out.clusterIP = old.clusterIP;
    else if (out.clusterIP === old.clusterIP && !out.clusterIPs?.length && old.clusterIPs) out.clusterIPs = old.clusterIPs;
    if (!out.ipFamilies && old.ipFamilies) out.ipFamilies = old.ipFamilies;
    if (!out.ipFamilyPolicy && old.ipFamilyPolicy) out.ipFamilyPolicy = old.ipFamilyPolicy;
  }
  if (needsNodePort(old) && needsNodePort(spec)) out.ports = patchNodePorts(spec.ports ?? [], old.ports ?? []);
  if (needsHealthCheck(old) && needsHealthCheck(spec) && !out.healthCheckNodePort && old.healthCheckNodePort)
    out.healthCheckNodePort = old.healthCheckNodePort;
  return out;
}

function patchNodePorts(ports: readonly ServicePort[], old: readonly ServicePort[]): ServicePort[] {
  const identity = ({ protocol, port }: ServicePort): string => `${protocol}/${port}`;
  const before = new Map(old.map((port) => [identity(port), port.nodePort]));
  const taken = new Set(ports.map(({ nodePort }) => nodePort).filter(Boolean));
  return ports.map((port) => {
    const nodePort = before.get(identity(port));
    if (port.nodePort || !nodePort || taken.has(nodePort)) return port;
    taken.add(nodePort);
    return { ...port, nodePort };
  });
}

/** kubernetes pkg/registry/core/service dropTypeDependentFields: what the new type has no use for goes, unless the client set it anew. */
function dropTypeDependentFields(spec: ServiceSpec, old: ServiceSpec): ServiceSpec {
  const out: ServiceSpec = { ...spec };
  if (needsClusterIP(old) && !needsClusterIP(out)) {
    if (sameList(out.clusterIPs, old.clusterIPs) || !out.clusterIP) {
      delete out.clusterIP;
      delete out.clusterIPs;
    }
    if (sameList(out.ipFamilies, old.ipFamilies)) delete out.ipFamilies;
    if (out.ipFamilyPolicy === old.ipFamilyPolicy) delete out.ipFamilyPolicy;
  }
  if (needsNodePort(old) && !needsNodePort(out) && samePorts(out.ports, old.ports) && out.ports)
    out.ports = out.ports.map(({ nodePort: _, ...port }) => port);
  if (needsHealthCheck(old) && !needsHealthCheck(out) && out.healthCheckNodePort === old.healthCheckNodePort)
    delete out.healthCheckNodePort;
  if (needsClusterIP(old) && !needsClusterIP(out) && out.internalTrafficPolicy === old.internalTrafficPolicy)
    delete out.internalTrafficPolicy;
  if (old.type === 'LoadBalancer' && out.type !== 'LoadBalancer') {
    if (out.allocateLoadBalancerNodePorts === old.allocateLoadBalancerNodePorts) delete out.allocateLoadBalancerNodePorts;
    if (out.loadBalancerClass === old.loadBalancerClass) delete out.loadBalancerClass;
  }
  const exposed = (of: ServiceSpec): boolean => of.type === 'NodePort' || of.type === 'LoadBalancer' || Boolean(of.externalIPs?.length);
  if (exposed(old) && !exposed(out) && out.externalTrafficPolicy === old.externalTrafficPolicy) delete out.externalTrafficPolicy;
  return out;
}

function samePorts(a: readonly ServicePort[] | undefined, b: readonly ServicePort[] | undefined): boolean {
  const numbers = (list: readonly ServicePort[] | undefined): string => (list ?? []).map(({ nodePort }) => nodePort ?? 0).join();
  return numbers(a) === numbers(b);
}
