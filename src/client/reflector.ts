import type { Status } from '../api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../api/object.ts';
import type { WatchEvent, WatchSink } from '../api/request.ts';
import { ApiStatusError, isExpired, isTooManyRequests } from '../api/status-error.ts';
import type { Priority, Timer } from '../sim/actor.ts';
import { ActorUnavailable } from '../sim/actor-unavailable.ts';
import type { Random } from '../sim/random.ts';
import { Backoff } from './backoff.ts';
import type { ListOptions, ResourceClient } from './client.ts';

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
}

const BACKOFF = { initialMs: 800, factor: 2, maxMs: 30_000, jitter: 1, resetMs: 120_000 };
/** A watch that ends sooner than this without an event counts as failed. */
const SHORTEST_WATCH = 1_000;
const MIN_WATCH_TIMEOUT = 300;
const TOO_LARGE_RESOURCE_VERSION = 'ResourceVersionTooLarge';

/** One opened watch, for the rule about watches that end at once. */
interface OpenWatch {
  readonly openedAt: number;
  events: number;
  over: boolean;
}

/**
 * Lists the objects of one resource, then watches them, for as long as its actor runs: client-go tools/cache Reflector.
 * Differs: one list without pages; the error and retry rules are client-go's.
 */
export class Reflector<T extends KubernetesObject> {
  readonly #client: ResourceClient<T>;
  readonly #target: ReflectorTarget<T>;
  readonly #scope: ReflectorScope;
  readonly #random: Random;
  readonly #backoff: Backoff;
  /** The version that the target shows; '' asks for the newest. */
  #resourceVersion = '0';
  #listed = false;
  /** kube-apiserver became reachable since the present try began. */
  #wasReachable = false;
  #backgroundTry: Timer | undefined;

  constructor(options: ReflectorOptions<T>) {
    this.#client = options.client;
    this.#target = options.target;
    this.#scope = options.scope ?? {};
    const { actor, resource } = options.client;
    const { simulation } = actor;
    this.#random = simulation.random.fork(`reflector/${actor.name}/${resource.group}/${resource.resource}`);
    this.#backoff = new Backoff(BACKOFF, this.#random, () => simulation.now);
  }

  start(): void {
    const { actor, client } = this.#client;
    const { incarnation } = actor;
    const forget = client.onReachable(() => {
      if (actor.incarnation === incarnation) this.#reachable();
      else forget();
    });
    this.#schedule(0);
  }

  #schedule(delayMs: number, priority: Priority = 'work'): Timer {
    const { actor, resource } = this.#client;
    return actor.schedule(delayMs, () => this.#listAndWatch(), { priority, label: `${actor.name} reflector of ${resource.resource}` });
  }

  /**
   * Tries again after the back-off. While kube-apiserver cannot be reached nobody can wait for that, so it is background; from the moment when it can be, the
   * same try is work.
   */
  #retry(error: unknown): void {
    const nobodyWaits = error instanceof ActorUnavailable && !this.#wasReachable;
    const timer = this.#schedule(this.#backoff.next(), nobodyWaits ? 'background' : 'work');
    this.#backgroundTry = nobodyWaits ? timer : undefined;
  }

  #reachable(): void {
    this.#wasReachable = true;
    const timer = this.#backgroundTry;
    this.#backgroundTry = undefined;
    if (!timer) return;
    timer.cancel();
    this.#schedule(timer.due - this.#client.actor.simulation.now);
  }

  async #listAndWatch(): Promise<void> {
    this.#wasReachable = false;
    this.#backgroundTry = undefined;
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
    this.#resourceVersion = list.metadata.resourceVersion ?? '';
    this.#listed = true;
    this.#target.replace(list.items);
  }

  async #watch(): Promise<void> {
    const watch: OpenWatch = { openedAt: this.#client.actor.simulation.now, events: 0, over: false };
    const timeoutSeconds = MIN_WATCH_TIMEOUT + this.#random.integer(MIN_WATCH_TIMEOUT);
    const options = { ...this.#scope, resourceVersion: this.#resourceVersion, allowWatchBookmarks: true, timeoutSeconds };
    const sink: WatchSink = { next: (event) => this.#take(watch, event), end: () => this.#ended(watch) };
    try {
      await this.#client.watch(options, sink);
    } catch (error) {
      this.#rethrowForeign(error);
      watch.over = true;
      this.#watchFailed(error);
    }
  }

  #take(watch: OpenWatch, event: WatchEvent): void {
    if (watch.over) return;
    if (event.type === 'ERROR') {
      watch.over = true;
      this.#watchFailed(new ApiStatusError(event.object as Status));
      return;
    }
    watch.events++;
    const object = event.object as T;
    this.#resourceVersion = object.metadata.resourceVersion ?? this.#resourceVersion;
    if (event.type === 'ADDED') this.#target.added(object);
    else if (event.type === 'MODIFIED') this.#target.modified(object);
    else if (event.type === 'DELETED') this.#target.deleted(object);
  }

  #ended(watch: OpenWatch): void {
    if (watch.over) return;
    watch.over = true;
    const tooShort = watch.events === 0 && this.#client.actor.simulation.now - watch.openedAt < SHORTEST_WATCH;
    if (tooShort) this.#listed = false;
    this.#schedule(tooShort ? this.#backoff.next() : 0);
  }

  #watchFailed(error: unknown): void {
    const watchAgain = isTooManyRequests(error) || (error instanceof ActorUnavailable && error.how === 'refused');
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
