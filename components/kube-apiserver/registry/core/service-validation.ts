import type { Service, ServicePort, ServiceSpec } from '../../../../src/api/kinds/core-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import {
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  isValidPortName,
  isValidPortNumber,
} from '../../../../src/api/validation/content.ts';
import { duplicate, forbidden, invalid, required } from '../../../../src/api/validation/field.ts';
import { validateLabels } from '../../../../src/api/validation/object-meta.ts';
import { cidrWarnings, ipWarnings } from '../ip-warnings.ts';
import { CIDR_ERROR, ipAddress, isCIDR, isIPv4, oneOf, report, requiredOneOf } from '../validation.ts';
import { specialAddress } from './endpoints.ts';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const MAX_AFFINITY_SECONDS = 86_400;
const KUBELET_PORT = 10_250;
const TOPOLOGY_HINTS = 'service.kubernetes.io/topology-aware-hints';
const TOPOLOGY_MODE = 'service.kubernetes.io/topology-mode';
const SOURCE_RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges';

const isExternalName = ({ type }: ServiceSpec): boolean => type === 'ExternalName';
const needsClusterIP = ({ type }: ServiceSpec): boolean => type === 'ClusterIP' || type === 'NodePort' || type === 'LoadBalancer';
const isHeadless = ({ type, clusterIP }: ServiceSpec): boolean => type === 'ClusterIP' && clusterIP === 'None';

/** kubernetes pkg/apis/core/validation ValidateServiceCreate */
export function validateService({ metadata, spec = {} }: Service): FieldError[] {
  const errors: FieldError[] = [];
  const hints = metadata.annotations?.[TOPOLOGY_HINTS];
  const mode = metadata.annotations?.[TOPOLOGY_MODE];
  if (hints !== undefined && mode !== undefined && hints !== mode)
    errors.push(
      invalid(`metadata.annotations[${TOPOLOGY_MODE}]`, mode, `must match annotations[${TOPOLOGY_HINTS}] when both are specified`),
    );
  if (!spec.ports?.length && !isHeadless(spec) && !isExternalName(spec)) errors.push(required('spec.ports'));
  validateType(errors, spec);
  validatePorts(errors, spec);
  if (spec.selector) errors.push(...validateLabels(spec.selector, 'spec.selector'));
  requiredOneOf(errors, { path: 'spec.sessionAffinity', value: spec.sessionAffinity }, ['ClientIP', 'None']);
  validateAffinity(errors, spec);
  if (!isExternalName(spec)) validateClusterIPs(errors, spec);
  for (const [index, ip] of (spec.externalIPs ?? []).entries()) {
    const before = errors.length;
    ipAddress(errors, `spec.externalIPs[${index}]`, ip);
    if (errors.length === before) specialAddress(errors, `spec.externalIPs[${index}]`, ip);
  }
  requiredOneOf(errors, { path: 'spec.type', value: spec.type }, TYPES);
  validateLoadBalancer(errors, spec, metadata.annotations?.[SOURCE_RANGES]);
  validateTraffic(errors, spec);
  return errors;
}

