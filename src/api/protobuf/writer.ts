const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const SEVEN_BITS = 0x80;
const FIRST_SIZE = 512;

const encoder = new TextEncoder();

/**
 * Writes a message from its end to its beginning, so that the length of what lies inside is known when it is due. Fields, list entries and map entries
 * come in reverse order.
 */
export class ProtobufWriter {
  #bytes = new Uint8Array(FIRST_SIZE);
  #start = FIRST_SIZE;

  /** How much is written. */
  get length(): number {
    return this.#bytes.length - this.#start;
  }

  /** What is written; valid until the next write. */
  get result(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(this.#start);
  }

  /** An integer of up to 64 bits, in two's complement. */
  varint(value: number): void {
    if (value < 0 || value > Number.MAX_SAFE_INTEGER) this.#bigVarint(BigInt.asUintN(64, BigInt(value)));
    else this.#smallVarint(value);
  }

  #smallVarint(value: number): void {
    const digits: number[] = [];
    let rest = value;
    while (rest >= SEVEN_BITS) {
      digits.push((rest % SEVEN_BITS) + SEVEN_BITS);
      rest = Math.floor(rest / SEVEN_BITS);
    }
    digits.push(rest);
    this.raw(digits);
  }

  integer(field: number, value: number): void {
    this.varint(value);
    this.varint(field * 8 + VARINT);
  }

  double(field: number, value: number): void {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value, true);
    this.raw(bytes);
    this.varint(field * 8 + FIXED64);
  }

  text(field: number, value: string): void {
    this.bytes(field, encoder.encode(value));
  }

  bytes(field: number, value: ArrayLike<number>): void {
    this.raw(value);
    this.#delimit(field, value.length);
  }

  /** A message inside this one, written by `write`. */
  message(field: number, write: () => void): void {
    const before = this.length;
    write();
    this.#delimit(field, this.length - before);
  }

  /** Bytes without a field around them. */
  raw(value: ArrayLike<number>): void {
    if (this.#start < value.length) this.#grow(value.length);
    this.#start -= value.length;
    this.#bytes.set(value, this.#start);
  }

  #delimit(field: number, length: number): void {
    this.varint(length);
    this.varint(field * 8 + BYTES);
  }

  #bigVarint(value: bigint): void {
    const digits: number[] = [];
    let rest = value;
    while (rest >= BigInt(SEVEN_BITS)) {
      digits.push(Number(rest & 0x7fn) + SEVEN_BITS);
      rest >>= 7n;
    }
    digits.push(Number(rest));
    this.raw(digits);
  }

  #grow(needed: number): void {
    const { length } = this;
    const bytes = new Uint8Array(Math.max(this.#bytes.length * 2, length + needed));
    bytes.set(this.#bytes.subarray(this.#start), bytes.length - length);
    this.#start = bytes.length - length;
    this.#bytes = bytes;
  }
}
