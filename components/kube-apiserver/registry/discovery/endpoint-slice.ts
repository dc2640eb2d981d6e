import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type { Endpoint, EndpointSlice } from '../../../../src/api/kinds/discovery-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1123Label, isDNS1123Subdomain, isQualifiedName, isValidLabelValue } from '../../../../src/api/validation/content.ts';
import { duplicate, invalid, required, tooMany } from '../../../../src/api/validation/field.ts';
import { specialAddress } from '../core/endpoints.ts';
import { ipWarnings } from '../ip-warnings.ts';
import type { KindRules } from '../kind-strategy.ts';
import { ipAddress, isIPv4, oneOf, report, requiredOneOf } from '../validation.ts';
import { setDefaultsEndpointSlice } from './defaults.ts';

const MAX_ENDPOINTS = 1000;
const MAX_ADDRESSES = 100;
const MAX_PORTS = 20_000;
const MAX_HINTS = 8;

/** kubernetes pkg/registry/discovery/endpointslice endpointSliceStrategy: labels count as a change too. */
export const endpointSliceRules: KindRules<EndpointSlice> = {
  defaults: setDefaultsEndpointSlice,
  generation: true,
  warnings: ({ addressType, endpoints }) =>
    addressType === 'FQDN'
      ? ['spec.addressType: FQDN endpoints are deprecated']
      : (endpoints ?? []).flatMap(({ addresses }, index) =>
          (addresses ?? []).flatMap((address, position) => ipWarnings(`endpoints[${index}].addresses[${position}]`, address)),
        ),
  changes: (slice, old) =>
    !semanticDeepEqual(content(slice), content(old)) || !semanticDeepEqual(slice.metadata.labels, old.metadata.labels),
  validate: validateEndpointSlice,
  validateUpdate: (slice, old) => {
    const errors = validateEndpointSlice(slice);
    if (slice.addressType !== old.addressType) errors.push(invalid('addressType', slice.addressType, 'field is immutable'));
    return errors;
  },
};

function content({ endpoints, ports, addressType }: EndpointSlice): object {
  return { endpoints, ports, addressType };
}

/** kubernetes pkg/apis/discovery/validation ValidateEndpointSlice */
function validateEndpointSlice({ addressType, endpoints, ports }: EndpointSlice): FieldError[] {
  const errors: FieldError[] = [];
  requiredOneOf(errors, { path: 'addressType', value: addressType }, ['FQDN', 'IPv4', 'IPv6']);
  if ((endpoints ?? []).length > MAX_ENDPOINTS) errors.push(tooMany('endpoints', endpoints.length, MAX_ENDPOINTS));
  else
    for (const [index, endpoint] of (endpoints ?? []).entries()) validateEndpoint(errors, `endpoints[${index}]`, { endpoint, addressType });
  if ((ports ?? []).length > MAX_PORTS) {
    errors.push(tooMany('ports', ports?.length ?? 0, MAX_PORTS));
    return errors;
  }
  const names = new Set<string>();
  for (const [index, port] of (ports ?? []).entries()) {
    const path = `ports[${index}]`;
    if (port.name) report(errors, { path: `${path}.name`, value: port.name }, isDNS1123Label(port.name));
    if (names.has(port.name ?? '')) errors.push(duplicate(`${path}.name`, port.name ?? ''));
    names.add(port.name ?? '');
    if (port.protocol === undefined) errors.push(required(`${path}.protocol`));
    else oneOf(errors, { path: `${path}.protocol`, value: port.protocol }, ['SCTP', 'TCP', 'UDP']);
    if (port.appProtocol !== undefined)
      report(errors, { path: `${path}.appProtocol`, value: port.appProtocol }, isQualifiedName(port.appProtocol));
  }
  return errors;
}

function validateEndpoint(
  errors: FieldError[],
  path: string,
  { endpoint, addressType }: { endpoint: Endpoint; addressType: string },
): void {
  const addresses = endpoint.addresses ?? [];
  if (addresses.length === 0) errors.push(required(`${path}.addresses`, 'must contain at least 1 address'));
  else if (addresses.length > MAX_ADDRESSES) errors.push(tooMany(`${path}.addresses`, addresses.length, MAX_ADDRESSES));
  else for (const [index, address] of addresses.entries()) validateAddress(errors, path, { address, index, addressType });
  if (endpoint.nodeName !== undefined)
    report(errors, { path: `${path}.nodeName`, value: endpoint.nodeName }, isDNS1123Subdomain(endpoint.nodeName));
  if (endpoint.hostname !== undefined)
    report(errors, { path: `${path}.hostname`, value: endpoint.hostname }, isDNS1123Label(endpoint.hostname));
  for (const list of ['forZones', 'forNodes'] as const) validateHints(errors, `${path}.hints.${list}`, endpoint.hints?.[list] ?? []);
}

/** kubernetes pkg/apis/discovery/validation validateHints */
function validateHints(errors: FieldError[], path: string, hints: readonly { readonly name: string }[]): void {
  if (hints.length > MAX_HINTS) {
    errors.push(tooMany(path, hints.length, MAX_HINTS));
    return;
  }
  const seen = new Set<string>();
  for (const [index, { name = '' }] of hints.entries()) {
    const at = `${path}[${index}].name`;
    if (seen.has(name)) errors.push(duplicate(at, name));
    seen.add(name);
    report(errors, { path: at, value: name }, path.endsWith('.forNodes') ? isDNS1123Subdomain(name) : isValidLabelValue(name));
  }
}

function validateAddress(
  errors: FieldError[],
  path: string,
  { address, index, addressType }: { address: string; index: number; addressType: string },
): void {
  const at = `${path}.addresses[${index}]`;
  if (addressType === 'FQDN') {
    report(errors, { path: at, value: address }, isDNS1123Subdomain(address));
    return;
  }
  if (addressType !== 'IPv4' && addressType !== 'IPv6') return;
  const before = errors.length;
  ipAddress(errors, at, address);
  if (errors.length > before) return;
  const v4 = isIPv4(address);
  if (addressType === 'IPv4' && !v4) errors.push(invalid(`${path}.addresses`, address, 'must be an IPv4 address'));
  else if (addressType === 'IPv6' && v4) errors.push(invalid(`${path}.addresses`, address, 'must be an IPv6 address'));
  else specialAddress(errors, at, address);
}