function validateType(errors: FieldError[], spec: ServiceSpec): void {
  if (spec.type === 'LoadBalancer') {
    for (const [index, { port }] of (spec.ports ?? []).entries())
      if (port === KUBELET_PORT)
        errors.push(invalid(`spec.ports[${index}]`, port, `may not expose port ${KUBELET_PORT} externally since it is used by kubelet`));
  }
  if (spec.type === 'LoadBalancer' || spec.type === 'NodePort') {
    if (spec.clusterIP === 'None') errors.push(invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${spec.type} services`));
    return;
  }
  if (!isExternalName(spec)) return;
  const text = 'may not be set for ExternalName services';
  if (spec.clusterIPs?.length || spec.clusterIP) errors.push(forbidden('spec.clusterIPs', text));
  if (spec.ipFamilies?.length) errors.push(forbidden('spec.ipFamilies', text));
  if (spec.ipFamilyPolicy !== undefined) errors.push(forbidden('spec.ipFamilyPolicy', text));
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  if (name) report(errors, { path: 'spec.externalName', value: name }, isDNS1123Subdomain(name));
  else errors.push(required('spec.externalName'));
}

function validatePorts(errors: FieldError[], spec: ServiceSpec): void {
  const ports = spec.ports ?? [];
  const names = new Set<string>();
  const numbers = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const path = `spec.ports[${index}]`;
    if (!port.name) {
      if (ports.length > 1) errors.push(required(`${path}.name`));
    } else {
      report(errors, { path: `${path}.name`, value: port.name }, isDNS1123Label(port.name));
      if (names.has(port.name)) errors.push(duplicate(`${path}.name`, port.name));
      names.add(port.name);
    }
    validatePortNumbers(errors, path, port);
    if (spec.type === 'ClusterIP' && port.nodePort)
      errors.push(forbidden(`${path}.nodePort`, "may not be used when `type` is 'ClusterIP'"));
    const key = `${port.protocol}/${port.port}`;
    if (numbers.has(key))
      errors.push(duplicate(path, { Name: '', Protocol: port.protocol, AppProtocol: null, Port: port.port, TargetPort: 0, NodePort: 0 }));
    numbers.add(key);
  }
}

function validatePortNumbers(errors: FieldError[], path: string, { port, protocol, targetPort, appProtocol }: ServicePort): void {
  report(errors, { path: `${path}.port`, value: port }, isValidPortNumber(port));
  requiredOneOf(errors, { path: `${path}.protocol`, value: protocol }, ['SCTP', 'TCP', 'UDP']);
  if (typeof targetPort === 'string') report(errors, { path: `${path}.targetPort`, value: targetPort }, isValidPortName(targetPort));
  else report(errors, { path: `${path}.targetPort`, value: targetPort ?? 0 }, isValidPortNumber(targetPort ?? 0));
  if (appProtocol !== undefined) report(errors, { path: `${path}.appProtocol`, value: appProtocol }, isQualifiedName(appProtocol));
}

function validateAffinity(errors: FieldError[], { sessionAffinity, sessionAffinityConfig }: ServiceSpec): void {
  const path = 'spec.sessionAffinityConfig';
  if (sessionAffinity === 'ClientIP') {
    const timeout = sessionAffinityConfig?.clientIP?.timeoutSeconds;
    if (timeout === undefined) errors.push(required(path, 'when session affinity type is ClientIP'));
    else if (timeout <= 0 || timeout > MAX_AFFINITY_SECONDS)
      errors.push(invalid(`${path}.clientIP.timeoutSeconds`, timeout, `must be greater than 0 and less than ${MAX_AFFINITY_SECONDS}`));
  } else if (sessionAffinity === 'None' && sessionAffinityConfig)
    errors.push(forbidden(path, 'must not be set when session affinity is None'));
}

/** kubernetes pkg/apis/core/validation ValidateServiceClusterIPsRelatedFields */
function validateClusterIPs(errors: FieldError[], spec: ServiceSpec): void {
  const { clusterIP = '', clusterIPs = [], ipFamilies = [] } = spec;
  if (clusterIP && clusterIPs.length === 0) errors.push(required('spec.clusterIPs'));
  else if (clusterIPs.length > 0 && !clusterIP) errors.push(required('spec.clusterIP'));
  else if (clusterIPs.length > 0 && clusterIPs[0] !== clusterIP)
    errors.push(invalid('spec.clusterIPs', clusterIPs, 'first value must match `clusterIP`'));
  for (const [index, family] of ipFamilies.entries()) oneOf(errors, { path: `spec.ipFamilies[${index}]`, value: family }, ['IPv4', 'IPv6']);
  oneOf(errors, { path: 'spec.ipFamilyPolicy', value: spec.ipFamilyPolicy }, ['PreferDualStack', 'RequireDualStack', 'SingleStack']);
  if (clusterIPs[0] === 'None') {
    if (clusterIPs.length > 1) errors.push(invalid('spec.clusterIPs', clusterIPs, 'may hold a maximum of 1 value when set to None'));
    return;
  }
  for (const [index, ip] of clusterIPs.entries()) {
    const path = `spec.clusterIPs[${index}]`;
    const before = errors.length;
    if (ip === 'None') errors.push(invalid(path, ip, 'must be an empty string when not set to None'));
    else ipAddress(errors, path, ip);
    const family = ipFamilies[index];
    if (errors.length > before || !family) continue;
    const actual = isIPv4(ip) ? 'IPv4' : 'IPv6';
    if (actual !== family) errors.push(invalid(path, ip, `expected an ${family} value as indicated by \`ipFamilies[${index}]\``));
  }
  if (clusterIPs.length > 2)
    errors.push({
      reason: 'FieldValueTooMany',
      field: 'spec.clusterIPs',
      body: `Too many: ${clusterIPs.length}: may only hold up to 2 values`,
    });
}

