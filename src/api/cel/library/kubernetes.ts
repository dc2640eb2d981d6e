import { canonicalQuantity, parseQuantity, Quantity } from '../../quantity.ts';
import { formatIP, maskIP, type ParsedCidr, type ParsedIP, parseCidr, parseIP } from '../../validation/ip.ts';
import { global, member, type Overload } from '../functions.ts';
import { CelError, LiteralMap, OpaqueValue, type Value } from '../values.ts';

/** `quantity('1Gi')` */
export class QuantityValue extends OpaqueValue {
  readonly typeName = 'kubernetes.Quantity';
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    super();
    this.quantity = quantity;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof QuantityValue && this.quantity.compare(other.quantity) === 0;
  }
}

/** `ip('10.0.0.1')` */
export class IPValue extends OpaqueValue {
  readonly typeName = 'net.IP';
  readonly ip: ParsedIP;

  constructor(ip: ParsedIP) {
    super();
    this.ip = ip;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof IPValue && other.ip.version === this.ip.version && other.ip.value === this.ip.value;
  }
}

/** `cidr('10.0.0.0/8')` */
export class CIDRValue extends OpaqueValue {
  readonly typeName = 'net.CIDR';
  readonly cidr: ParsedCidr;

  constructor(cidr: ParsedCidr) {
    super();
    this.cidr = cidr;
  }

  equals(other: OpaqueValue): boolean {
    if (!(other instanceof CIDRValue)) return false;
    const { ip, prefix } = other.cidr;
    return prefix === this.cidr.prefix && ip.version === this.cidr.ip.version && ip.value === this.cidr.ip.value;
  }

  contains({ version, value }: ParsedIP): boolean {
    const { ip, prefix } = this.cidr;
    return ip.version === version && maskIP({ version, value }, prefix).value === maskIP(ip, prefix).value;
  }
}

/** `url('https://example.com/')` */
export class URLValue extends OpaqueValue {
  readonly typeName = 'kubernetes.URL';
  readonly url: URL;
  readonly text: string;

  constructor(url: URL, text: string) {
    super();
    this.url = url;
    this.text = text;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof URLValue && other.url.href === this.url.href;
  }
}

const isQuantity = (text: string): boolean => canonicalQuantity(text) !== undefined;

