import type { Status } from '../api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../api/object.ts';
import type { ApiRequest, ApiResponse, RequestInfo, UserInfo, WatchSink } from '../api/request.ts';
import type { Resource } from '../api/resource.ts';
import type { Actor } from '../sim/actor.ts';
import type { TraceEvent } from '../sim/trace.ts';
import { TokenBucket } from './rate-limiters.ts';
import { type ResourceClient, TypedResourceClient } from './resource-client.ts';
import { retryAfterOf } from './response-error.ts';
import type { Transport, WatchHandle } from './transport.ts';

export type {
  ListOptions,
  PatchOptions,
  PatchType,
  RequestOptions,
  ResourceClient,
  WatchOptions,
  WriteOptions,
} from './resource-client.ts';

/** client-go rest Request.maxRetries */
const MAX_RETRIES = 10;

/** Requests per second, and how many may be made at once after a pause: client-go rest Config QPS and Burst. */
export interface RateLimit {
  readonly qps: number;
  readonly burst: number;
}

export interface ClientOptions {
  readonly actor: Actor;
  readonly transport: Transport;
  readonly user: UserInfo;
  /** The actor's name if absent. */
  readonly userAgent?: string;
  /** None if absent. Each client made by `as` has a limit of its own. */
  readonly rateLimit?: RateLimit;
  /** Told of each text that the server warns with. client-go rest Config.WarningHandler */
  readonly onWarning?: (text: string) => void;
}

/**
 * A client of the API on behalf of one user, for code that runs in an actor. client-go's clientset, without code generation.
 * All methods reject with `ApiStatusError` when the server refuses, and with `ActorUnavailable` when it cannot be reached.
 * @example const pod = await client.resource(pods).get({ namespace: 'default', name: 'web' });
 */
export class Client {
  readonly actor: Actor;
  readonly user: UserInfo;
  readonly userAgent: string;
  readonly #transport: Transport;
  readonly #rateLimit: RateLimit | undefined;
  readonly #onWarning: ((text: string) => void) | undefined;
  readonly #bucket: TokenBucket | undefined;
  readonly #resources = new Map<Resource, ResourceClient<KubernetesObject>>();

  constructor(options: ClientOptions) {
    this.actor = options.actor;
    this.user = options.user;
    this.userAgent = options.userAgent ?? options.actor.name;
    this.#transport = options.transport;
    this.#rateLimit = options.rateLimit;
    this.#onWarning = options.onWarning;
    const { simulation } = options.actor;
    this.#bucket = options.rateLimit ? new TokenBucket({ ...options.rateLimit, now: () => simulation.now }) : undefined;
  }

  /** The same way to the server, as another user: a controller with an account of its own. */
  as(user: UserInfo, userAgent = this.userAgent): Client {
    return this.#with({ user, userAgent });
  }

  /** The same, but somebody hears of the server's warnings. */
  heeding(onWarning: (text: string) => void): Client {
    return this.#with({ onWarning });
  }

  #with(others: Partial<ClientOptions>): Client {
    const { actor, user, userAgent } = this;
    return new Client({
      actor,
      user,
      userAgent,
      transport: this.#transport,
      ...(this.#rateLimit ? { rateLimit: this.#rateLimit } : {}),
      ...(this.#onWarning ? { onWarning: this.#onWarning } : {}),
      ...others,
    });
  }

  resource<T extends KubernetesObject>(resource: Resource<T>): ResourceClient<T> {
    let client = this.#resources.get(resource as Resource);
    if (!client) {
      client = new TypedResourceClient<T>(this, resource) as unknown as ResourceClient<KubernetesObject>;
      this.#resources.set(resource as Resource, client);
    }
    return client as unknown as ResourceClient<T>;
  }

  /** Sends a request as it is; resolves with any answer, refusals included. Waits and tries again when kube-apiserver asks for that (rest.Request). */
  async send(request: Pick<ApiRequest, 'info' | 'query' | 'repeated' | 'headers' | 'body' | 'background'>): Promise<ApiResponse> {
    const priority = request.background ? 'background' : 'work';
    for (let retries = 0; ; retries++) {
      const delay = this.#bucket?.reserve() ?? 0;
      if (delay > 0) await this.actor.sleep(delay, priority);
      const response = await this.#transport.request(this.#complete(request));
      const seconds = retries < MAX_RETRIES ? retryAfterSeconds(response) : 0;
      if (!seconds) return this.#heed(response);
      await this.actor.sleep(seconds * 1000, priority);
    }
  }

  /** Opens a watch; resolves with the answer and, if it is 200, a handle. Tries again as `send` does. */
  async openWatch(
    request: Pick<ApiRequest, 'info' | 'query' | 'headers' | 'background'>,
    sink: WatchSink,
  ): Promise<{ response: ApiResponse; handle: WatchHandle }> {
    for (let retries = 0; ; retries++) {
      const opened = await this.#transport.watch(this.#complete(request), sink);
      const seconds = retries < MAX_RETRIES ? retryAfterSeconds(opened.response) : 0;
      if (!seconds) {
        this.#heed(opened.response);
        return opened;
      }
      await this.actor.sleep(seconds * 1000, request.background ? 'background' : 'work');
    }
  }

  #heed(response: ApiResponse): ApiResponse {
    if (this.#onWarning) for (const text of response.warnings ?? []) this.#onWarning(text);
    return response;
  }

  /** Calls `listener` each time when the way to kube-apiserver, or kube-apiserver itself, is back; returns a function that ends it. */
  onReachable(listener: () => void): () => void {
    return this.#transport.onReachable(listener);
  }

  #complete(request: Pick<ApiRequest, 'info' | 'query' | 'repeated' | 'headers' | 'body' | 'background'>): ApiRequest {
    const { trace } = this.actor.simulation;
    const traced = trace.record(trace.recording ? this.#described(request.info) : undefined);
    return { ...request, headers: { userAgent: this.userAgent, ...request.headers }, user: this.user, traced };
  }

  #described(info: RequestInfo): TraceEvent {
    return {
      kind: 'request',
      verb: info.verb,
      user: this.user.username,
      object: {
        group: info.group,
        resource: info.resource,
        kind: '',
        ...(info.namespace ? { namespace: info.namespace } : {}),
        name: info.name,
      },
      ...(info.subresource ? { subresource: info.subresource } : {}),
    };
  }
}

/** client-go rest with_retry.go: 429 and server errors that say when to come again. */
function retryAfterSeconds({ code, body, headers }: ApiResponse): number {
  if (code !== 429 && code < 500) return 0;
  return retryAfterOf(headers) ?? (body as Partial<Status> | undefined)?.details?.retryAfterSeconds ?? 0;
}
