const DECIMAL_SCALE: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY_EXPONENT: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

/**
 * What spew makes of a Quantity that was read from its canonical text: apimachinery pkg/api/resource ParseQuantity.
 * Differs: quantities that do not fit into 64 bits are written as if they did.
 */
export function formatQuantity(quantity: unknown): string {
  const text = quantity === undefined || quantity === null ? '' : String(quantity);
  const { value, scale, format } = parse(text);
  const amount = `(resource.int64Amount){value:(int64)${value} scale:(resource.Scale)${scale}}`;
  return `{i:${amount} d:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} s:(string)${text} Format:(resource.Format)${format}}`;
}

function parse(text: string): { value: string; scale: number; format: string } {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]|[eE][+-]?\d+)?$/.exec(text);
  if (!match || text === '' || text === '0') return { value: '0', scale: 0, format: '' };
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match;
  const digits = BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`);
  const binary = BINARY_EXPONENT[suffix];
  if (binary !== undefined) return { value: String(digits << BigInt(binary)), scale: -fraction.length, format: 'BinarySI' };
  const decimal = DECIMAL_SCALE[suffix];
  if (decimal !== undefined) return { value: String(digits), scale: decimal - fraction.length, format: 'DecimalSI' };
  return { value: String(digits), scale: Number(suffix.slice(1)) - fraction.length, format: 'DecimalExponent' };
}
