// Checks that many kinds share. Each appends its findings to `errors`, so that a sound object allocates nothing.
import type { LabelSelector } from '../../../src/api/kinds/meta-v1.ts';
import type { FieldError } from '../../../src/api/status-error.ts';
import { isDNS1123Label, isDNS1123Subdomain, isQualifiedName, isValidLabelValue, regexError } from '../../../src/api/validation/content.ts';
import { forbidden, invalid, notSupported, required } from '../../../src/api/validation/field.ts';

export const IMMUTABLE = 'field is immutable';
const NON_NEGATIVE = 'must be greater than or equal to 0';

/** A field under test: where it is and what it holds. */
export interface Field<T> {
  readonly path: string;
  readonly value: T;
}

/** One finding per message. */
export function report(errors: FieldError[], { path, value }: Field<unknown>, messages: readonly string[]): void {
  for (const message of messages) errors.push(invalid(path, value, message));
}

/** kubernetes pkg/apis/core/validation ValidateNonnegativeField */
export function nonNegative(errors: FieldError[], path: string, value: number | undefined): void {
  if (value !== undefined && value < 0) errors.push(invalid(path, value, NON_NEGATIVE));
}

/** One of a set of texts; the set is printed in the order given. */
export function oneOf(errors: FieldError[], { path, value }: Field<string | undefined>, supported: readonly string[]): void {
  if (value !== undefined && !supported.includes(value)) errors.push(notSupported(path, value, supported));
}

/** A text that must be there and be one of a set. */
export function requiredOneOf(errors: FieldError[], { path, value }: Field<string | undefined>, supported: readonly string[]): void {
  if (!value) errors.push(required(path));
  else oneOf(errors, { path, value }, supported);
}

/** kubernetes pkg/apis/core/validation ValidateDNS1123Label */
export function dnsLabel(errors: FieldError[], path: string, value: string): void {
  report(errors, { path, value }, isDNS1123Label(value));
}

/** apimachinery meta/v1/validation ValidateLabelSelector */
export function labelSelector(errors: FieldError[], path: string, selector: LabelSelector | undefined): void {
  if (!selector) return;
  const { matchLabels, matchExpressions } = selector;
  for (const key in matchLabels) {
    report(errors, { path: `${path}.matchLabels`, value: key }, isQualifiedName(key));
    const value = matchLabels[key] ?? '';
    report(errors, { path: `${path}.matchLabels`, value }, isValidLabelValue(value));
  }
  for (const [index, { key, operator, values }] of (matchExpressions ?? []).entries()) {
    const at = `${path}.matchExpressions[${index}]`;
    if (operator === 'In' || operator === 'NotIn') {
      if (!values?.length) errors.push(required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values?.length) errors.push(forbidden(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
    } else errors.push(invalid(`${at}.operator`, operator, 'not a valid selector operator'));
    report(errors, { path: `${at}.key`, value: key }, isQualifiedName(key ?? ''));
    for (const [position, value] of (values ?? []).entries())
      report(errors, { path: `${at}.values[${position}]`, value }, isValidLabelValue(value));
  }
}

/** Whether a selector can be used: metav1.LabelSelectorAsSelector would not fail. */
export function isUsableSelector(selector: LabelSelector): boolean {
  const errors: FieldError[] = [];
  labelSelector(errors, '', selector);
  return errors.length === 0;
}

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)$/;

export function isIPv4(text: string): boolean {
  return IPV4.test(text);
}

export function isIPv6(text: string): boolean {
  if (!text.includes(':')) return false;
  const mapped = text.lastIndexOf(':');
  const tail = text.slice(mapped + 1);
  const address = tail.includes('.') ? (isIPv4(tail) ? `${text.slice(0, mapped)}:0:0` : '') : text;
  const halves = address.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  return groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group)) && (halves.length === 2 ? groups.length < 8 : groups.length === 8);
}

const IP_ERROR = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

/** An IPv4 address (or network) as it has to be: leading zeros were once fine, and still are in fields of old. */
export function withoutLeadingZeros(text: string): string {
  return text.includes(':') ? text : text.replace(/\b0+(?=\d)/g, '');
}

/** kubernetes pkg/apis/core/validation IsValidIPForLegacyField */
export function ipAddress(errors: FieldError[], path: string, value: string): void {
  if (!isIPv4(withoutLeadingZeros(value)) && !isIPv6(value)) errors.push(invalid(path, value, IP_ERROR));
}

/** Whether a text is a CIDR such as `10.0.0.0/8`. kubernetes pkg/apis/core/validation IsValidCIDRForLegacyField */
export function isCIDR(given: string): boolean {
  const text = withoutLeadingZeros(given);
  const [address = '', bits = '', ...rest] = text.split('/');
  if (rest.length > 0 || !/^\d+$/.test(bits)) return false;
  return (isIPv4(address) && Number(bits) <= 32) || (isIPv6(address) && Number(bits) <= 128);
}

export const CIDR_ERROR = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

const HTTP_PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const HTTP_PATH_REGEX = new RegExp(`^${HTTP_PATH}$`);

/** apimachinery util/validation IsDomainPrefixedPath */
export function domainPrefixedPath(errors: FieldError[], field: string, value: string): void {
  if (!value) {
    errors.push(required(field));
    return;
  }
  const slash = value.indexOf('/');
  if (slash <= 0 || slash === value.length - 1) {
    errors.push(invalid(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")'));
    return;
  }
  const domain = value.slice(0, slash);
  report(errors, { path: field, value: domain }, isDNS1123Subdomain(domain));
  const path = value.slice(slash + 1);
  if (!HTTP_PATH_REGEX.test(path)) errors.push(invalid(field, path, regexError('Invalid path', HTTP_PATH)));
}

/** kubernetes pkg/apis/core/validation validateLocalNonReservedPath and validateLocalDescendingPath */
export function localDescendingPath(errors: FieldError[], path: string, value: string): void {
  if (value.startsWith('/')) errors.push(invalid(path, value, 'must be a relative path'));
  pathNoBacksteps(errors, path, value);
}

/** kubernetes pkg/apis/core/validation validatePathNoBacksteps */
export function pathNoBacksteps(errors: FieldError[], path: string, value: string): void {
  if (value.split('/').includes('..')) errors.push(invalid(path, value, "must not contain '..'"));
}