function quantityOf(text: string): QuantityValue {
  if (!isQuantity(text)) throw new CelError("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  return new QuantityValue(parseQuantity(text));
}

const wholeOf = ({ quantity }: QuantityValue): bigint | undefined =>
  quantity.nano % 1_000_000_000n === 0n ? quantity.nano / 1_000_000_000n : undefined;

function asInteger(value: QuantityValue): bigint {
  const whole = wholeOf(value);
  if (whole === undefined) throw new CelError('cannot convert value to integer');
  return whole;
}

const ofInt = (value: bigint): Quantity => new Quantity(value * 1_000_000_000n);

const QUANTITIES: readonly Overload[] = [
  global('quantity', 'string -> kubernetes.Quantity', quantityOf),
  global('isQuantity', 'string -> bool', isQuantity),
  member('sign', 'kubernetes.Quantity -> int', ({ quantity }: QuantityValue) =>
    BigInt(quantity.nano < 0n ? -1 : quantity.nano > 0n ? 1 : 0),
  ),
  member('isInteger', 'kubernetes.Quantity -> bool', (value: QuantityValue) => wholeOf(value) !== undefined),
  member('asInteger', 'kubernetes.Quantity -> int', asInteger),
  member('asApproximateFloat', 'kubernetes.Quantity -> double', ({ quantity }: QuantityValue) => quantity.approximate()),
  ...comparisons('kubernetes.Quantity', (a: QuantityValue, b: QuantityValue) => a.quantity.compare(b.quantity)),
  member(
    'add',
    'kubernetes.Quantity, kubernetes.Quantity -> kubernetes.Quantity',
    (a: QuantityValue, b: QuantityValue) => new QuantityValue(a.quantity.add(b.quantity)),
  ),
  member(
    'add',
    'kubernetes.Quantity, int -> kubernetes.Quantity',
    (a: QuantityValue, b: bigint) => new QuantityValue(a.quantity.add(ofInt(b))),
  ),
  member(
    'sub',
    'kubernetes.Quantity, kubernetes.Quantity -> kubernetes.Quantity',
    (a: QuantityValue, b: QuantityValue) => new QuantityValue(a.quantity.sub(b.quantity)),
  ),
  member(
    'sub',
    'kubernetes.Quantity, int -> kubernetes.Quantity',
    (a: QuantityValue, b: bigint) => new QuantityValue(a.quantity.sub(ofInt(b))),
  ),
];

/** `isGreaterThan`, `isLessThan` and `compareTo` of a type with an order. */
export function comparisons<T>(type: string, compare: (a: T, b: T) => number): Overload[] {
  return [
    member('isGreaterThan', `${type}, ${type} -> bool`, (a: T, b: T) => compare(a, b) > 0),
    member('isLessThan', `${type}, ${type} -> bool`, (a: T, b: T) => compare(a, b) < 0),
    member('compareTo', `${type}, ${type} -> int`, (a: T, b: T) => BigInt(compare(a, b))),
  ];
}

function ipOf(text: string): IPValue {
  const ip = parseIP(text);
  if (!ip) throw new CelError(`IP Address ${JSON.stringify(text)} parse error during conversion from string`);
  return new IPValue(ip);
}

function cidrOf(text: string): CIDRValue {
  const cidr = parseCidr(text);
  if (!cidr) throw new CelError(`network address parse error during conversion from string: netip.ParsePrefix(${JSON.stringify(text)})`);
  return new CIDRValue(cidr);
}

const inRange = (range: string, ip: IPValue): boolean => cidrOf(range).contains(ip.ip);

function isLinkLocalMulticast(ip: IPValue): boolean {
  return inRange('224.0.0.0/24', ip) || (ip.ip.version === 6 && (ip.ip.value >> 112n) % 0x10n === 2n && ip.ip.value >> 120n === 0xffn);
}

const isLinkLocalUnicast = (ip: IPValue): boolean => inRange('169.254.0.0/16', ip) || inRange('fe80::/10', ip);
const isLoopback = (ip: IPValue): boolean => inRange('127.0.0.0/8', ip) || inRange('::1/128', ip);
const isUnspecified = ({ ip }: IPValue): boolean => ip.value === 0n;

function isGlobalUnicast(ip: IPValue): boolean {
  const multicast = inRange('224.0.0.0/4', ip) || inRange('ff00::/8', ip);
  return !multicast && !isLoopback(ip) && !isUnspecified(ip) && !isLinkLocalUnicast(ip) && formatIP(ip.ip) !== '255.255.255.255';
}

const cidrText = ({ cidr }: CIDRValue): string => `${formatIP(cidr.ip)}/${cidr.prefix}`;

function containsCidr(outer: CIDRValue, inner: CIDRValue): boolean {
  return outer.cidr.prefix <= inner.cidr.prefix && outer.contains(inner.cidr.ip);
}

const ADDRESSES: readonly Overload[] = [
  global('ip', 'string -> net.IP', ipOf),
  global('isIP', 'string -> bool', (text: string) => parseIP(text) !== undefined),
  global('ip.isCanonical', 'string -> bool', (text: string) => formatIP(ipOf(text).ip) === text),
  global('string', 'net.IP -> string', ({ ip }: IPValue) => formatIP(ip)),
  member('family', 'net.IP -> int', ({ ip }: IPValue) => BigInt(ip.version)),
  member('isUnspecified', 'net.IP -> bool', isUnspecified),
  member('isLoopback', 'net.IP -> bool', isLoopback),
  member('isLinkLocalMulticast', 'net.IP -> bool', isLinkLocalMulticast),
  member('isLinkLocalUnicast', 'net.IP -> bool', isLinkLocalUnicast),
  member('isGlobalUnicast', 'net.IP -> bool', isGlobalUnicast),
  global('cidr', 'string -> net.CIDR', cidrOf),
  global('isCIDR', 'string -> bool', (text: string) => parseCidr(text) !== undefined),
  global('string', 'net.CIDR -> string', cidrText),
  member('containsIP', 'net.CIDR, net.IP -> bool', (range: CIDRValue, ip: IPValue) => range.contains(ip.ip)),
  member('containsIP', 'net.CIDR, string -> bool', (range: CIDRValue, text: string) => range.contains(ipOf(text).ip)),
  member('containsCIDR', 'net.CIDR, net.CIDR -> bool', containsCidr),
  member('containsCIDR', 'net.CIDR, string -> bool', (range: CIDRValue, text: string) => containsCidr(range, cidrOf(text))),
  member('ip', 'net.CIDR -> net.IP', ({ cidr }: CIDRValue) => new IPValue(cidr.ip)),
  member('masked', 'net.CIDR -> net.CIDR', ({ cidr: { ip, prefix } }: CIDRValue) => new CIDRValue({ ip: maskIP(ip, prefix), prefix })),
  member('prefixLength', 'net.CIDR -> int', ({ cidr }: CIDRValue) => BigInt(cidr.prefix)),
];

/** Absolute URLs and absolute paths, as Go's url.ParseRequestURI takes them. */
function parseURL(text: string): URLValue | undefined {
  if (/[\s\p{Cc}]/u.test(text)) return undefined;
  if (text.startsWith('/')) return new URLValue(new URL(text, 'path://none'), text);
  return URL.canParse(text) ? new URLValue(new URL(text), text) : undefined;
}

function urlOf(text: string): URLValue {
  const url = parseURL(text);
  if (!url) throw new CelError(`URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`);
  return url;
}

const isPath = ({ url }: URLValue): boolean => url.protocol === 'path:';

/** The host as it is written: defaults of schemes are not taken away. */
function hostOf({ text, url }: URLValue): string {
  if (url.protocol === 'path:') return '';
  return /^[a-zA-Z][\w+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]*)/.exec(text)?.[1] ?? '';
}

