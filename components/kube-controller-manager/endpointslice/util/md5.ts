const SHIFTS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
const SINES = Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32));

/** The MD5 digest of UTF-8 text, in hexadecimal. For orders that Kubernetes derives from it, not for security. */
export function md5(text: string): string {
  const block = padded(new TextEncoder().encode(text));
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
  for (let offset = 0; offset < block.byteLength; offset += 64) addBlock(state, block, offset);
  return state.map(littleEndianHex).join('');
}

function padded(bytes: Uint8Array): DataView {
  const size = (((bytes.length + 8) >>> 6) + 1) << 6;
  const out = new Uint8Array(size);
  out.set(bytes);
  out[bytes.length] = 0x80;
  const view = new DataView(out.buffer);
  view.setUint32(size - 8, bytes.length << 3, true);
  return view;
}

function addBlock(state: number[], block: DataView, offset: number): void {
  let [a = 0, b = 0, c = 0, d = 0] = state;
  for (let i = 0; i < 64; i++) {
    const round = i >>> 4;
    const { mixed, word } = step(round, i, { b, c, d });
    const sum = (a + mixed + (SINES[i] ?? 0) + block.getUint32(offset + 4 * word, true)) | 0;
    const shift = SHIFTS[4 * round + (i & 3)] ?? 0;
    [a, d, c, b] = [d, c, b, (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0];
  }
  [a, b, c, d].forEach((value, i) => {
    state[i] = ((state[i] ?? 0) + value) | 0;
  });
}

function step(round: number, i: number, { b, c, d }: { b: number; c: number; d: number }): { mixed: number; word: number } {
  if (round === 0) return { mixed: (b & c) | (~b & d), word: i };
  if (round === 1) return { mixed: (d & b) | (~d & c), word: (5 * i + 1) & 15 };
  if (round === 2) return { mixed: b ^ c ^ d, word: (3 * i + 5) & 15 };
  return { mixed: c ^ (b | ~d), word: (7 * i) & 15 };
}

function littleEndianHex(value: number): string {
  let out = '';
  for (let i = 0; i < 4; i++) out += ((value >>> (8 * i)) & 0xff).toString(16).padStart(2, '0');
  return out;
}
