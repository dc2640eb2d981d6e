/** Writes one protobuf message, field by field. */
export class ProtobufWriter {
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  /** A string, or the bytes of a message. Nothing for undefined. */
  bytes(number: number, value: string | Uint8Array | undefined): this {
    if (value === undefined) return this;
    const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
    this.#push(varint(number * 8 + 2));
    this.#push(varint(bytes.length));
    this.#push(bytes);
    return this;
  }

  /** An integer that is not negative, or a boolean. Nothing for undefined. */
  integer(number: number, value: number | boolean | undefined): this {
    if (value === undefined) return this;
    this.#push(varint(number * 8));
    this.#push(varint(Number(value)));
    return this;
  }

  double(number: number, value: number | undefined): this {
    if (value === undefined) return this;
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value, true);
    this.#push(varint(number * 8 + 1));
    this.#push(bytes);
    return this;
  }

  finish(): Uint8Array<ArrayBuffer> {
    const out = new Uint8Array(this.#size);
    let at = 0;
    for (const chunk of this.#chunks) {
      out.set(chunk, at);
      at += chunk.length;
    }
    return out;
  }

  #push(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#size += bytes.length;
  }
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