function queryOf({ url }: URLValue): Value {
  const names = [...new Set(url.searchParams.keys())];
  return new LiteralMap(names.map((name): [Value, Value] => [name, url.searchParams.getAll(name)]));
}

const URLS: readonly Overload[] = [
  global('url', 'string -> kubernetes.URL', urlOf),
  global('isURL', 'string -> bool', (text: string) => parseURL(text) !== undefined),
  member('getScheme', 'kubernetes.URL -> string', (url: URLValue) => (isPath(url) ? '' : url.url.protocol.slice(0, -1))),
  member('getHost', 'kubernetes.URL -> string', hostOf),
  member('getHostname', 'kubernetes.URL -> string', (url: URLValue) =>
    hostOf(url)
      .replace(/:\d*$/, '')
      .replace(/^\[|\]$/g, ''),
  ),
  member('getPort', 'kubernetes.URL -> string', (url: URLValue) => /:(\d*)$/.exec(hostOf(url))?.[1] ?? ''),
  member('getEscapedPath', 'kubernetes.URL -> string', ({ text, url }: URLValue) =>
    /^(?:[^/]*:\/\/[^/?#]*)?(\/[^?#]*)/.exec(text)?.[1] ? url.pathname : '',
  ),
  member('getQuery', 'kubernetes.URL -> map<string, list<string>>', queryOf),
];

/** Amounts, addresses and URLs. apiserver pkg/cel/library Quantity, IP, CIDR, URLs */
export const KUBERNETES: readonly Overload[] = [...QUANTITIES, ...ADDRESSES, ...URLS];
