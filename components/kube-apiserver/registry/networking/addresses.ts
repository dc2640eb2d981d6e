import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type { IPAddress, ServiceCIDR } from '../../../../src/api/kinds/networking-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1123Subdomain, isValidPathSegmentName } from '../../../../src/api/validation/content.ts';
import { invalid, required } from '../../../../src/api/validation/field.ts';
import { isCidr } from '../../../../src/api/validation/ip.ts';
import type { KindRules } from '../kind-strategy.ts';
import { CIDR_ERROR, isIPv4, isIPv6, report } from '../validation.ts';

/** The name of an IPAddress is the address, in its shortest form. */
function validateAddressName(name: string): readonly string[] {
  if (!isIPv4(name) && !isIPv6(name)) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  const canonical = isIPv4(name) ? name : canonicalIPv6(name);
  return canonical === name ? [] : [`must be in canonical form ("${canonical}")`];
}

/** RFC 5952: lower case, no leading zeros, the longest run of zeros left out. */
function canonicalIPv6(text: string): string {
  const [head = '', tail] = text.toLowerCase().split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const middle = tail === undefined ? [] : new Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  const groups = [...left, ...middle, ...right].map((group) => group.replace(/^0+(?=.)/, ''));
  let best = { start: -1, length: 1 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === '0') length++;
    if (length > best.length) best = { start, length };
  }
  if (best.start < 0) return groups.join(':');
  return `${groups.slice(0, best.start).join(':')}::${groups.slice(best.start + best.length).join(':')}`;
}

/** kubernetes pkg/registry/networking/ipaddress */
export const ipAddressRules: KindRules<IPAddress> = {
  validateName: validateAddressName,
  validate: validateParent,
  validateUpdate: (address, old) =>
    semanticDeepEqual(address.spec?.parentRef, old.spec?.parentRef)
      ? []
      : [invalid('spec.parentRef', address.spec?.parentRef, 'field is immutable')],
};

function validateParent({ spec }: IPAddress): FieldError[] {
  const parent = spec?.parentRef;
  if (!parent) return [required('spec.parentRef')];
  const errors: FieldError[] = [];
  const { group, namespace } = parent;
  if (group) report(errors, { path: 'spec.parentRef.group', value: group }, isDNS1123Subdomain(group));
  for (const name of ['resource', 'name'] as const) {
    const value = parent[name];
    if (!value) errors.push(required(`spec.parentRef.${name}`));
    else report(errors, { path: `spec.parentRef.${name}`, value }, isValidPathSegmentName(value));
  }
  if (namespace) report(errors, { path: 'spec.parentRef.namespace', value: namespace }, isValidPathSegmentName(namespace));
  return errors;
}

/** kubernetes pkg/registry/networking/servicecidr */
export const serviceCIDRRules: KindRules<ServiceCIDR> = {
  hasStatus: true,
  validate: ({ spec }) => validateCIDRs(spec?.cidrs ?? []),
  validateUpdate: ({ spec }, old) => {
    const errors: FieldError[] = [];
    const cidrs = spec?.cidrs ?? [];
    for (const [index, before] of (old.spec?.cidrs ?? []).entries())
      if (cidrs[index] !== before) errors.push(invalid(`spec.cidrs[${index}]`, cidrs[index], 'field is immutable'));
    return errors.length > 0 ? errors : validateCIDRs(cidrs);
  },
};

function validateCIDRs(cidrs: readonly string[]): FieldError[] {
  if (cidrs.length === 0) return [required('spec.cidrs', 'at least one CIDR required')];
  if (cidrs.length > 2) return [invalid('spec.cidrs', { CIDRs: cidrs }, 'may only hold up to 2 values')];
  const errors: FieldError[] = [];
  const families = cidrs.map((cidr) => isIPv4(cidr.split('/')[0] ?? ''));
  if (cidrs.length === 2 && families[0] === families[1] && cidrs.every(isCidr)) {
    errors.push(invalid('spec.cidrs', cidrs, 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64'));
  }
  for (const [index, cidr] of cidrs.entries()) {
    if (!isCidr(cidr)) errors.push(invalid(`spec.cidrs[${index}]`, cidr, CIDR_ERROR));
    else if (hasHostBits(cidr)) errors.push(invalid(`spec.cidrs[${index}]`, cidr, 'must not have bits set beyond the prefix length'));
  }
  return errors;
}

function hasHostBits(cidr: string): boolean {
  const [address = '', bits = '0'] = cidr.split('/');
  if (!isIPv4(address)) return false;
  const value = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return value % 2 ** (32 - Number(bits)) !== 0;
}
