import type { Status } from '../api/kinds/meta-v1.ts';
import { type KubernetesObject, keyOf } from '../api/object.ts';
import type { WatchEvent, WatchSink } from '../api/request.ts';
import { ApiStatusError, isExpired, isTooManyRequests } from '../api/status-error.ts';
import { ActorUnavailable } from '../sim/actor-unavailable.ts';
import type { Random } from '../sim/random.ts';
import { Backoff } from './backoff.ts';
import type { ListOptions, ResourceClient, WatchOptions } from './client.ts';
import { Reconnect } from './reconnect.ts';

/** What a reflector keeps up to date. */
export interface ReflectorTarget<T extends KubernetesObject> {
  /** These are all objects there are. */
  replace(items: readonly T[]): void;
  added(object: T): void;
  modified(object: T): void;
  deleted(object: T): void;
}

/** Which objects: namespace and selectors. */
export type ReflectorScope = Pick<ListOptions, 'namespace' | 'labelSelector' | 'fieldSelector'>;

export interface ReflectorOptions<T extends KubernetesObject> {
  readonly client: ResourceClient<T>;
  readonly target: ReflectorTarget<T>;
  readonly scope?: ReflectorScope;
  /** Get the first state as events of the watch, not by a list: client-go's feature WatchListClient, which kube-controller-manager switches on. */
  readonly watchList?: boolean;
}

const BACKOFF = { initialMs: 800, factor: 2, maxMs: 30_000, jitter: 1, resetMs: 120_000 };
/** A watch that ends sooner than this without an event counts as failed. */
const SHORTEST_WATCH = 1_000;
const MIN_WATCH_TIMEOUT = 300;
/** After so many failures in a row nobody waits for the next try any more. */
const PATIENCE = 5;
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';
const TOO_LARGE_RESOURCE_VERSION = 'ResourceVersionTooLarge';

/** One opened watch, for the rule about watches that end at once. */
interface OpenWatch<T> {
  readonly openedAt: number;
  /** By key, what the watch has sent of the first state; absent when that is complete. */
  initial?: Map<string, T> | undefined;
  events: number;
  over: boolean;
}

/**
 * Lists the objects of one resource, then watches them, for as long as its actor runs: client-go tools/cache Reflector.
 * Differs: a list comes in one page.
 */
export class Reflector<T extends KubernetesObject> {
  readonly #client: ResourceClient<T>;
  readonly #target: ReflectorTarget<T>;
  readonly #scope: ReflectorScope;
  readonly #random: Random;
  readonly #backoff: Backoff;
  readonly #tries: Reconnect;
  /** The version that the target shows; '' asks for the newest. */
  #resourceVersion = '0';
  #listed = false;
  #watchList: boolean;
  #failures = 0;

  constructor(options: ReflectorOptions<T>) {
    this.#client = options.client;
    this.#target = options.target;
    this.#scope = options.scope ?? {};
    this.#watchList = options.watchList ?? false;
    const { actor, resource } = options.client;
    const { simulation } = actor;
    this.#random = simulation.random.fork(`reflector/${actor.name}/${resource.group}/${resource.resource}`);
    this.#backoff = new Backoff(BACKOFF, this.#random, () => simulation.now);
    const label = `${actor.name} reflector of ${resource.resource}`;
    this.#tries = new Reconnect({ client: options.client.client, label, run: () => this.#listAndWatch() });
  }

  start(): void {
    this.#tries.tryLater(0);
  }

