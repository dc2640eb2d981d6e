import type { ReplicaSet } from '../../../src/api/kinds/apps-v1.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { labelSelectorAsSelector } from '../../../src/api/label-selector.ts';
import { newControllerRef } from '../../../src/api/meta.ts';
import { type KubernetesObject, keyOf } from '../../../src/api/object.ts';
import { pods as PODS } from '../../../src/api/resources.ts';
import { isNamespaceTerminating, isNotFound } from '../../../src/api/status-error.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import { UIDTrackingControllerExpectations } from '../../../src/client/expectations.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import { addControllerIndexer, listControlledBy, listOrphans } from '../controller/controller-index.ts';
import { ControllerRefManager, recheckDeletionTimestamp } from '../controller/controller-ref-manager.ts';
import { filterActivePods, findMinNextPodAvailabilityCheck, isPodAvailable } from '../controller/controller-utils.ts';
import { PodControl } from '../controller/pod-control.ts';
import { slowStartBatch } from '../controller/slow-start.ts';
import type { ControllerContext } from '../controller-context.ts';
import { countPods, OwnedPods, type PodCounts } from './owned-pods.ts';
import { addPodHandlers } from './pod-handlers.ts';
import { getPodsToDelete } from './pods-to-delete.ts';
import { REPLICA_SET, type ReplicaSetKind } from './replica-set-kind.ts';
import { calculateStatus, updateReplicaSetStatus, wantedReplicas } from './replica-set-utils.ts';

const SECOND = 1000;
/** At most so many pods are created or deleted in one sync: pkg/controller/replicaset/replica_set.go BurstReplicas */
const BURST_REPLICAS = 500;

/** cmd/kube-controller-manager/app/apps.go startReplicaSetController */
export function startReplicaSetController(context: ControllerContext): void {
  startController(context, REPLICA_SET);
}

/** Starts the controller for a kind that keeps a number of pods. */
export function startController<T extends KubernetesObject>(context: ControllerContext, kind: ReplicaSetKind<T>): void {
  const controller = new ReplicaSetController(context, kind);
  context.onceSynced(() => controller.run(context.config.concurrentSyncs));
}

/** The active pods of one set: counted, and listed only when somebody asks. */
interface ClaimedPods {
  readonly counts: PodCounts;
  list(): readonly Pod[];
}

/** Keeps the number of pods that a set wants: pkg/controller/replicaset/replica_set.go ReplicaSetController */
class ReplicaSetController<T extends KubernetesObject> {
  readonly #context: ControllerContext;
  readonly #kind: ReplicaSetKind<T>;
  readonly #client: ResourceClient<T>;
  readonly #pods: ResourceClient<Pod>;
  readonly #store: Indexer<T>;
  readonly #podStore: Indexer<Pod>;
  readonly #owned: OwnedPods;
  readonly #podControl: PodControl;
  readonly #queue: RateLimitingQueue;
  readonly #expectations: UIDTrackingControllerExpectations;

