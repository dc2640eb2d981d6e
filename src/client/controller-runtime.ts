import type { KubernetesObject, NamespacedName } from '../api/object.ts';
import { splitKey } from '../api/object.ts';
import type { Resource } from '../api/resource.ts';
import type { Actor } from '../sim/actor.ts';
import { CachedReader } from './cached-reader.ts';
import type { Client } from './client.ts';
import { runWorkers } from './controller.ts';
import { EventRecorder } from './event-recorder.ts';
import { addWatches } from './event-sources.ts';
import { SharedInformerFactory } from './informer-factory.ts';
import type { Predicate } from './predicates.ts';
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
  /** Leaves out changes. */
  readonly when?: Predicate<T>;
}

/** A resource whose objects belong to ours. */
export interface OwnedDefinition {
  readonly resource: Resource;
  /** Leaves out changes. */
  readonly when: Predicate;
}

/** What a controller looks after and what it does. */
export interface ControllerDefinition<T extends KubernetesObject> {
  /** In the trace, in events, and the controller's user name. */
  readonly name: string;
  /** The source of its events. `name` if absent. */
  readonly eventSource?: string;
  /** Each object of this resource is reconciled when it changes. */
  readonly for: Resource<T>;
  /** Leaves out changes of the `for` resource; `before` is absent for what is new. See `generationChanged`. */
  readonly when?: Predicate<T>;
  /** When an object of these changes, its controlling owner is reconciled. */
  readonly owns?: readonly (Resource | OwnedDefinition)[];
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

/** A program of the user's that a cluster can run. It is started again, from nothing, after each crash. */
export interface UserController {
  readonly name: string;
  readonly start: (options: { readonly actor: Actor; readonly client: Client }) => Promise<void> | void;
}

/** What the controllers of one process share. */
export interface ControllerHost {
  readonly actor: Actor;
  readonly client: Client;
  /** The caches. */
  readonly informers: SharedInformerFactory;
  /** Takes what ends the work of a controller, when the process is asked to end. */
  readonly onStop?: (stop: () => void) => void;
}

/** A controller that runs alone, or with others in a process: see `defineManager`. */
export interface Controller extends UserController {
  /** Begins to watch and to work; resolves when its caches are filled. */
  readonly startIn: (host: ControllerHost) => Promise<void>;
}

/**
 * A controller in the spirit of controller-runtime: level-triggered, fed by watches, with one key worked on at a time.
 * Differs: reads of the cache give undefined for what is not there.
 * @example
 * const greeter = defineController({ name: 'greeter', for: configmaps, reconcile: async (request, { reader }) => { await reader.get(configmaps, request); } });
 */
export function defineController<T extends KubernetesObject>(definition: ControllerDefinition<T>): Controller {
  const startIn = (host: ControllerHost): Promise<void> => startController(definition, host);
  return {
    name: definition.name,
    startIn,
    start: ({ actor, client }) => startIn({ actor, client, informers: new SharedInformerFactory(client) }),
  };
}

/** Runs a controller in an actor of its own, as `client`'s user. */
export function runUserController(
  controller: UserController,
  options: { readonly actor: Actor; readonly client: Client },
): Promise<void> | void {
  return controller.start(options);
}

/** An entry of `watches`, with its types checked. controller-runtime builder.Watches with handler.EnqueueRequestsFromMapFunc */
export function watching<T extends KubernetesObject>(
  resource: Resource<T>,
  map: WatchDefinition<T>['map'],
  when?: Predicate<T>,
): WatchDefinition<never> {
  return { resource, map, ...(when ? { when } : {}) } as unknown as WatchDefinition<never>;
}

/** An entry of `owns` that leaves out changes. controller-runtime builder.Owns with builder.WithPredicates */
export function owning<T extends KubernetesObject>(resource: Resource<T>, when: Predicate<T>): OwnedDefinition {
  return { resource: resource as Resource, when: when as Predicate };
}

/** controller-runtime pkg/internal/controller Controller.Start */
async function startController<T extends KubernetesObject>(
  definition: ControllerDefinition<T>,
  { actor, client, informers, onStop }: ControllerHost,
): Promise<void> {
  const { simulation } = actor;
  const reader = new CachedReader(informers);
  const limiter = definition.rateLimiter?.(() => simulation.now);
  const queue = new RateLimitingQueue({ actor, ...(limiter ? { rateLimiter: limiter } : {}) });
  const { name, eventSource = name, maxConcurrentReconciles: workers = 1, recoverPanic: recoverPanics = false } = definition;
  const context: ReconcileContext = { client, reader, recorder: new EventRecorder({ client, component: eventSource }), actor };
  onStop?.(() => queue.shutDown());
  addWatches(definition, { informers, reader, queue, actor });
  informers.start();
  await informers.waitForCacheSync();
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
