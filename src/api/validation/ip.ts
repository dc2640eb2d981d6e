/** The parts of an address: four bytes or eight words of 16 bits. */
export interface ParsedIP {
  readonly version: 4 | 6;
  /** As one number of 32 or 128 bits. */
  readonly value: bigint;
}

/** Reads an IPv4 or IPv6 address; undefined when it is none. Go net/netip.ParseAddr without zones */
export function parseIP(text: string): ParsedIP | undefined {
  return text.includes(':') ? parseIPv6(text) : parseIPv4(text);
}

function parseIPv4(text: string): ParsedIP | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)) return undefined;
  return { version: 4, value: parts.reduce((value, part) => value * 256n + BigInt(part), 0n) };
}

function parseIPv6(text: string): ParsedIP | undefined {
  const embedded = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  let source = text;
  if (embedded) {
    const last = parseIPv4(embedded[2] ?? '');
    if (!last) return undefined;
    source = `${embedded[1]}${(last.value >> 16n).toString(16)}:${(last.value & 0xffffn).toString(16)}`;
  }
  const halves = source.split('::');
  if (halves.length > 2) return undefined;
  const words = halves.map((half) => (half === '' ? [] : half.split(':')));
  if (!words.flat().every((word) => /^[0-9a-fA-F]{1,4}$/.test(word))) return undefined;
  const [left = [], right] = words;
  const missing = 8 - left.length - (right?.length ?? 0);
  if (right ? missing < 1 : missing !== 0) return undefined;
  const all = [...left, ...Array.from({ length: right ? missing : 0 }, () => '0'), ...(right ?? [])];
  return { version: 6, value: all.reduce((value, word) => value * 65_536n + BigInt(`0x${word}`), 0n) };
}

/** 4, 6, or undefined for a text that is no address. */
export function isIP(text: string): 4 | 6 | undefined {
  return parseIP(text)?.version;
}

/** An address as it is written canonically. Go net/netip.Addr.String */
export function formatIP({ version, value }: ParsedIP): string {
  if (version === 4) return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join('.');
  if (value >> 32n === 0xffffn) return `::ffff:${formatIP({ version: 4, value: value & 0xffff_ffffn })}`;
  const words = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  const run = longestZeros(words);
  if (!run) return words.join(':');
  return `${words.slice(0, run.start).join(':')}::${words.slice(run.start + run.length).join(':')}`;
}

function longestZeros(words: readonly string[]): { readonly start: number; readonly length: number } | undefined {
  let best = { start: 0, length: 1 };
  for (let start = 0; start < words.length; start++) {
    let length = 0;
    while (words[start + length] === '0') length++;
    if (length > best.length) best = { start, length };
  }
  return best.length > 1 ? best : undefined;
}

/** A range of addresses. */
export interface ParsedCidr {
  readonly ip: ParsedIP;
  readonly prefix: number;
}

/** Reads `10.0.0.0/8`; undefined when it is none. Go net/netip.ParsePrefix */
export function parseCidr(text: string): ParsedCidr | undefined {
  const slash = text.lastIndexOf('/');
  const ip = slash < 0 ? undefined : parseIP(text.slice(0, slash));
  const bits = text.slice(slash + 1);
  if (!ip || !/^(?:0|[1-9]\d{0,2})$/.test(bits) || Number(bits) > (ip.version === 4 ? 32 : 128)) return undefined;
  return { ip, prefix: Number(bits) };
}

export function isCidr(text: string): boolean {
  return parseCidr(text) !== undefined;
}

/** The network of an address. */
export function maskIP({ version, value }: ParsedIP, prefix: number): ParsedIP {
  const shift = BigInt((version === 4 ? 32 : 128) - prefix);
  return { version, value: (value >> shift) << shift };
}
