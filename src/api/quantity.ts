/** How a quantity is written: apimachinery pkg/api/resource Format. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** What the API answers for text that is no quantity (resource.ErrFormatWrong). */
export const QUANTITY_FORMAT_ERROR = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

const NANO = 1_000_000_000n;
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const DECIMAL = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const DECIMAL_SUFFIX = new Map([...DECIMAL].map(([suffix, exponent]) => [exponent, suffix]));
const MAX_NANO = (2n ** 63n - 1n) * NANO;
const PATTERN = /^([+-]?)(\d*)(?:\.(\d*))?(?:(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)|[eE]([+-]?\d+))?$/;

/**
 * An exact amount of a resource: apimachinery pkg/api/resource Quantity. Immutable; kept in billionths, which is also the finest
 * amount the real one keeps (finer input is rounded up).
 */
export class Quantity {
  readonly nano: bigint;
  readonly format: QuantityFormat;

  constructor(nano: bigint, format: QuantityFormat = 'DecimalSI') {
    this.nano = nano;
    this.format = format;
  }

  /** The amount, rounded up to a whole number. */
  value(): number {
    return Number(ceilDivide(this.nano, NANO));
  }

  /** The amount in thousandths, rounded up. */
  milliValue(): number {
    return Number(ceilDivide(this.nano, 1_000_000n));
  }

  /** The amount as a floating point number (AsApproximateFloat64). */
  approximate(): number {
    return Number(this.nano) / 1e9;
  }

  get isZero(): boolean {
    return this.nano === 0n;
  }

  /** -1, 0 or 1. */
  compare(other: Quantity): number {
    return this.nano < other.nano ? -1 : this.nano > other.nano ? 1 : 0;
  }

  /** The sum; like in Go, a zero takes over the format of what is added to it. */
  add(other: Quantity): Quantity {
    return new Quantity(this.nano + other.nano, this.nano === 0n ? other.format : this.format);
  }

  sub(other: Quantity): Quantity {
    return new Quantity(this.nano - other.nano, this.nano === 0n ? other.format : this.format);
  }

  /** Rounded up to thousandths: what defaulting does to resource lists (RoundUp(resource.Milli)). */
  roundUpMilli(): Quantity {
    const milli = ceilDivide(this.nano, 1_000_000n) * 1_000_000n;
    return milli === this.nano ? this : new Quantity(milli, this.format);
  }

  /** The canonical text: no precision is lost, no fractions, the largest suffix that fits. */
  toString(): string {
    return formatNano(this.nano, this.format);
  }

  toJSON(): string {
    return this.toString();
  }
}

const cache = new Map<string, Quantity>();

/**
 * Reads a quantity; undefined when the text is malformed. Results are shared: a cluster repeats few different texts.
 * @example parseQuantity('500m')?.milliValue() // 500
 */
export function tryParseQuantity(text: string | number): Quantity | undefined {
  const key = String(text);
  const known = cache.get(key);
  if (known) return known;
  const parsed = parse(key);
  if (parsed) {
    if (cache.size > 10_000) cache.clear();
    cache.set(key, parsed);
  }
  return parsed;
}

/** Reads a quantity that the API has already accepted; malformed text counts as 0, as an absent one does. */
export function parseQuantity(text: string | number | undefined): Quantity {
  return (text === undefined ? undefined : tryParseQuantity(text)) ?? ZERO;
}

const ZERO = new Quantity(0n);

/** Whole number → quantity (resource.NewQuantity). */
export function newQuantity(value: number, format: QuantityFormat = 'DecimalSI'): Quantity {
  return new Quantity(BigInt(Math.trunc(value)) * NANO, format);
}

/** Thousandths → quantity (resource.NewMilliQuantity). */
export function newMilliQuantity(milli: number, format: QuantityFormat = 'DecimalSI'): Quantity {
  return new Quantity(BigInt(Math.trunc(milli)) * 1_000_000n, format);
}

/** The canonical form of a quantity's text; undefined when malformed. @example canonicalQuantity('0.5') // '500m' */
export function canonicalQuantity(text: string | number): string | undefined {
  const quantity = tryParseQuantity(text);
  if (!quantity) return undefined;
  const given = String(text);
  return keepsItsText(given) ? given : quantity.toString();
}

/** Text whose digits and exponent are canonical already is kept as it is, even with leading zeros or `e0`. */
function keepsItsText(text: string): boolean {
  const match = /^-?0*([1-9]\d*)(?:[numkMGTPE]|[eE]([+-]?\d+))?$/.exec(text);
  return match !== null && Number(match[2] ?? 0) % 3 === 0 && !match[1]?.endsWith('000');
}

function parse(text: string): Quantity | undefined {
  const match = PATTERN.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', suffix, exponent] = match;
  if (whole === '' && fraction === '') return undefined;
  const digits = BigInt(`${whole}${fraction}` || '0');
  const binary = suffix?.endsWith('i') ? BINARY.indexOf(suffix) : -1;
  const format: QuantityFormat = exponent !== undefined ? 'DecimalExponent' : binary > 0 ? 'BinarySI' : 'DecimalSI';
  const power = 9 - fraction.length + (exponent !== undefined ? Number(exponent) : binary > 0 ? 0 : (DECIMAL.get(suffix ?? '') ?? 0));
  if (power > 60) return new Quantity(digits === 0n ? 0n : sign === '-' ? -MAX_NANO : MAX_NANO, format);
  const scaled = digits * (binary > 0 ? 1024n ** BigInt(binary) : 1n);
  let nano = power >= 0 ? scaled * 10n ** BigInt(power) : roundAwayFromZero(scaled, power);
  if (nano > MAX_NANO) nano = MAX_NANO;
  // A small or negative-exponent binary amount cannot be written in binary: Go falls back to decimal when it prints.
  return new Quantity(sign === '-' ? -nano : nano, format);
}

function roundAwayFromZero(digits: bigint, power: number): bigint {
  if (power < -400) return digits === 0n ? 0n : 1n;
  return ceilDivide(digits, 10n ** BigInt(-power));
}

function ceilDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b > 0n ? quotient + 1n : quotient;
}

function formatNano(nano: bigint, format: QuantityFormat): string {
  if (nano === 0n) return '0';
  const sign = nano < 0n ? '-' : '';
  const amount = nano < 0n ? -nano : nano;
  // Amounts below 1024 and fractions have no binary form.
  if (format === 'BinarySI' && amount >= 1024n * NANO && amount % NANO === 0n) {
    let value = amount / NANO;
    let suffix = 0;
    while (suffix < BINARY.length - 1 && value % 1024n === 0n) {
      value /= 1024n;
      suffix++;
    }
    return `${sign}${value}${BINARY[suffix]}`;
  }
  let mantissa = amount;
  let exponent = -9;
  while (exponent < 18 && mantissa % 1000n === 0n) {
    mantissa /= 1000n;
    exponent += 3;
  }
  if (format === 'DecimalExponent') return `${sign}${mantissa}${exponent === 0 ? '' : `e${exponent}`}`;
  return `${sign}${mantissa}${DECIMAL_SUFFIX.get(exponent) ?? ''}`;
}
