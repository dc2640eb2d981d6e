import type { HTTPIngressPath, Ingress, IngressBackend, IngressSpec } from '../../../../src/api/kinds/networking-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import {
  isDNS1035Label,
  isDNS1123Subdomain,
  isValidPathSegmentName,
  isValidPortName,
  isValidPortNumber,
  isWildcardDNS1123Subdomain,
} from '../../../../src/api/validation/content.ts';
import { invalid, notSupported, required } from '../../../../src/api/validation/field.ts';
import type { KindRules } from '../kind-strategy.ts';
import { ipAddress, isIPv4, isIPv6, report } from '../validation.ts';

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';
const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];
const FORBIDDEN_PARTS = ['//', '/./', '/../', '%2f', '%2F'];
const FORBIDDEN_ENDS = ['/..', '/.'];

/** kubernetes pkg/registry/networking/ingress */
export const ingressRules: KindRules<Ingress> = {
  hasStatus: true,
  generation: true,
  validate: (ingress) => {
    const errors = validateSpec(ingress.spec ?? {});
    const annotation = ingress.metadata.annotations?.[CLASS_ANNOTATION];
    const name = ingress.spec?.ingressClassName;
    if (annotation !== undefined && name !== undefined && annotation !== name) {
      errors.push(invalid(`annotations.${CLASS_ANNOTATION}`, annotation, 'must match `ingressClassName` when both are specified'));
    }
    return errors;
  },
  validateUpdate: ({ spec }) => validateSpec(spec ?? {}),
  validateStatusUpdate: ({ status }) => {
    const errors: FieldError[] = [];
    for (const [index, { ip, hostname }] of (status?.loadBalancer?.ingress ?? []).entries()) {
      const path = `status.loadBalancer.ingress[${index}]`;
      if (ip) ipAddress(errors, `${path}.ip`, ip);
      if (hostname) report(errors, { path: `${path}.hostname`, value: hostname }, isDNS1123Subdomain(hostname));
    }
    return errors;
  },
  warnings: ({ metadata }, old) =>
    !old && metadata.annotations?.[CLASS_ANNOTATION] !== undefined
      ? [`annotation "${CLASS_ANNOTATION}" is deprecated, please use 'spec.ingressClassName' instead`]
      : [],
};

/** kubernetes pkg/apis/networking/validation ValidateIngressSpec */
function validateSpec(spec: IngressSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (!spec.rules?.length && !spec.defaultBackend)
    errors.push(invalid('spec', undefined, 'either `defaultBackend` or `rules` must be specified'));
  if (spec.defaultBackend) validateBackend(errors, 'spec.defaultBackend', spec.defaultBackend);
  for (const [index, { host, http }] of (spec.rules ?? []).entries()) {
    const path = `spec.rules[${index}]`;
    if (host) validateHost(errors, `${path}.host`, host);
    if (!http) continue;
    if (!http.paths?.length) errors.push(required(`${path}.http.paths`));
    for (const [position, entry] of (http.paths ?? []).entries()) validatePath(errors, `${path}.http.paths[${position}]`, entry);
  }
  for (const [index, { hosts, secretName }] of (spec.tls ?? []).entries()) {
    for (const [position, host] of (hosts ?? []).entries()) {
      const messages = host.includes('*') ? isWildcardDNS1123Subdomain(host) : isDNS1123Subdomain(host);
      report(errors, { path: `spec.tls[${index}].hosts[${position}]`, value: host }, messages);
    }
    if (secretName) report(errors, { path: `spec.tls[${index}].secretName`, value: secretName }, isDNS1123Subdomain(secretName));
  }
  if (spec.ingressClassName !== undefined)
    report(errors, { path: 'spec.ingressClassName', value: spec.ingressClassName }, isDNS1123Subdomain(spec.ingressClassName));
  return errors;
}

function validateHost(errors: FieldError[], path: string, host: string): void {
  if (isIPv4(host) || isIPv6(host)) errors.push(invalid(path, host, 'must be a DNS name, not an IP address'));
  report(errors, { path, value: host }, host.includes('*') ? isWildcardDNS1123Subdomain(host) : isDNS1123Subdomain(host));
}

/** kubernetes pkg/apis/networking/validation validateHTTPIngressPath */
function validatePath(errors: FieldError[], at: string, { path, pathType, backend }: HTTPIngressPath): void {
  if (!pathType) errors.push(required(`${at}.pathType`, 'pathType must be specified'));
  else if (pathType === 'Exact' || pathType === 'Prefix') {
    if (!path?.startsWith('/')) errors.push(invalid(`${at}.path`, path ?? '', 'must be an absolute path'));
    for (const part of FORBIDDEN_PARTS) if (path?.includes(part)) errors.push(invalid(`${at}.path`, path, `must not contain '${part}'`));
    for (const end of FORBIDDEN_ENDS) if (path?.endsWith(end)) errors.push(invalid(`${at}.path`, path, `cannot end with '${end}'`));
  } else if (pathType === 'ImplementationSpecific') {
    if (path && !path.startsWith('/')) errors.push(invalid(`${at}.path`, path, 'must be an absolute path'));
  } else errors.push(notSupported(`${at}.pathType`, pathType, PATH_TYPES));
  validateBackend(errors, `${at}.backend`, backend ?? {});
}

/** kubernetes pkg/apis/networking/validation validateIngressBackend */
function validateBackend(errors: FieldError[], path: string, { resource, service }: IngressBackend): void {
  if (resource && service) {
    errors.push(invalid(path, '', 'cannot set both resource and service backends'));
    return;
  }
  if (resource) {
    const { apiGroup } = resource;
    if (apiGroup !== undefined) report(errors, { path: `${path}.resource.apiGroup`, value: apiGroup }, isDNS1123Subdomain(apiGroup));
    for (const name of ['kind', 'name'] as const) {
      const value = resource[name];
      if (!value) errors.push(required(`${path}.resource.${name}`));
      else report(errors, { path: `${path}.resource.${name}`, value }, isValidPathSegmentName(value));
    }
    return;
  }
  if (!service) {
    errors.push(invalid(path, '', 'resource or service backend is required'));
    return;
  }
  if (!service.name) errors.push(required(`${path}.service.name`));
  else report(errors, { path: `${path}.service.name`, value: service.name }, isDNS1035Label(service.name));
  const { name, number } = service.port ?? {};
  if (name && number) errors.push(invalid(path, '', 'cannot set both port name & port number'));
  else if (name) report(errors, { path: `${path}.service.port.name`, value: name }, isValidPortName(name));
  else if (number) report(errors, { path: `${path}.service.port.number`, value: number }, isValidPortNumber(number));
  else errors.push(required(path, 'port name or number is required'));
}
