import { semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { StatefulSet } from '../../../src/api/kinds/apps-v1.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { OwnerReference } from '../../../src/api/kinds/meta-v1.ts';
import { labelSelectorAsSelector } from '../../../src/api/label-selector.ts';
import { getControllerOf, newControllerRef } from '../../../src/api/meta.ts';
import { keyOf } from '../../../src/api/object.ts';
import { controllerrevisions, pods as PODS, persistentvolumeclaims, statefulsets } from '../../../src/api/resources.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import { addControllerIndexer, listControlledBy, listOrphans } from '../controller/controller-index.ts';
import { ControllerRefManager, recheckDeletionTimestamp } from '../controller/controller-ref-manager.ts';
import { findMinNextPodAvailabilityCheck, isPodReady } from '../controller/controller-utils.ts';
import type { ControllerContext } from '../controller-context.ts';
import { StatefulPodControl } from './stateful-pod-control.ts';
import { StatefulSetControl } from './stateful-set-control.ts';
import { isMemberOf, minReadySecondsOf, replicasOf, STATEFUL_SET } from './stateful-set-utils.ts';

const NAME = 'statefulset-controller';
const SECOND = 1000;

/** cmd/kube-controller-manager/app/apps.go startStatefulSetController */
export function startStatefulSetController(context: ControllerContext): void {
  const controller = new StatefulSetController(context);
  context.onceSynced(() => controller.run(context.config.concurrentSyncs));
}

/** Gives pods names that last, and replaces them in order: pkg/controller/statefulset/stateful_set.go StatefulSetController */
class StatefulSetController {
  readonly #context: ControllerContext;
  readonly #queue: RateLimitingQueue;
  readonly #sets: ResourceClient<StatefulSet>;
  readonly #setLister: Indexer<StatefulSet>;
  readonly #pods: ResourceClient<Pod>;
  readonly #podLister: Indexer<Pod>;
  readonly #control: StatefulSetControl;

  constructor(context: ControllerContext) {
    const { actor, informers } = context;
    const client = context.clientFor(NAME);
    const setInformer = informers.forResource(statefulsets);
    const podInformer = informers.forResource(PODS);
    addControllerIndexer(podInformer);
    this.#context = context;
    this.#queue = new RateLimitingQueue({ actor });
    this.#sets = client.resource(statefulsets);
    this.#setLister = setInformer.store;
    this.#pods = client.resource(PODS);
    this.#podLister = podInformer.store;
    this.#control = new StatefulSetControl({
      simulation: actor.simulation,
      podControl: new StatefulPodControl({
        pods: this.#pods,
        podLister: podInformer.store,
        claims: client.resource(persistentvolumeclaims),
        claimLister: informers.forResource(persistentvolumeclaims).store,
        recorder: context.recorderFor(NAME),
      }),
      sets: this.#sets,
      setLister: setInformer.store,
      revisions: client.resource(controllerrevisions),
      revisionLister: informers.forResource(controllerrevisions).store,
    });
    setInformer.addEventHandler({
      onAdd: (set) => this.#enqueue(set),
      onUpdate: (_, set) => this.#enqueue(set),
      onDelete: (set) => this.#enqueue(set),
    });
    podInformer.addEventHandler({
      onAdd: (pod) => this.#addPod(pod),
      onUpdate: (old, pod) => this.#updatePod(old, pod),
      onDelete: (pod) => this.#deletePod(pod),
    });
  }

  run(workers: number): void {
    runWorkers({ actor: this.#context.actor, name: NAME, queue: this.#queue, workers, reconcile: (key) => this.#sync(key) });
  }

  #enqueue(set: StatefulSet | undefined): void {
    if (set) this.#queue.add(keyOf(set));
  }

  /** pkg/controller/statefulset/stateful_set.go addPod */
  #addPod(pod: Pod): void {
    if (pod.metadata.deletionTimestamp !== undefined || getControllerOf(pod)) this.#deletePod(pod);
    else this.#enqueueMatching(pod);
  }

  /** pkg/controller/statefulset/stateful_set.go updatePod */
  #updatePod(old: Pod, pod: Pod): void {
    if (old.metadata.resourceVersion === pod.metadata.resourceVersion) return;
    const [reference, oldReference] = [getControllerOf(pod), getControllerOf(old)];
    const refChanged = reference?.uid !== oldReference?.uid;
    if (refChanged && oldReference) this.#enqueue(this.#resolveControllerRef(old, oldReference));
    if (!reference) {
      if (refChanged || !semanticDeepEqual(old.metadata.labels, pod.metadata.labels)) this.#enqueueMatching(pod);
      return;
    }
    const set = this.#resolveControllerRef(pod, reference);
    if (!set) return;
    this.#enqueue(set);
    const minReadySeconds = minReadySecondsOf(set);
    // A second more than needed, since the clocks of machines differ.
    if (minReadySeconds > 0 && !isPodReady(old) && isPodReady(pod)) this.#queue.addAfter(keyOf(set), (minReadySeconds + 1) * SECOND);
  }

  /** pkg/controller/statefulset/stateful_set.go deletePod */
  #deletePod(pod: Pod): void {
    const reference = getControllerOf(pod);
    if (reference) this.#enqueue(this.#resolveControllerRef(pod, reference));
  }

  /** pkg/controller/statefulset/stateful_set.go resolveControllerRef */
  #resolveControllerRef(pod: Pod, reference: OwnerReference): StatefulSet | undefined {
    if (reference.kind !== STATEFUL_SET.kind) return undefined;
    const set = this.#setLister.get(keyOf({ namespace: pod.metadata.namespace, name: reference.name }));
    return set?.metadata.uid === reference.uid ? set : undefined;
  }

  /** An orphan: one of these may adopt it. pkg/controller/statefulset/stateful_set.go getStatefulSetsForPod */
  #enqueueMatching(pod: Pod): void {
    for (const set of this.#setLister.listNamespace(pod.metadata.namespace ?? '')) {
      const selector = labelSelectorAsSelector(set.spec?.selector);
      if (!selector.empty && selector.matches(pod.metadata.labels)) this.#enqueue(set);
    }
  }

  /** pkg/controller/statefulset/stateful_set.go sync */
  async #sync(key: string): Promise<void> {
    const set = this.#setLister.get(key);
    if (!set) return;
    await this.#adoptOrphanRevisions(set);
    const pods = await this.#getPodsForStatefulSet(set);
    const { wallTime: now } = this.#context.actor.simulation;
    const available = await this.#control.updateStatefulSet(set, pods);
    const minReadySeconds = minReadySecondsOf(set);
    if (minReadySeconds === 0 || available === replicasOf(set)) return;
    // Where no pod turns available by waiting, nobody waits.
    const isOnItsWay = findMinNextPodAvailabilityCheck(pods, minReadySeconds, now) !== undefined;
    this.#queue.addAfter(key, minReadySeconds * SECOND, isOnItsWay ? 'work' : 'background');
  }

  /** pkg/controller/statefulset/stateful_set.go adoptOrphanRevisions */
  async #adoptOrphanRevisions(set: StatefulSet): Promise<void> {
    const orphans = this.#control.listRevisions(set).filter((revision) => getControllerOf(revision) === undefined);
    if (orphans.length === 0) return;
    await recheckDeletionTimestamp(this.#sets, set);
    await this.#control.adoptOrphanRevisions(set, orphans);
  }

  /** pkg/controller/statefulset/stateful_set.go getPodsForStatefulSet */
  #getPodsForStatefulSet(set: StatefulSet): Promise<Pod[]> {
    const { uid = '', namespace = '' } = set.metadata;
    const manager = new ControllerRefManager({
      client: this.#pods,
      controller: set,
      controllerRef: newControllerRef(set, STATEFUL_SET),
      selector: labelSelectorAsSelector(set.spec?.selector),
      filter: (pod) => isMemberOf(set, pod),
      canAdopt: () => recheckDeletionTimestamp(this.#sets, set),
    });
    return manager.claim([...listControlledBy(this.#podLister, uid), ...listOrphans(this.#podLister, namespace)]);
  }
}
