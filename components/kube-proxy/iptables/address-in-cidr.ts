/** Whether an address is in a range, or is the address given in place of one. */
export function addressInCidr(address: string, cidr: string): boolean {
  const slash = cidr.indexOf('/');
  if (slash < 0) return address === cidr;
  const range = cidr.slice(0, slash);
  if (address.includes(':') !== range.includes(':')) return false;
  const prefix = Number(cidr.slice(slash + 1));
  const bits = address.includes(':') ? 128 : 32;
  const shift = BigInt(bits - prefix);
  return toNumber(address) >> shift === toNumber(range) >> shift;
}

function toNumber(address: string): bigint {
  if (!address.includes(':')) return address.split('.').reduce((sum, part) => (sum << 8n) | BigInt(Number(part) & 255), 0n);
  const [head = '', tail] = address.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const filled = Array<string>(Math.max(0, 8 - groups(head).length - groups(tail ?? '').length)).fill('0');
  return [...groups(head), ...filled, ...groups(tail ?? '')].reduce((sum, group) => (sum << 16n) | BigInt(`0x${group || '0'}`), 0n);
}
