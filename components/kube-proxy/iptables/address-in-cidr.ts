import { maskIP, parseCidr, parseIP } from '../../../src/api/validation/ip.ts';

/** Whether an address is in a range, or is the address given in place of one. */
export function addressInCidr(address: string, cidr: string): boolean {
  const range = parseCidr(cidr);
  const ip = parseIP(address);
  if (!range || !ip) return address === cidr;
  return ip.version === range.ip.version && maskIP(ip, range.prefix).value === maskIP(range.ip, range.prefix).value;
}
