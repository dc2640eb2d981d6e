// Addresses and networks that are still taken, though nobody should write them like that.
import { quote } from '../../../src/api/validation/field.ts';
import { formatIP, maskIP, type ParsedIP, parseCidr, parseIP } from '../../../src/api/validation/ip.ts';
import { withoutLeadingZeros } from './validation.ts';

const PLAIN_IPV4 = /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){3}$/;

const isMapped = ({ version, value }: ParsedIP): boolean => version === 6 && value >> 32n === 0xffffn;

/** An address as Go's net.IP prints it: one of version 4 in one of version 6 as the former. */
function canonical(ip: ParsedIP): string {
  return formatIP(isMapped(ip) ? { version: 4, value: ip.value & 0xffff_ffffn } : ip);
}

/** kubernetes apimachinery pkg/util/validation GetWarningsForIP */
export function ipWarnings(path: string, text: string): string[] {
  if (PLAIN_IPV4.test(text)) return [];
  const ip = parseIP(withoutLeadingZeros(text));
  if (!ip) return [];
  if (ip.version === 4 || isMapped(ip))
    return [
      `${path}: non-standard IP address ${quote(text)} will be considered invalid in a future Kubernetes release: use ${quote(canonical(ip))}`,
    ];
  const standard = formatIP(ip);
  return standard === text ? [] : [`${path}: IPv6 address ${quote(text)} should be in RFC 5952 canonical format (${quote(standard)})`];
}

/** kubernetes apimachinery pkg/util/validation GetWarningsForCIDR */
export function cidrWarnings(path: string, text: string): string[] {
  const cidr = parseCidr(withoutLeadingZeros(text));
  if (!cidr) return [];
  const { ip, prefix } = cidr;
  const network = `${formatIP(maskIP(ip, prefix))}/${prefix}`;
  const warnings: string[] = [];
  if (maskIP(ip, prefix).value !== ip.value) {
    const single = `${formatIP(ip)}/${ip.version === 4 ? 32 : 128}`;
    warnings.push(`${path}: CIDR value ${quote(text)} is ambiguous in this context (should be ${quote(network)} or ${quote(single)}?)`);
  }
  if (!parseCidr(text) || isMapped(ip))
    warnings.push(
      `${path}: non-standard CIDR value ${quote(text)} will be considered invalid in a future Kubernetes release: use ${quote(network)}`,
    );
  else if (ip.version === 6 && `${formatIP(ip)}/${prefix}` !== text)
    warnings.push(`${path}: IPv6 CIDR value ${quote(text)} should be in RFC 5952 canonical format (${quote(network)})`);
  return warnings;
}
