import { constants, createDeflate, createInflate, type Deflate, type Inflate } from 'node:zlib';
import { SPDY_DICTIONARY } from './spdy-dictionary.ts';

/** apimachinery pkg/util/portforward: SPDY in a WebSocket. */
export const PORT_FORWARD_PROTOCOL = 'SPDY/3.1+portforward.k8s.io';

const VERSION = 0x8003;
const [SYN_STREAM, SYN_REPLY, RST_STREAM, PING, GOAWAY] = [1, 2, 3, 6, 7];
const FLAG_FIN = 1;

interface SpdyListener {
  onStream(stream: number, headers: Readonly<Record<string, string>>): void;
  onData(stream: number, bytes: Buffer, last: boolean): void;
  onReset(stream: number): void;
}

/** The server's end of a SPDY/3.1 connection, as far as Kubernetes uses it: streams that the client opens. */
export class SpdyConnection {
  readonly #write: (bytes: Buffer) => void;
  readonly #listener: SpdyListener;
  readonly #inflate: Inflate = createInflate({ dictionary: SPDY_DICTIONARY, finishFlush: constants.Z_SYNC_FLUSH });
  readonly #deflate: Deflate = createDeflate({ dictionary: SPDY_DICTIONARY });
  #received = Buffer.alloc(0);
  /** Frames are dealt with one after the other: header blocks share their compression. */
  #work: Promise<void> = Promise.resolve();

  constructor(write: (bytes: Buffer) => void, listener: SpdyListener) {
    this.#write = write;
    this.#listener = listener;
  }

  receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    while (this.#received.length >= 8) {
      const length = 8 + this.#received.readUIntBE(5, 3);
      if (this.#received.length < length) return;
      const frame = this.#received.subarray(0, length);
      this.#received = this.#received.subarray(length);
      this.#work = this.#work.then(() => this.#take(frame)).catch(() => {});
    }
  }

  /** Accepts a stream. */
  reply(stream: number): void {
    this.#work = this.#work.then(async () => {
      const block = await compress(this.#deflate, Buffer.from([0, 0, 0, 0]));
      const id = Buffer.alloc(4);
      id.writeUInt32BE(stream);
      this.#control(SYN_REPLY, Buffer.concat([id, block]));
    });
  }

  send(stream: number, bytes: Buffer, last: boolean): void {
    this.#work = this.#work.then(() => {
      const head = Buffer.alloc(8);
      head.writeUInt32BE(stream, 0);
      head.writeUInt8(last ? FLAG_FIN : 0, 4);
      head.writeUIntBE(bytes.length, 5, 3);
      this.#write(Buffer.concat([head, bytes]));
    });
  }

  async #take(frame: Buffer): Promise<void> {
    const flags = frame.readUInt8(4);
    const body = frame.subarray(8);
    if ((frame.readUInt8(0) & 0x80) === 0) return this.#listener.onData(frame.readUInt32BE(0) & 0x7fffffff, body, (flags & FLAG_FIN) !== 0);
    const type = frame.readUInt16BE(2);
    if (type === SYN_STREAM) {
      const stream = body.readUInt32BE(0) & 0x7fffffff;
      const headers = headersIn(await decompress(this.#inflate, body.subarray(10)));
      this.#listener.onStream(stream, headers);
      if (flags & FLAG_FIN) this.#listener.onData(stream, Buffer.alloc(0), true);
    } else if (type === RST_STREAM) this.#listener.onReset(body.readUInt32BE(0) & 0x7fffffff);
    else if (type === PING) this.#control(PING, body);
    else if (type === GOAWAY) return;
  }

  #control(type: number, body: Buffer): void {
    const head = Buffer.alloc(8);
    head.writeUInt16BE(VERSION, 0);
    head.writeUInt16BE(type, 2);
    head.writeUIntBE(body.length, 5, 3);
    this.#write(Buffer.concat([head, body]));
  }
}

/** A header block: how many, then names and values with their lengths. */
function headersIn(block: Buffer): Record<string, string> {
  const headers: Record<string, string> = {};
  let at = 4;
  const text = (): string => {
    const length = block.readUInt32BE(at);
    at += 4 + length;
    return block.toString('utf8', at - length, at);
  };
  for (let count = block.readUInt32BE(0); count > 0; count--) {
    const name = text().toLowerCase();
    headers[name] = text();
  }
  return headers;
}

function decompress(inflate: Inflate, bytes: Buffer): Promise<Buffer> {
  return pass(inflate, bytes, (done) => inflate.flush(constants.Z_SYNC_FLUSH, done));
}

function compress(deflate: Deflate, bytes: Buffer): Promise<Buffer> {
  return pass(deflate, bytes, (done) => deflate.flush(constants.Z_SYNC_FLUSH, done));
}

function pass(stream: Inflate | Deflate, bytes: Buffer, flush: (done: () => void) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const onData = (chunk: Buffer): void => void chunks.push(chunk);
    stream.on('data', onData);
    stream.once('error', reject);
    stream.write(bytes, () =>
      flush(() => {
        stream.off('data', onData);
        stream.off('error', reject);
        resolve(Buffer.concat(chunks));
      }),
    );
  });
}
