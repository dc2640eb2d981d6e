import { customRandom } from 'nanoid';

/** The characters that Kubernetes uses for generated names (apimachinery pkg/util/rand). */
const SAFE_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const HEX = '0123456789abcdef';

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
    let out = '';
    for (let i = 0; i < length; i++) out += HEX[this.#next() & 15];
    return out;
  }

  /** A version 4 UUID. */
  uuid(): string {
    const a = word(this.#next());
    const b = word(this.#next());
    const c = word(((this.#next() & 0x3fffffff) | 0x80000000) >>> 0);
    const d = word(this.#next());
    return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-${c.slice(0, 4)}-${c.slice(4)}${d}`;
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

const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** 8 hex digits. */
function word(value: number): string {
  return `${HEX_BYTES[value >>> 24]}${HEX_BYTES[(value >>> 16) & 255]}${HEX_BYTES[(value >>> 8) & 255]}${HEX_BYTES[value & 255]}`;
}

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
