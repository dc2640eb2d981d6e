import { type KubernetesObject, keyOf } from '../api/object.ts';
import type { ResourceClient } from './client.ts';
import { type Indexer, type IndexFunction, ObjectIndexer } from './indexer.ts';
import { Reflector, type ReflectorScope, type ReflectorTarget } from './reflector.ts';

/** Told of changes in order, each after the cache shows it: client-go tools/cache ResourceEventHandler. */
export interface EventHandler<T extends KubernetesObject> {
  /** @param isInInitialList the object was there when the handler was added or the cache was first filled */
  onAdd?(object: T, isInInitialList: boolean): void;
  /** After a list anew it is called for every object, also for unchanged ones. The two may be different objects (other UIDs) of one name. */
  onUpdate?(oldObject: T, newObject: T): void;
  /** @param lastState the last state that is known; an older one than the object had when the deletion itself was missed */
  onDelete?(lastState: T): void;
}

/** What an informer keeps in its cache. */
export interface SharedInformerOptions<T extends KubernetesObject> {
  readonly client: ResourceClient<T>;
  /** Only these objects. */
  readonly list?: ReflectorScope;
  readonly indexers?: Readonly<Record<string, IndexFunction<T>>>;
  /** Get the first state by the watch itself, as kube-controller-manager does. */
  readonly watchList?: boolean;
}

/**
 * A cache of the objects of one resource that follows the API, and tells its handlers of each change: client-go tools/cache SharedIndexInformer.
 * Differs: handlers run one after another in the delivery of the change, not each in a thread of its own.
 * @example const informer = new SharedInformer({ client: client.resource(pods) }); informer.addEventHandler({ onAdd: (pod) => queue.add(keyOf(pod)) }); informer.start();
 */
export class SharedInformer<T extends KubernetesObject> {
  readonly client: ResourceClient<T>;
  readonly #store: ObjectIndexer<T>;
  readonly #handlers: EventHandler<T>[] = [];
  readonly #scope: ReflectorScope;
  readonly #watchList: boolean;
  #waiting: (() => void)[] = [];
  #started = false;
  #synced = false;

  constructor(options: SharedInformerOptions<T>) {
    this.client = options.client;
    this.#store = new ObjectIndexer(options.indexers);
    this.#scope = options.list ?? {};
    this.#watchList = options.watchList ?? false;
  }

  get store(): Indexer<T> {
    return this.#store;
  }

  /** The first list has been delivered to the handlers. */
  get hasSynced(): boolean {
    return this.#synced;
  }

  addIndexers(indexers: Readonly<Record<string, IndexFunction<T>>>): void {
    this.#store.addIndexers(indexers);
  }

  /**
   * Adds a handler; it hears of objects that are in the cache already at once.
   * @param options.resyncMs tell the handler of every object anew (an update with itself) at this interval
   */
  addEventHandler(handler: EventHandler<T>, options: { readonly resyncMs?: number } = {}): void {
    this.#handlers.push(handler);
    if (options.resyncMs) this.#resync(handler, options.resyncMs);
    if (!this.#synced) return;
    for (const object of this.#store.list()) handler.onAdd?.(object, true);
  }

  /** Begins to list and watch; does nothing when it has begun already. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    const target: ReflectorTarget<T> = {
      replace: (items) => this.#replace(items),
      added: (object) => this.#put(object, false),
      modified: (object) => this.#put(object, false),
      deleted: (object) => this.#delete(keyOf(object), object),
    };
    new Reflector({ client: this.client, target, scope: this.#scope, watchList: this.#watchList }).start();
  }

  waitForSync(): Promise<void> {
    return this.#synced ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  #replace(items: readonly T[]): void {
    const initial = !this.#synced;
    if (this.#store.size > 0) this.#deleteAllBut(items);
    for (const item of items) this.#put(item, initial);
    if (!initial) return;
    this.#synced = true;
    const { simulation } = this.client.actor;
    for (const resolve of this.#waiting) simulation.resolve(resolve, undefined);
    this.#waiting = [];
  }

  #deleteAllBut(items: readonly T[]): void {
    const kept = new Set(items.map((item) => keyOf(item)));
    for (const key of [...this.#store.keys()]) {
      const lastState = kept.has(key) ? undefined : this.#store.get(key);
      if (lastState) this.#delete(key, lastState);
    }
  }

  #put(object: T, isInInitialList: boolean): void {
    const before = this.#store.put(object);
    for (const handler of this.#handlers) {
      if (before) handler.onUpdate?.(before, object);
      else handler.onAdd?.(object, isInInitialList);
    }
  }

  #delete(key: string, lastState: T): void {
    if (!this.#store.delete(key)) return;
    for (const handler of this.#handlers) handler.onDelete?.(lastState);
  }

  #resync(handler: EventHandler<T>, resyncMs: number): void {
    const { actor, resource } = this.client;
    const run = (): void => {
      for (const object of this.#store.list()) handler.onUpdate?.(object, object);
      this.#resync(handler, resyncMs);
    };
    actor.schedule(resyncMs, run, { priority: 'background', label: `${actor.name} resync of ${resource.resource}` });
  }
}
