import type { Namespace } from '../../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../../src/api/object.ts';
import { namespaces } from '../../../src/api/resources.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import { BucketRateLimiter, ItemExponentialFailureRateLimiter, MaxOfRateLimiter } from '../../../src/client/rate-limiters.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import type { ControllerContext } from '../controller-context.ts';
import { NamespacedResourcesDeleter } from './deletion/namespaced-resources-deleter.ts';
import { ResourcesRemainingError } from './deletion/resources-remaining-error.ts';

/** Caches of admission may lag behind: what they let in after the deletion is found in the pass that follows this delay. */
const NAMESPACE_DELETION_GRACE_PERIOD_MS = 5_000;
const WORKERS = 10;

/** Deletes what is in a namespace that is being deleted. pkg/controller/namespace/namespace_controller.go NamespaceController */
class NamespaceController {
  readonly #actor: Actor;
  readonly #deleter: NamespacedResourcesDeleter;
  readonly #queue: RateLimitingQueue;
  /** What the last pass over a namespace left, to tell a namespace that goes on from one that is stuck. */
  readonly #left = new Map<string, string>();

  constructor(context: ControllerContext) {
    const { actor, informers } = context;
    const now = (): number => actor.simulation.now;
    const rateLimiter = new MaxOfRateLimiter([
      new ItemExponentialFailureRateLimiter(5, 60_000),
      new BucketRateLimiter({ qps: 10, burst: 100, now }),
    ]);
    this.#actor = actor;
    this.#deleter = new NamespacedResourcesDeleter(context.clientFor('namespace-controller'));
    this.#queue = new RateLimitingQueue({ actor, rateLimiter });
    const store = informers.forResource(namespaces).store;
    const enqueue = (namespace: Namespace, before?: Namespace): void => {
      if (!namespace.metadata.deletionTimestamp) return;
      // One that was being deleted before is in the queue already, or waits for others: nobody needs to wait for one more look.
      const priority = before?.metadata.deletionTimestamp ? 'background' : 'work';
      this.#queue.addAfter(keyOf(namespace), NAMESPACE_DELETION_GRACE_PERIOD_MS, priority);
    };
    informers.forResource(namespaces).addEventHandler({
      onAdd: (namespace) => enqueue(namespace),
      onUpdate: (before, namespace) => enqueue(namespace, before),
      onDelete: (namespace) => this.#left.delete(keyOf(namespace)),
    });
    context.onceSynced(() => {
      const reconcile = (key: string): Promise<void> | void => (store.get(key) ? this.#deleter.delete(key) : undefined);
      runWorkers({
        actor,
        name: 'namespace-controller',
        queue: this.#queue,
        workers: WORKERS,
        reconcile,
        handleError: (key, error) => this.#handleError(key, error),
      });
    });
  }

  #handleError(key: string, error: unknown): void {
    if (!(error instanceof ResourcesRemainingError)) {
      this.#queue.addRateLimited(key);
      return;
    }
    const delayMs = (Math.floor(error.estimateSeconds / 2) + 1) * 1_000;
    // A namespace of which nothing has gone since the last pass waits for somebody else: nobody needs to wait for this controller.
    const stuck = this.#left.get(key) === error.left;
    this.#left.set(key, error.left);
    this.#actor.simulation.trace.record({
      kind: 'decision',
      component: 'namespace-controller',
      object: { group: '', resource: 'namespaces', kind: 'Namespace', name: key },
      message: `Namespace ${key} cannot go yet: ${error.left} left in it; looking again in ${delayMs / 1_000} s`,
    });
    this.#queue.addAfter(key, delayMs, stuck ? 'background' : 'work');
  }
}

/** cmd/kube-controller-manager/app/core.go startNamespaceController */
export function startNamespaceController(context: ControllerContext): void {
  new NamespaceController(context);
}
