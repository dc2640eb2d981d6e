import { type KubernetesObject, keyOf, splitKey } from '../../src/api/object.ts';
import type { Outbound } from '../../src/api/outbound.ts';
import type { Resource } from '../../src/api/resource.ts';
import type { Client } from '../../src/client/client.ts';
import { runWorkers } from '../../src/client/controller.ts';
import type { EventRecorder } from '../../src/client/event-recorder.ts';
import type { SharedInformerFactory } from '../../src/client/informer-factory.ts';
import { RateLimitingQueue } from '../../src/client/workqueue.ts';
import type { Actor } from '../../src/sim/actor.ts';

/** What the controllers of a metacontroller share. */
export interface MetacontrollerContext {
  readonly actor: Actor;
  readonly client: Client;
  readonly informers: SharedInformerFactory;
  readonly recorder: EventRecorder;
  /** How hooks are reached. */
  readonly fetch: Outbound;
}

const WORKERS = 5;

interface ParentQueueOptions {
  readonly context: MetacontrollerContext;
  /** In the trace. */
  readonly name: string;
  /** Whose objects are looked after. */
  readonly parents: readonly Resource[];
  readonly resyncPeriodSeconds?: number | undefined;
  readonly sync: (parent: KubernetesObject, resource: Resource) => Promise<{ readonly resyncAfterSeconds?: number } | undefined>;
}

/** The work queue of one controller over its parents. It ends when the controller is stopped; its caches stay, for others may use them. */
export class ParentQueue {
  readonly #options: ParentQueueOptions;
  readonly #queue: RateLimitingQueue;
  #stopped = false;

  constructor(options: ParentQueueOptions) {
    this.#options = options;
    this.#queue = new RateLimitingQueue({ actor: options.context.actor });
  }

  /** Begins to work when all caches are filled. */
  async start(): Promise<void> {
    const { context, name, parents, resyncPeriodSeconds } = this.#options;
    const { actor, informers } = context;
    parents.forEach((resource, index) => {
      informers.forResource(resource).addEventHandler(
        {
          onAdd: (parent) => this.#add(index, parent),
          onUpdate: (_, parent) => this.#add(index, parent),
          onDelete: (parent) => this.#add(index, parent),
        },
        resyncPeriodSeconds ? { resyncMs: resyncPeriodSeconds * 1000 } : {},
      );
    });
    informers.start();
    await informers.waitForCacheSync();
    runWorkers({ actor, name, queue: this.#queue, workers: WORKERS, reconcile: (key) => this.#reconcile(key) });
  }

  /** The parent is to be looked at. */
  add(resource: Resource, at: { readonly namespace?: string | undefined; readonly name: string }): void {
    const index = this.#options.parents.indexOf(resource);
    if (!this.#stopped) this.#queue.add(`${index}:${keyOf(at.namespace ? { namespace: at.namespace, name: at.name } : { name: at.name })}`);
  }

  stop(): void {
    this.#stopped = true;
  }

  #add(index: number, parent: KubernetesObject): void {
    if (!this.#stopped) this.#queue.add(`${index}:${keyOf(parent)}`);
  }

  async #reconcile(key: string): Promise<void> {
    if (this.#stopped) return;
    const { parents, context, sync } = this.#options;
    const resource = parents[Number(key.slice(0, key.indexOf(':')))];
    const { namespace, name } = splitKey(key.slice(key.indexOf(':') + 1));
    const parent = resource && context.informers.forResource(resource).store.get(namespace ? `${namespace}/${name}` : name);
    if (!parent || !resource) return;
    const result = await sync(parent, resource).catch((error: unknown) => {
      context.recorder.event(parent, 'Warning', 'SyncError', `Sync error: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    });
    if (result?.resyncAfterSeconds) this.#queue.addAfter(key, result.resyncAfterSeconds * 1000, 'background');
  }
}
