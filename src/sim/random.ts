import { customRandom } from 'nanoid';

/** The characters that Kubernetes uses for generated names (apimachinery pkg/util/rand). */
const SAFE_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
/** Codes of the hex digits. */
const HEX = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
const DASH = '-'.charCodeAt(0);

/**
 * The one source of chance of a simulation. Equal seeds give equal sequences.
 * `fork(label)` gives an independent stream, so that one more draw in a component does not shift the draws of the others.
 * @example const random = new Random('42'); random.integer(10); random.name(5) // 'x8k2d'
 */
export class Random {
  readonly seed: string;
  #a: number;
  #b: number;
  #c: number;
  #d: number;
  readonly #names = new Map<number, () => string>();

  constructor(seed: string) {
    this.seed = seed;
    [this.#a, this.#b, this.#c, this.#d] = seedWords(seed);
    for (let i = 0; i < 12; i++) this.#next();
  }

  /** sfc32: 32 random bits. */
  #next(): number {
    const t = (((this.#a + this.#b) | 0) + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (this.#c << 21) | (this.#c >>> 11);
    this.#c = (this.#c + t) | 0;
    return t >>> 0;
  }

  /** A number in [0, 1). */
  float(): number {
    return this.#next() / 4294967296;
  }

  /** A whole number in [0, below). */
  integer(below: number): number {
    return Math.floor(this.float() * below);
  }

  /** `duration` plus up to `factor` of it: wait.Jitter of apimachinery. */
  jitter(duration: number, factor: number): number {
    return duration + this.float() * factor * duration;
  }

  /** `length` characters as in generated names of Kubernetes. */
  name(length: number): string {
    let make = this.#names.get(length);
    if (!make) {
      make = customRandom(SAFE_ALPHABET, length, (size) => this.bytes(size));
      this.#names.set(length, make);
    }
    return make();
  }

  bytes(size: number): Uint8Array<ArrayBuffer> {
    const out = new Uint8Array(size);
    for (let i = 0; i < size; i++) out[i] = this.#next() & 0xff;
    return out;
  }

  hex(length: number): string {
    const codes = new Array<number>(length);
    for (let i = 0; i < length; i++) codes[i] = HEX[this.#next() & 15] as number;
    return String.fromCharCode(...codes);
  }

  /** A version 4 UUID. */
  uuid(): string {
    const words = [this.#next(), this.#next(), ((this.#next() & 0x3fffffff) | 0x80000000) >>> 0, this.#next()] as const;
    const codes: number[] = [];
    for (let digit = 0; digit < 32; digit++) {
      if (digit === 8 || digit === 12 || digit === 16 || digit === 20) codes.push(DASH);
      const value = digit === VERSION_DIGIT ? 4 : ((words[digit >> 3] as number) >>> (28 - 4 * (digit & 7))) & 15;
      codes.push(HEX[value] as number);
    }
    return String.fromCharCode(...codes);
  }

  /** One of the items, each as likely. */
  pick<T>(items: readonly T[]): T | undefined {
    return items[this.integer(items.length)];
  }

  /** An independent stream named `label`; it does not depend on what was drawn here before. */
  fork(label: string): Random {
    return new Random(`${this.seed}/${label}`);
  }
}

/** Where a UUID says how it was made. */
const VERSION_DIGIT = 12;

/** Four 32-bit words out of a string (xmur3). */
function seedWords(text: string): [number, number, number, number] {
  let h = 1779033703 ^ text.length;
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(h ^ text.charCodeAt(i), 3432918353);
    h = (h << 13) | (h >>> 19);
  }
  const next = (): number => {
    h = Math.imul(h ^ (h >>> 16), 2246822507);
    h = Math.imul(h ^ (h >>> 13), 3266489909);
    h ^= h >>> 16;
    return h | 0;
  };
  return [next(), next(), next(), next()];
}
