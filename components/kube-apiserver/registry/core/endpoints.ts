import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type { EndpointAddress, EndpointPort, Endpoints } from '../../../../src/api/kinds/core-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1123Label, isDNS1123Subdomain, isQualifiedName, isValidPortNumber } from '../../../../src/api/validation/content.ts';
import { invalid, required } from '../../../../src/api/validation/field.ts';
import type { KindRules } from '../kind-strategy.ts';
import { ipAddress, isIPv4, isIPv6, report, requiredOneOf } from '../validation.ts';
import { setDefaultsEndpoints } from './defaults.ts';

/** kubernetes pkg/registry/core/endpoint */
export const endpointsRules: KindRules<Endpoints> = {
  defaults: setDefaultsEndpoints,
  metaTwiceOnUpdate: true,
  warnings: () => ['v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'],
  validate: validateEndpoints,
  validateUpdate: (endpoints, old) => (semanticDeepEqual(endpoints.subsets, old.subsets) ? [] : validateEndpoints(endpoints)),
};

/** kubernetes pkg/apis/core/validation ValidateEndpointsCreate */
function validateEndpoints({ subsets }: Endpoints): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, { addresses, notReadyAddresses, ports }] of (subsets ?? []).entries()) {
    const path = `subsets[${index}]`;
    if (!addresses?.length && !notReadyAddresses?.length) errors.push(required(path, 'must specify `addresses` or `notReadyAddresses`'));
    for (const [position, address] of (addresses ?? []).entries()) validateAddress(errors, `${path}.addresses[${position}]`, address);
    for (const [position, address] of (notReadyAddresses ?? []).entries())
      validateAddress(errors, `${path}.notReadyAddresses[${position}]`, address);
    for (const [position, port] of (ports ?? []).entries())
      validatePort(errors, `${path}.ports[${position}]`, { port, named: (ports ?? []).length > 1 });
  }
  return errors;
}

function validateAddress(errors: FieldError[], path: string, { ip, hostname, nodeName }: EndpointAddress): void {
  ipAddress(errors, `${path}.ip`, ip);
  if (hostname) report(errors, { path: `${path}.hostname`, value: hostname }, isDNS1123Label(hostname));
  if (nodeName !== undefined) report(errors, { path: `${path}.nodeName`, value: nodeName }, isDNS1123Subdomain(nodeName));
  specialAddress(errors, `${path}.ip`, ip);
}

/** kubernetes pkg/apis/core/validation ValidateEndpointIP: what no endpoint can be. */
export function specialAddress(errors: FieldError[], path: string, given: string): void {
  const ip = given.replace(/\b0+(?=\d)/g, '');
  const say = (text: string): void => void errors.push(invalid(path, given, text));
  if (!isIPv4(ip) && !isIPv6(ip)) {
    say('must be a valid IP address');
    return;
  }
  if (ip === '0.0.0.0' || ip === '::') say(`may not be unspecified (${ip})`);
  if (/^127\./.test(ip) || ip === '::1') say('may not be in the loopback range (127.0.0.0/8, ::1/128)');
  if (/^169\.254\./.test(ip) || /^fe[89ab]/i.test(ip)) say('may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  if (/^224\.0\.0\./.test(ip) || /^ff02:/i.test(ip)) say('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
}

function validatePort(errors: FieldError[], path: string, { port, named }: { port: EndpointPort; named: boolean }): void {
  if (named && !port.name) errors.push(required(`${path}.name`));
  else if (port.name) report(errors, { path: `${path}.name`, value: port.name }, isDNS1123Label(port.name));
  report(errors, { path: `${path}.port`, value: port.port }, isValidPortNumber(port.port));
  requiredOneOf(errors, { path: `${path}.protocol`, value: port.protocol }, ['SCTP', 'TCP', 'UDP']);
  if (port.appProtocol !== undefined)
    report(errors, { path: `${path}.appProtocol`, value: port.appProtocol }, isQualifiedName(port.appProtocol));
}
