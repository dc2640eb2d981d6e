/** Bytes that are no protobuf message, or not of a kind that is known. */
export class ProtobufError extends Error {
  override name = 'ProtobufError';
}

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** Reads the fields of one message in the order in which they were written. */
export class ProtobufReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** The next field: an integer, or the bytes of anything else. @throws ProtobufError */
  field(): { readonly number: number; readonly value: number | Uint8Array } {
    const tag = this.varint();
    const number = Math.floor(tag / 8);
    switch (tag % 8) {
      case VARINT:
        return { number, value: this.varint() };
      case FIXED64:
        return { number, value: this.#take(8) };
      case BYTES:
        return { number, value: this.#take(this.varint()) };
      case FIXED32:
        return { number, value: this.#take(4) };
      default:
        throw new ProtobufError(`proto: illegal wireType ${tag % 8}`);
    }
  }

  /** An integer of up to 64 bits, with its sign. @throws ProtobufError */
  varint(): number {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new ProtobufError('unexpected EOF');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(BigInt.asIntN(64, value));
    }
    throw new ProtobufError('proto: integer overflow');
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (length < 0 || end > this.#bytes.length) throw new ProtobufError('unexpected EOF');
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }
}