/** kubernetes pkg/apis/core/validation: fields that only load balancers have; the real one writes this field with a capital L. */
function validateLoadBalancer(errors: FieldError[], spec: ServiceSpec, annotated: string | undefined): void {
  const text = "may only be used when `type` is 'LoadBalancer'";
  if (spec.loadBalancerSourceRanges?.length) {
    const path = 'spec.LoadBalancerSourceRanges';
    if (spec.type !== 'LoadBalancer') errors.push(forbidden(path, text));
    for (const [index, range] of spec.loadBalancerSourceRanges.entries())
      if (!isCIDR(range.trim())) errors.push(invalid(`${path}[${index}]`, range.trim(), CIDR_ERROR));
  } else if (annotated !== undefined) {
    const path = `metadata.annotations[${SOURCE_RANGES}]`;
    if (spec.type !== 'LoadBalancer') errors.push(forbidden(path, text));
    if (annotated.trim())
      for (const range of annotated.split(',')) if (!isCIDR(range.trim())) errors.push(invalid(path, range.trim(), CIDR_ERROR));
  }
  if (spec.type === 'LoadBalancer') {
    if (spec.allocateLoadBalancerNodePorts === undefined) errors.push(required('spec.allocateLoadBalancerNodePorts'));
    if (spec.loadBalancerClass !== undefined)
      report(errors, { path: 'spec.loadBalancerClass', value: spec.loadBalancerClass }, isQualifiedName(spec.loadBalancerClass));
    return;
  }
  if (spec.allocateLoadBalancerNodePorts !== undefined) errors.push(forbidden('spec.allocateLoadBalancerNodePorts', text));
  if (spec.loadBalancerClass !== undefined) errors.push(forbidden('spec.loadBalancerClass', text));
}

/** kubernetes pkg/apis/core/validation validateServiceExternalTrafficPolicy and its neighbours */
function validateTraffic(errors: FieldError[], spec: ServiceSpec): void {
  const exposed = spec.type === 'NodePort' || spec.type === 'LoadBalancer' || Boolean(spec.externalIPs?.length);
  if (exposed) requiredOneOf(errors, { path: 'spec.externalTrafficPolicy', value: spec.externalTrafficPolicy }, ['Cluster', 'Local']);
  else if (spec.externalTrafficPolicy)
    errors.push(invalid('spec.externalTrafficPolicy', spec.externalTrafficPolicy, 'may only be set for externally-accessible services'));
  const health = spec.healthCheckNodePort ?? 0;
  if (health !== 0 && !(spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local')) {
    errors.push(
      invalid('spec.healthCheckNodePort', health, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"),
    );
  }
  if (needsClusterIP(spec))
    requiredOneOf(errors, { path: 'spec.internalTrafficPolicy', value: spec.internalTrafficPolicy }, ['Cluster', 'Local']);
  oneOf(errors, { path: 'spec.trafficDistribution', value: spec.trafficDistribution }, ['PreferClose', 'PreferSameZone', 'PreferSameNode']);
}

/** kubernetes pkg/apis/core/validation ValidateServiceUpdate */
export function validateServiceUpdate(service: Service, old: Service): FieldError[] {
  const errors: FieldError[] = [];
  const spec = service.spec ?? {};
  const before = old.spec ?? {};
  if (needsClusterIP(before) && needsClusterIP(spec)) keepsClusterIPs(errors, spec, before);
  if (before.type === 'LoadBalancer' && spec.type === 'LoadBalancer' && spec.loadBalancerClass !== before.loadBalancerClass) {
    errors.push(invalid('spec.loadBalancerClass', spec.loadBalancerClass, 'may not change once set'));
  }
  return [...errors, ...validateService(service)];
}

/** kubernetes pkg/apis/core/validation validateUpgradeDowngradeClusterIPs */
function keepsClusterIPs(errors: FieldError[], spec: ServiceSpec, old: ServiceSpec): void {
  const [now] = spec.clusterIPs ?? [];
  const [before] = old.clusterIPs ?? [];
  if (before === undefined) return;
  if (now === undefined || now === '') errors.push(invalid('spec.clusterIPs[0]', spec.clusterIPs, 'primary clusterIP can not be unset'));
  else if (now !== before) errors.push(invalid('spec.clusterIPs[0]', spec.clusterIPs, 'may not change once set'));
}

/** kubernetes pkg/api/service GetWarningsForService */
export function serviceWarnings({ metadata, spec = {} }: Service): string[] {
  const warnings: string[] = [];
  if (metadata.annotations?.[TOPOLOGY_HINTS] !== undefined) {
    warnings.push(
      'annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead',
    );
  }
  for (const list of ['clusterIPs', 'externalIPs'] as const)
    for (const [index, ip] of (spec[list] ?? []).entries()) warnings.push(...ipWarnings(`spec.${list}[${index}]`, ip));
  if (spec.loadBalancerIP) warnings.push(...ipWarnings('spec.loadBalancerIP', spec.loadBalancerIP));
  if (spec.type !== 'ExternalName' && spec.externalName) warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  if (spec.type === 'ExternalName' && spec.externalIPs?.length)
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  if (isHeadless(spec)) {
    if (spec.loadBalancerIP) warnings.push('spec.loadBalancerIP is ignored for headless services');
    if (spec.externalIPs?.length) warnings.push('spec.externalIPs is ignored for headless services');
    if (spec.sessionAffinity && spec.sessionAffinity !== 'None') warnings.push('spec.SessionAffinity is ignored for headless services');
  }
  for (const [index, range] of (spec.loadBalancerSourceRanges ?? []).entries())
    warnings.push(...cidrWarnings(`spec.loadBalancerSourceRanges[${index}]`, range.trim()));
  return warnings;
}
