import { getControllerOf, parseGroupVersion } from '../api/meta.ts';
import { type KubernetesObject, keyOf, type NamespacedName } from '../api/object.ts';
import type { Resource } from '../api/resource.ts';
import type { Actor } from '../sim/actor.ts';
import type { CachedReader } from './cached-reader.ts';
import type { ControllerDefinition, OwnedDefinition, WatchDefinition } from './controller-runtime.ts';
import type { EventHandler } from './informer.ts';
import type { SharedInformerFactory } from './informer-factory.ts';
import { always, type Predicate } from './predicates.ts';
import type { RateLimitingQueue } from './workqueue.ts';

/** Where changes come from, and where the keys go. */
interface Wiring {
  readonly informers: SharedInformerFactory;
  readonly reader: CachedReader;
  readonly queue: RateLimitingQueue;
  readonly actor: Actor;
}

/** Leads changes of what a controller is for, of what it owns and of what else it watches to its queue. controller-runtime pkg/builder Builder.doWatch */
export function addWatches<T extends KubernetesObject>(definition: ControllerDefinition<T>, wiring: Wiring): void {
  const { informers, queue } = wiring;
  const { when = always } = definition;
  informers.forResource(definition.for).addEventHandler({
    onAdd: (object) => when(object, undefined) && queue.add(keyOf(object)),
    onUpdate: (before, after) => when(after, before) && queue.add(keyOf(after)),
    onDelete: (object) => queue.add(keyOf(object)),
  });
  for (const owned of (definition.owns ?? []).map(ownedDefinition))
    informers
      .forResource(owned.resource)
      .addEventHandler(bothStates(owned.when, (object) => enqueueOwner(object, definition.for as Resource, queue)));
  for (const watch of (definition.watches ?? []) as unknown as readonly WatchDefinition<KubernetesObject>[])
    informers
      .forResource(watch.resource)
      .addEventHandler(bothStates(watch.when ?? always, (object) => enqueueMapped(watch, object, wiring)));
}

function ownedDefinition(owned: Resource | OwnedDefinition): OwnedDefinition {
  return 'when' in owned ? owned : { resource: owned, when: always };
}

/** Both states of a changed object matter: it may have belonged to another owner before. */
function bothStates(when: Predicate, enqueue: (object: KubernetesObject) => void): EventHandler<KubernetesObject> {
  return {
    onAdd: (object) => when(object, undefined) && enqueue(object),
    onUpdate: (before, after) => {
      if (!when(after, before)) return;
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
