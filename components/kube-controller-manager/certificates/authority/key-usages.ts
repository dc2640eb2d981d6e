/** Bits of the extension keyUsage by their names in the API: pkg/controller/certificates/authority/policies.go keyUsageDict */
const KEY_USAGES: Readonly<Record<string, number>> = {
  signing: 0,
  'digital signature': 0,
  'content commitment': 1,
  'key encipherment': 2,
  'data encipherment': 3,
  'key agreement': 4,
  'cert sign': 5,
  'crl sign': 6,
  'encipher only': 7,
  'decipher only': 8,
};

/** Purposes of the extension extKeyUsage: policies.go extKeyUsageDict */
const EXTENDED_KEY_USAGES: Readonly<Record<string, string>> = {
  any: '2.5.29.37.0',
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
  'code signing': '1.3.6.1.5.5.7.3.3',
  'email protection': '1.3.6.1.5.5.7.3.4',
  's/mime': '1.3.6.1.5.5.7.3.4',
  'ipsec end system': '1.3.6.1.5.5.7.3.5',
  'ipsec tunnel': '1.3.6.1.5.5.7.3.6',
  'ipsec user': '1.3.6.1.5.5.7.3.7',
  timestamping: '1.3.6.1.5.5.7.3.8',
  'ocsp signing': '1.3.6.1.5.5.7.3.9',
  'microsoft sgc': '1.3.6.1.4.1.311.10.3.3',
  'netscape sgc': '2.16.840.1.113730.4.1',
};

/** The bit string of keyUsage: how many bits of its last byte are unused, and the bytes. Undefined when no usage is a bit. */
export function keyUsageBits(usages: readonly string[]): Uint8Array | undefined {
  const bits = usages.flatMap((usage) => KEY_USAGES[usage] ?? []);
  if (bits.length === 0) return undefined;
  const highest = Math.max(...bits);
  const bytes = new Uint8Array(Math.floor(highest / 8) + 2);
  bytes[0] = 7 - (highest % 8);
  for (const bit of bits) {
    const index = Math.floor(bit / 8) + 1;
    bytes[index] = (bytes[index] ?? 0) | (0x80 >> (bit % 8));
  }
  return bytes;
}

/** Object identifiers of extKeyUsage, each once, sorted as Go sorts its constants. */
export function extendedKeyUsages(usages: readonly string[]): string[] {
  const wanted = new Set(usages.map((usage) => EXTENDED_KEY_USAGES[usage]));
  return [...new Set(Object.values(EXTENDED_KEY_USAGES))].filter((oid) => wanted.has(oid));
}
