import { getControllerOf, parseGroupVersion } from '../api/meta.ts';
import { type KubernetesObject, keyOf, type NamespacedName, splitKey } from '../api/object.ts';
import type { Resource } from '../api/resource.ts';
import type { Actor } from '../sim/actor.ts';
import { CachedReader } from './cached-reader.ts';
import type { Client } from './client.ts';
import { runWorkers } from './controller.ts';
import { EventRecorder } from './event-recorder.ts';
import type { EventHandler } from './informer.ts';
import { SharedInformerFactory } from './informer-factory.ts';
import type { RateLimiter } from './rate-limiters.ts';
import { TerminalError } from './terminal-error.ts';
import { RateLimitingQueue } from './workqueue.ts';

/** Which object to look at; nothing about what happened to it. `namespace` is '' for cluster-scoped objects. */
export interface ReconcileRequest {
  readonly namespace: string;
  readonly name: string;
}

/** When to look at the object again, if not only after the next change. */
export interface ReconcileResult {
  /** Look again after this long, in virtual milliseconds. */
  readonly requeueAfterMs?: number;
  /** Nobody waits for that look, e.g. a periodic check: the cluster counts as settled without it. */
  readonly background?: boolean;
}

/** What a reconcile gets to work with. */
export interface ReconcileContext {
  /** Reads and writes of the API itself. */
  readonly client: Client;
  /** Reads of caches: cheap, may be slightly old. */
  readonly reader: CachedReader;
  readonly recorder: EventRecorder;
  /** For the clock (`actor.simulation.wallTime`), for `actor.sleep`, and for chance. */
  readonly actor: Actor;
}

/** Another resource whose objects have to do with ours. */
export interface WatchDefinition<T extends KubernetesObject> {
  readonly resource: Resource<T>;
  /** Which of our objects to look at when this one changes. */
  readonly map: (object: T, reader: CachedReader) => readonly NamespacedName[] | Promise<readonly NamespacedName[]>;
}

/** What a controller looks after and what it does. */
export interface ControllerDefinition<T extends KubernetesObject> {
  /** In the trace, in events, and the controller's user name. */
  readonly name: string;
  /** Each object of this resource is reconciled when it changes. */
  readonly for: Resource<T>;
  /** Leaves out changes of the `for` resource; `before` is absent for what is new. See `generationChanged`. */
  readonly when?: (after: T, before: T | undefined) => boolean;
  /** When an object of these changes, its controlling owner is reconciled. */
  readonly owns?: readonly Resource[];
  /** Made with `watching`. */
  readonly watches?: readonly WatchDefinition<never>[];
  /** How many keys at once; 1 if absent. */
  readonly maxConcurrentReconciles?: number;
  readonly rateLimiter?: (now: () => number) => RateLimiter;
  /** Retry after mistakes in the program (TypeError …) too, as controller-runtime does. By default they end the simulation's run, so that tests show them. */
  readonly recoverPanic?: boolean;
  /** Makes what is so what should be. When it fails it is called again, later each time, unless the error is a `TerminalError`. */
  readonly reconcile: (request: ReconcileRequest, context: ReconcileContext) => Promise<ReconcileResult | undefined> | Promise<void>;
}

/** A controller that a cluster can run. It is started again, from nothing, after each crash. */
export interface UserController {
  readonly name: string;
  readonly start: (options: { readonly actor: Actor; readonly client: Client }) => Promise<void> | void;
}

/**
 * A controller in the spirit of controller-runtime: level-triggered, fed by watches, with one key worked on at a time.
 * Differs: reads of the cache give undefined for what is not there; there is no manager, webhook or leader election around it.
 * @example
 * const greeter = defineController({ name: 'greeter', for: configmaps, reconcile: async (request, { reader }) => { await reader.get(configmaps, request); } });
 */
export function defineController<T extends KubernetesObject>(definition: ControllerDefinition<T>): UserController {
  return { name: definition.name, start: ({ actor, client }) => startController(definition, actor, client) };
}

/** Runs a controller in an actor of its own, as `client`'s user. */
export function runUserController(
  controller: UserController,
  options: { readonly actor: Actor; readonly client: Client },
): Promise<void> | void {
  return controller.start(options);
}

