const PRIMES = primes(64);
const ROUND = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const INITIAL = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The first 16 characters of the base 32 form of the SHA-256 digest of the text: what kube-proxy names chains by. */
export function shortHash(text: string): string {
  const digest = sha256(text);
  let out = '';
  let bits = 0n;
  for (let i = 0; i < 3; i++) bits = (bits << 32n) | BigInt((digest[i] ?? 0) >>> 0);
  for (let i = 0; i < 16; i++) out += BASE32[Number((bits >> BigInt(91 - 5 * i)) & 31n)];
  return out;
}

/** The SHA-256 digest of UTF-8 text, as eight words. */
export function sha256(text: string): readonly number[] {
  const block = padded(new TextEncoder().encode(text));
  const state = [...INITIAL];
  const words = new Int32Array(64);
  for (let offset = 0; offset < block.byteLength; offset += 64) addBlock(state, words, { block, offset });
  return state;
}

function padded(bytes: Uint8Array): DataView {
  const size = (((bytes.length + 8) >>> 6) + 1) << 6;
  const out = new Uint8Array(size);
  out.set(bytes);
  out[bytes.length] = 0x80;
  const view = new DataView(out.buffer);
  view.setUint32(size - 4, bytes.length << 3);
  return view;
}

function addBlock(state: number[], words: Int32Array, { block, offset }: { block: DataView; offset: number }): void {
  for (let i = 0; i < 64; i++) words[i] = i < 16 ? block.getInt32(offset + 4 * i) : expand(words, i);
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const first = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + (ROUND[i] ?? 0) + (words[i] ?? 0)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i] = ((state[i] ?? 0) + value) | 0;
}

function expand(words: Int32Array, i: number): number {
  const near = words[i - 15] ?? 0;
  const far = words[i - 2] ?? 0;
  const low = rotate(near, 7) ^ rotate(near, 18) ^ (near >>> 3);
  const high = rotate(far, 17) ^ rotate(far, 19) ^ (far >>> 10);
  return ((words[i - 16] ?? 0) + low + (words[i - 7] ?? 0) + high) | 0;
}

function rotate(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by));
}

function fraction(value: number): number {
  return ((value % 1) * 2 ** 32) | 0;
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate++) if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  return found;
}
