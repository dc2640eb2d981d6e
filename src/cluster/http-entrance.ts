import { base64ToBytes } from '../api/base64.ts';
import type { UserInfo } from '../api/request.ts';
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
}

interface Connection {
  readonly controller: AbortController;
  /** Kept: a request that is garbage no longer tells of its end. */
  readonly request: Request;
}

/** The connections of those outside: which requests are under way, and who sends them. */
export class HttpEntrance {
  readonly #connections = new Map<number, Connection>();
  readonly #users = new WeakMap<Request, UserInfo>();
  readonly #administrator: UserInfo;

  constructor(administrator: UserInfo) {
    this.#administrator = administrator;
  }

  /** Who sends the request; undefined when the door does not know. */
  userOf(request: Request): UserInfo | undefined {
    return this.#users.get(request);
  }

  /** The request as kube-apiserver gets it. The connection stays open until `close`. */
  open(call: number, input: HttpInput): Request {
    const { method, url, headers, bytes, user = this.#administrator } = input;
    const body = bytes === undefined ? input.body : base64ToBytes(bytes);
    const controller = new AbortController();
    const request = new Request(`http://kube-apiserver${url}`, {
      method,
      headers,
      signal: controller.signal,
      ...(body === undefined ? {} : { body }),
    });
    if (user) this.#users.set(request, user);
    invariant(!this.#connections.has(call), 'a call enters once');
    this.#connections.set(call, { controller, request });
    return request;
  }

  /** The sender has gone away, or has read its answer to the end. */
  close(call: number): void {
    this.#connections.get(call)?.controller.abort();
    this.#connections.delete(call);
  }
}
