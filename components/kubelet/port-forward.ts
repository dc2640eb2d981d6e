import type { DialFailure, HttpAnswer, PodNetwork } from '../../src/api/cri.ts';
import { statusText } from '../../src/api/http-status.ts';
import type { ServerMessage, Upgrade } from '../../src/api/streams.ts';

const TIMEOUT_MS = 30_000;

interface Target {
  readonly network: PodNetwork;
  readonly host: string;
}

/** A connection that was taken over for portforward: kubelet pkg/cri/streaming/portforward.ServePortForward. Programs in pods speak HTTP, or nothing. */
export function servePortForward(target: Target): Upgrade {
  return (send) => {
    const connections = new Map<number, ForwardedConnection>();
    return {
      receive: (message) => {
        if (message.what === 'open') connections.set(message.connection, new ForwardedConnection(target, message, send));
        else if (message.what === 'data') connections.get(message.connection)?.data(message.bytes);
        else if (message.what === 'close') connections.delete(message.connection);
      },
      stop: () => connections.clear(),
    };
  };
}

/** One connection to a port: the requests in what comes are answered in order. */
class ForwardedConnection {
  readonly #target: Target;
  readonly #port: number;
  readonly #connection: number;
  readonly #send: (message: ServerMessage) => void;
  #received = '';
  #last: Promise<void>;
  #closed = false;

  constructor(
    target: Target,
    { connection, port }: { readonly connection: number; readonly port: number },
    send: (message: ServerMessage) => void,
  ) {
    this.#target = target;
    this.#port = port;
    this.#connection = connection;
    this.#send = send;
    this.#last = this.#dial();
  }

  data(bytes: string): void {
    this.#received += bytes;
    for (let request = this.#takeRequest(); request; request = this.#takeRequest()) {
      const next = request;
      this.#last = this.#last.then(() => this.#answer(next));
    }
  }

  async #dial(): Promise<void> {
    const { network, host } = this.#target;
    const outcome = await network.connect({ host, port: this.#port }, TIMEOUT_MS);
    if (outcome !== 'connected') this.#close(this.#failure(outcome));
  }

  /** A whole request out of what has come. */
  #takeRequest(): { readonly method: string; readonly path: string; readonly headers: Record<string, string> } | undefined {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const [first = '', ...lines] = this.#received.slice(0, end).split('\r\n');
    const [, method = '', path = ''] = /^([A-Z]+) (\S+) HTTP\/1\.[01]$/.exec(first) ?? [];
    if (!method) return undefined;
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const length = end + 4 + Number(headers['content-length'] ?? 0);
    if (this.#received.length < length) return undefined;
    this.#received = this.#received.slice(length);
    return { method, path, headers };
  }

  async #answer({
    method,
    path,
    headers,
  }: {
    readonly method: string;
    readonly path: string;
    readonly headers: Record<string, string>;
  }): Promise<void> {
    if (this.#closed) return;
    const { network, host } = this.#target;
    const answer = await network.http({ method, path, host, port: this.#port, headers }, TIMEOUT_MS);
    if (typeof answer === 'string') return this.#close(this.#failure(answer));
    this.#send({ what: 'data', connection: this.#connection, bytes: httpText(answer, method) });
    if (headers['connection']?.toLowerCase() === 'close') this.#close();
  }

  #failure(outcome: DialFailure): string {
    const why = outcome === 'refused' ? 'connect: connection refused' : 'i/o timeout';
    return `error forwarding port ${this.#port} to pod: failed to connect to localhost:${this.#port} inside namespace, IPv4: dial tcp4 127.0.0.1:${this.#port}: ${why}`;
  }

  #close(error?: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#send({ what: 'close', connection: this.#connection, ...(error ? { error } : {}) });
  }
}

/** An answer as it goes over the wire, one character a byte. */
function httpText({ status, body, headers = {} }: HttpAnswer, method: string): string {
  const bytes = Array.from(new TextEncoder().encode(body), (byte) => String.fromCharCode(byte)).join('');
  const lines = Object.entries({ 'content-type': 'text/plain', ...headers, 'content-length': String(bytes.length) }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `HTTP/1.1 ${status} ${statusText(status)}\r\n${lines.join('\r\n')}\r\n\r\n${method === 'HEAD' ? '' : bytes}`;
}
