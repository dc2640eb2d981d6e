import { base64ToBytes } from '../api/base64.ts';
import type { UserInfo } from '../api/request.ts';
import type { ClientMessage, ServerMessage, StreamServer } from '../api/streams.ts';
import { upgradeOf } from '../api/upgrade-response.ts';
import type { RawRequest } from '../kubectl/raw-request.ts';
import { invariant } from '../sim/invariant.ts';

/** A request over HTTP, as data. */
export interface HttpInput {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The body in base64, where it is not text. */
  readonly bytes?: string;
  /** Who sends it: the administrator if absent; null: nobody that the door knows, so that a token in the headers decides. */
  readonly user?: UserInfo | null;
  /** Its connection can be taken over, for exec, attach and portforward. */
  readonly upgrade?: boolean;
}

/** What kubectl asks by its path. */
export function inputOf({ user, method, path: url, body }: RawRequest): HttpInput {
  const headers = { accept: 'application/json, */*', ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  return { user, method, url, headers, ...(body === undefined ? {} : { body }) };
}

interface Connection {
  readonly controller: AbortController;
  /** Kept: a request that is garbage no longer tells of its end. */
  readonly request: Request;
  readonly upgrade: boolean;
  /** Nobody need break it any more. */
  readonly release: () => void;
  server?: StreamServer;
  /** What was said before somebody listened; undefined from then on. */
  unheard?: ServerMessage[] | undefined;
  listener?: (message: ServerMessage) => void;
}

/** The connections of those outside: which requests are under way, and who sends them. */
export class HttpEntrance {
  readonly #connections = new Map<number, Connection>();
  readonly #users = new WeakMap<Request, UserInfo>();
  readonly #administrator: UserInfo;
  readonly #register: (close: () => void) => () => void;

  /** @param register lets a connection be broken when kube-apiserver goes down; returns what ends that */
  constructor(administrator: UserInfo, register: (close: () => void) => () => void) {
    this.#administrator = administrator;
    this.#register = register;
  }

  /** Who sends the request; undefined when the door does not know. */
  userOf(request: Request): UserInfo | undefined {
    return this.#users.get(request);
  }

  /** The request as kube-apiserver gets it. The connection stays open until `close`. */
  open(call: number, input: HttpInput): Request {
    const { method, url, headers, bytes, user = this.#administrator } = input;
    // As bytes: of a text the host would say what type it is, which is for the sender to say.
    const body = bytes !== undefined ? base64ToBytes(bytes) : input.body === undefined ? undefined : new TextEncoder().encode(input.body);
    const controller = new AbortController();
    const request = new Request(`http://kube-apiserver${url}`, {
      method,
      headers,
      signal: controller.signal,
      ...(body === undefined ? {} : { body }),
    });
    if (user) this.#users.set(request, user);
    invariant(!this.#connections.has(call), 'a call enters once');
    const release = this.#register(() => this.close(call));
    this.#connections.set(call, { controller, request, upgrade: input.upgrade === true, release });
    return request;
  }

  /** The answer has come: what takes over the connection begins. */
  answered(call: number, response: Response): void {
    const connection = this.#connections.get(call);
    const upgrade = connection?.upgrade && upgradeOf(response);
    if (!connection || !upgrade) return;
    connection.unheard = [];
    connection.server = upgrade((message) => {
      if (connection.listener) connection.listener(message);
      else connection.unheard?.push(message);
    });
  }

  /** Hears what is said on a connection that was taken over, from its beginning. */
  listen(call: number, listener: (message: ServerMessage) => void): void {
    const connection = this.#connections.get(call);
    if (!connection) return;
    connection.listener = listener;
    for (const message of connection.unheard ?? []) listener(message);
    connection.unheard = undefined;
  }

  /** Something is said on a connection that was taken over. */
  receive(call: number, message: ClientMessage): void {
    this.#connections.get(call)?.server?.receive(message);
  }

  /** For a request within another call: it is over when its answer is there. */
  async once(call: number, answer: Promise<Response>): Promise<Response> {
    const response = await answer;
    this.forget(call);
    return response;
  }

  /** The answer has been read to its end. */
  forget(call: number): void {
    this.#connections.get(call)?.release();
    this.#connections.delete(call);
  }

  /** The sender has gone away, or kube-apiserver has. */
  close(call: number): void {
    const connection = this.#connections.get(call);
    this.#connections.delete(call);
    connection?.release();
    connection?.controller.abort();
    connection?.server?.stop();
  }
}