  /** What is refused again and again (no such resource, not allowed) is background after some tries. */
  #retry(error: unknown): void {
    const delay = ++this.#failures > PATIENCE ? 'background' : 'work';
    this.#tries.tryLater(this.#backoff.next(), error instanceof ActorUnavailable ? 'unreachable' : delay);
  }

  async #listAndWatch(): Promise<void> {
    if (!this.#listed && this.#watchList) return this.#watch();
    try {
      if (!this.#listed) await this.#list();
    } catch (error) {
      this.#rethrowForeign(error);
      if (isExpired(error) || isTooLarge(error)) this.#resourceVersion = '';
      return this.#retry(error);
    }
    await this.#watch();
  }

  async #list(): Promise<void> {
    let list: Awaited<ReturnType<ResourceClient<T>['list']>>;
    try {
      list = await this.#client.list({ ...this.#scope, resourceVersion: this.#resourceVersion });
    } catch (error) {
      if (this.#resourceVersion === '' || !(isExpired(error) || isTooLarge(error))) throw error;
      list = await this.#client.list({ ...this.#scope, resourceVersion: '' });
    }
    this.#replace(list.items, list.metadata.resourceVersion);
  }

  #replace(items: readonly T[], resourceVersion: string | undefined): void {
    this.#resourceVersion = resourceVersion ?? '';
    this.#listed = true;
    this.#failures = 0;
    this.#target.replace(items);
  }

  async #watch(): Promise<void> {
    const watch: OpenWatch<T> = { openedAt: this.#client.actor.simulation.now, events: 0, over: false };
    if (!this.#listed) watch.initial = new Map();
    const sink: WatchSink = { next: (event) => this.#take(watch, event), end: () => this.#ended(watch) };
    try {
      await this.#client.watch(this.#watchOptions(), sink);
      if (this.#listed) this.#failures = 0;
    } catch (error) {
      this.#rethrowForeign(error);
      watch.over = true;
      this.#watchFailed(watch, error);
    }
  }

  #watchOptions(): WatchOptions {
    const timeoutSeconds = MIN_WATCH_TIMEOUT + this.#random.integer(MIN_WATCH_TIMEOUT);
    const options = { ...this.#scope, resourceVersion: this.#resourceVersion, allowWatchBookmarks: true, timeoutSeconds };
    if (this.#listed) return options;
    const resourceVersion = this.#resourceVersion === '0' ? '' : this.#resourceVersion;
    return { ...options, resourceVersion, resourceVersionMatch: 'NotOlderThan', sendInitialEvents: true };
  }

  #take(watch: OpenWatch<T>, event: WatchEvent): void {
    if (watch.over) return;
    if (event.type === 'ERROR') {
      watch.over = true;
      this.#watchFailed(watch, new ApiStatusError(event.object as Status));
      return;
    }
    watch.events++;
    const object = event.object as T;
    if (watch.initial) {
      this.#takeInitial(watch, watch.initial, event);
      return;
    }
    this.#resourceVersion = object.metadata.resourceVersion ?? this.#resourceVersion;
    if (event.type === 'ADDED') this.#target.added(object);
    else if (event.type === 'MODIFIED') this.#target.modified(object);
    else if (event.type === 'DELETED') this.#target.deleted(object);
  }

  /** client-go tools/cache Reflector.watchList: the state is complete with the bookmark that says so; the watch goes on. */
  #takeInitial(watch: OpenWatch<T>, initial: Map<string, T>, event: WatchEvent): void {
    const object = event.object as T;
    if (event.type === 'DELETED') initial.delete(keyOf(object));
    else if (event.type !== 'BOOKMARK') initial.set(keyOf(object), object);
    else if (object.metadata.annotations?.[INITIAL_EVENTS_END] === 'true') {
      watch.initial = undefined;
      this.#replace([...initial.values()], object.metadata.resourceVersion);
    }
  }

  #ended(watch: OpenWatch<T>): void {
    if (watch.over) return;
    watch.over = true;
    const tooShort = watch.events === 0 && this.#client.actor.simulation.now - watch.openedAt < SHORTEST_WATCH;
    if (tooShort) this.#listed = false;
    this.#tries.tryLater(tooShort ? this.#backoff.next() : 0);
  }

  #watchFailed(watch: OpenWatch<T>, error: unknown): void {
    const watchAgain = isTooManyRequests(error) || (error instanceof ActorUnavailable && error.how === 'refused');
    if (!watchAgain && watch.initial && error instanceof ApiStatusError) {
      this.#watchList = false;
      this.#tries.tryLater(0);
      return;
    }
    if (!watchAgain) this.#listed = false;
    this.#retry(error);
  }

  /** Mistakes in what handles the objects are not failures of the connection. */
  #rethrowForeign(error: unknown): void {
    if (!(error instanceof ApiStatusError) && !(error instanceof ActorUnavailable)) throw error;
  }
}

function isTooLarge(error: unknown): boolean {
  return (
    error instanceof ApiStatusError && (error.status.details?.causes ?? []).some((cause) => cause.reason === TOO_LARGE_RESOURCE_VERSION)
  );
}