  constructor(context: ControllerContext, kind: ReplicaSetKind<T>) {
    const { simulation } = context.actor;
    const client = context.clientFor(kind.account);
    const informer = context.informers.forResource(kind.resource);
    const podInformer = context.informers.forResource(PODS);
    addControllerIndexer(podInformer);
    this.#context = context;
    this.#kind = kind;
    this.#client = client.resource(kind.resource);
    this.#pods = client.resource(PODS);
    this.#store = informer.store;
    this.#podStore = podInformer.store;
    this.#owned = new OwnedPods(podInformer.store);
    this.#podControl = new PodControl({ pods: this.#pods, recorder: context.recorderFor(kind.component, kind.account) });
    this.#queue = new RateLimitingQueue({ actor: context.actor });
    this.#expectations = new UIDTrackingControllerExpectations(() => simulation.now);
    informer.addEventHandler({
      onAdd: (object) => this.#queue.add(keyOf(object)),
      onUpdate: (old, object) => {
        if (old.metadata.uid !== object.metadata.uid) this.#deleteReplicaSet(old);
        this.#queue.add(keyOf(object));
      },
      onDelete: (object) => this.#deleteReplicaSet(object),
    });
    addPodHandlers(podInformer, { kind, sets: informer.store, owned: this.#owned, queue: this.#queue, expectations: this.#expectations });
  }

  run(workers: number): void {
    const reconcile = (key: string): Promise<void> => this.#syncReplicaSet(key);
    runWorkers({ actor: this.#context.actor, name: this.#kind.component, queue: this.#queue, workers, reconcile });
  }

  /** pkg/controller/replicaset/replica_set.go deleteRS */
  #deleteReplicaSet(object: T): void {
    this.#expectations.deleteExpectations(keyOf(object));
    this.#owned.forget(this.#kind.asReplicaSet(object));
    this.#queue.add(keyOf(object));
  }

  /** pkg/controller/replicaset/replica_set.go syncReplicaSet */
  async #syncReplicaSet(key: string): Promise<void> {
    const object = this.#store.get(key);
    if (!object) return this.#expectations.deleteExpectations(key);
    const rs = this.#kind.asReplicaSet(object);
    const needsSync = this.#expectations.satisfiedExpectations(key);
    const minReadySeconds = rs.spec?.minReadySeconds ?? 0;
    const claimed = await this.#claimPods(rs, object);
    // Upstream counts before it creates or deletes, too; the counts go on changing with the cache.
    const counts = { ...claimed.counts };
    const pods = minReadySeconds > 0 ? claimed.list() : [];
    const mayManage = needsSync && rs.metadata.deletionTimestamp === undefined;
    const manageError = mayManage ? await this.#manageReplicas(rs, claimed, object) : undefined;
    const now = this.#context.actor.simulation.wallTime;
    const available = minReadySeconds > 0 ? pods.filter((pod) => isPodAvailable(pod, minReadySeconds, now)).length : counts.ready;
    const status = calculateStatus(rs, { counts, available, manageError, now });
    const updated = await updateReplicaSetStatus({ kind: this.#kind, client: this.#client }, rs, status);
    if (manageError !== undefined) throw manageError;
    if (minReadySeconds > 0 && (updated.status?.readyReplicas ?? 0) !== (updated.status?.availableReplicas ?? 0)) {
      const next = findMinNextPodAvailabilityCheck(pods, minReadySeconds, now);
      const elapsed = this.#context.actor.simulation.wallTime - now;
      if (next !== undefined) this.#queue.addAfter(key, Math.max(0, next - elapsed));
      // A pod that does not say since when it is ready never turns available: nobody waits for that.
      else this.#queue.addAfter(key, minReadySeconds * SECOND, 'background');
    }
  }

  /** pkg/controller/replicaset/replica_set.go claimPods */
  async #claimPods(rs: ReplicaSet, object: T): Promise<ClaimedPods> {
    const { uid = '', namespace = '' } = rs.metadata;
    const selector = labelSelectorAsSelector(rs.spec?.selector);
    const counts = this.#owned.countsOf(rs);
    const orphans = filterActivePods(listOrphans(this.#podStore, namespace)).filter((pod) => selector.matches(pod.metadata.labels));
    const owned = (): Pod[] => filterActivePods(listControlledBy(this.#podStore, uid));
    if (orphans.length === 0 && counts.unmatched === 0) return { counts, list: owned };
    const manager = new ControllerRefManager({
      client: this.#pods,
      controller: object,
      controllerRef: this.#controllerRef(rs),
      selector,
      canAdopt: () => recheckDeletionTimestamp(this.#client, object),
    });
    const pods = await manager.claim([...owned(), ...orphans]);
    return { counts: countPods(rs, pods), list: () => pods };
  }

  #controllerRef(rs: ReplicaSet) {
    return newControllerRef(rs, { apiVersion: this.#kind.apiVersion, kind: this.#kind.resource.kind });
  }

  /** Returns what went wrong. pkg/controller/replicaset/replica_set.go manageReplicas */
  async #manageReplicas(rs: ReplicaSet, { counts, list }: ClaimedPods, object: T): Promise<unknown> {
    const wanted = wantedReplicas(rs);
    const surplus = counts.replicas - wanted;
    if (surplus === 0) return undefined;
    const count = Math.min(Math.abs(surplus), BURST_REPLICAS);
    this.#decide(rs, `${wanted} pods wanted, ${counts.replicas} active: ${surplus < 0 ? 'create' : 'delete'} ${count}`);
    return surplus < 0 ? this.#createPods(rs, count, object) : this.#deletePods(rs, this.#podsToDelete(rs, list(), count), object);
  }

  async #createPods(rs: ReplicaSet, count: number, object: T): Promise<unknown> {
    const key = keyOf(rs);
    const request = {
      namespace: rs.metadata.namespace ?? '',
      template: rs.spec?.template ?? {},
      controller: object,
      controllerRef: this.#controllerRef(rs),
    };
    this.#expectations.expectCreations(key, count);
    const { successes, error } = await slowStartBatch(count, async () => {
      try {
        await this.#podControl.createPod(request);
      } catch (failure) {
        // In a namespace that is being deleted there is nothing to try again.
        if (!isNamespaceTerminating(failure)) throw failure;
      }
    });
    for (let skipped = count - successes; skipped > 0; skipped--) this.#expectations.creationObserved(key);
    return error;
  }

  #podsToDelete(rs: ReplicaSet, pods: readonly Pod[], count: number): readonly Pod[] {
    const sets = this.#store.listNamespace(rs.metadata.namespace ?? '').map((object) => this.#kind.asReplicaSet(object));
    return getPodsToDelete({ rs, pods, count, sets, owned: this.#owned, now: this.#context.actor.simulation.wallTime });
  }

  async #deletePods(rs: ReplicaSet, pods: readonly Pod[], object: T): Promise<unknown> {
    const key = keyOf(rs);
    this.#expectations.expectDeletions(key, pods.map(keyOf));
    const errors: unknown[] = [];
    await Promise.all(
      pods.map(async (pod) => {
        try {
          await this.#podControl.deletePod(rs.metadata.namespace ?? '', pod.metadata.name ?? '', object);
        } catch (error) {
          // Nobody will observe this deletion.
          this.#expectations.deletionObserved(key, keyOf(pod));
          if (!isNotFound(error)) errors.push(error);
        }
      }),
    );
    return errors[0];
  }

  #decide(rs: ReplicaSet, message: string): void {
    const { group, resource, kind } = this.#kind.resource;
    const { namespace = '', name = '', uid = '' } = rs.metadata;
    const object = { group, resource, kind, namespace, name, uid };
    this.#context.actor.simulation.recordCause({ kind: 'decision', component: this.#kind.component, object, message });
  }
}