/** An entry of `watches`, with its types checked. */
export function watching<T extends KubernetesObject>(resource: Resource<T>, map: WatchDefinition<T>['map']): WatchDefinition<never> {
  return { resource, map } as unknown as WatchDefinition<never>;
}

/** For `when`: leaves out changes of status and metadata. controller-runtime predicate.GenerationChangedPredicate. */
export function generationChanged(after: KubernetesObject, before: KubernetesObject | undefined): boolean {
  return before === undefined || after.metadata.generation !== before.metadata.generation;
}

async function startController<T extends KubernetesObject>(
  definition: ControllerDefinition<T>,
  actor: Actor,
  client: Client,
): Promise<void> {
  const { simulation } = actor;
  const informers = new SharedInformerFactory(client);
  const reader = new CachedReader(informers);
  const limiter = definition.rateLimiter?.(() => simulation.now);
  const queue = new RateLimitingQueue({ actor, ...(limiter ? { rateLimiter: limiter } : {}) });
  const context: ReconcileContext = { client, reader, recorder: new EventRecorder({ client, component: definition.name }), actor };
  addHandlers(definition, { informers, reader, queue, actor });
  informers.start();
  await informers.waitForCacheSync();
  const { name, maxConcurrentReconciles: workers = 1, recoverPanic: recoverPanics = false } = definition;
  const reconcile = async (key: string): Promise<void> => {
    const result = await definition.reconcile(splitKey(key), context);
    if (result?.requeueAfterMs !== undefined) queue.addAfter(key, result.requeueAfterMs, result.background ? 'background' : 'work');
  };
  const handleError = (key: string, error: unknown): void => {
    if (error instanceof TerminalError) queue.forget(key);
    else queue.addRateLimited(key);
  };
  runWorkers({ actor, name, queue, workers, reconcile, handleError, recoverPanics });
}

interface Wiring {
  readonly informers: SharedInformerFactory;
  readonly reader: CachedReader;
  readonly queue: RateLimitingQueue;
  readonly actor: Actor;
}

function addHandlers<T extends KubernetesObject>(definition: ControllerDefinition<T>, wiring: Wiring): void {
  const { informers, queue } = wiring;
  const { when = () => true } = definition;
  informers.forResource(definition.for).addEventHandler({
    onAdd: (object) => when(object, undefined) && queue.add(keyOf(object)),
    onUpdate: (before, after) => when(after, before) && queue.add(keyOf(after)),
    onDelete: (object) => queue.add(keyOf(object)),
  });
  for (const owned of definition.owns ?? []) {
    const informer = informers.forResource(owned);
    informer.addEventHandler(bothStates((object) => enqueueOwner(object, definition.for as Resource, queue)));
  }
  for (const watch of (definition.watches ?? []) as unknown as readonly WatchDefinition<KubernetesObject>[]) {
    const informer = informers.forResource(watch.resource);
    informer.addEventHandler(bothStates((object) => enqueueMapped(watch, object, wiring)));
  }
}

/** Both states of a changed object matter: it may have belonged to another owner before. */
function bothStates(enqueue: (object: KubernetesObject) => void): EventHandler<KubernetesObject> {
  return {
    onAdd: enqueue,
    onUpdate: (before, after) => {
      enqueue(before);
      enqueue(after);
    },
    onDelete: enqueue,
  };
}

/** controller-runtime pkg/handler EnqueueRequestForOwner with OnlyControllerOwner */
function enqueueOwner(object: KubernetesObject, owner: Resource, queue: RateLimitingQueue): void {
  const reference = getControllerOf(object);
  if (reference?.kind !== owner.kind || parseGroupVersion(reference.apiVersion).group !== owner.group) return;
  const { namespace } = object.metadata;
  queue.add(keyOf({ name: reference.name, ...(owner.namespaced && namespace ? { namespace } : {}) }));
}

/** controller-runtime pkg/handler EnqueueRequestsFromMapFunc */
function enqueueMapped(watch: WatchDefinition<KubernetesObject>, object: KubernetesObject, { reader, queue, actor }: Wiring): void {
  const add = (requests: readonly NamespacedName[]): void => {
    for (const request of requests) queue.add(keyOf(request));
  };
  const requests = watch.map(object, reader);
  if (requests instanceof Promise) actor.schedule(0, async () => add(await requests));
  else add(requests);
}
