import { semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { ReplicaSet } from '../../../src/api/kinds/apps-v1.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { OwnerReference } from '../../../src/api/kinds/meta-v1.ts';
import { labelSelectorAsSelector } from '../../../src/api/label-selector.ts';
import { getControllerOf } from '../../../src/api/meta.ts';
import { type KubernetesObject, keyOf } from '../../../src/api/object.ts';
import type { UIDTrackingControllerExpectations } from '../../../src/client/expectations.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import type { SharedInformer } from '../../../src/client/informer.ts';
import type { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import { isPodReady } from '../controller/controller-utils.ts';
import type { OwnedPods } from './owned-pods.ts';
import type { ReplicaSetKind } from './replica-set-kind.ts';

const SECOND = 1000;

export interface PodHandlerOptions<T extends KubernetesObject> {
  readonly kind: ReplicaSetKind<T>;
  readonly sets: Indexer<T>;
  readonly owned: OwnedPods;
  readonly queue: RateLimitingQueue;
  readonly expectations: UIDTrackingControllerExpectations;
}

/** What a set hears of pods. */
export function addPodHandlers<T extends KubernetesObject>(informer: SharedInformer<Pod>, options: PodHandlerOptions<T>): void {
  const handlers = new PodHandlers(options);
  informer.addEventHandler({
    onAdd: (pod) => {
      options.owned.put(pod);
      handlers.addPod(pod);
    },
    onUpdate: (old, pod) => {
      options.owned.put(pod, old);
      handlers.updatePod(old, pod);
    },
    onDelete: (pod) => {
      options.owned.delete(pod);
      handlers.deletePod(pod);
    },
  });
}

class PodHandlers<T extends KubernetesObject> {
  readonly #options: PodHandlerOptions<T>;

  constructor(options: PodHandlerOptions<T>) {
    this.#options = options;
  }

  /** pkg/controller/replicaset/replica_set.go addPod */
  addPod(pod: Pod): void {
    const reference = getControllerOf(pod);
    if (pod.metadata.deletionTimestamp !== undefined) this.deletePod(pod);
    else if (reference) this.#observeCreation(this.#resolveControllerRef(pod, reference));
    else this.#enqueueMatching(pod);
  }

  /** pkg/controller/replicaset/replica_set.go updatePod */
  updatePod(old: Pod, pod: Pod): void {
    if (old.metadata.resourceVersion === pod.metadata.resourceVersion) return;
    const labelsChanged = !semanticDeepEqual(old.metadata.labels, pod.metadata.labels);
    if (pod.metadata.deletionTimestamp !== undefined) {
      // A replacement should not wait until the kubelet has stopped the pod.
      this.deletePod(pod);
      if (labelsChanged) this.deletePod(old);
      return;
    }
    const reference = getControllerOf(pod);
    const oldReference = getControllerOf(old);
    const refChanged = !semanticDeepEqual(reference, oldReference);
    if (refChanged && oldReference) this.#enqueue(this.#resolveControllerRef(old, oldReference));
    if (!reference) {
      if (labelsChanged || refChanged) this.#enqueueMatching(pod);
      return;
    }
    const rs = this.#resolveControllerRef(pod, reference);
    if (!rs) return;
    this.#enqueue(rs);
    const minReadySeconds = rs.spec?.minReadySeconds ?? 0;
    if (minReadySeconds > 0 && !isPodReady(old) && isPodReady(pod)) this.#options.queue.addAfter(keyOf(rs), minReadySeconds * SECOND);
  }

  /** pkg/controller/replicaset/replica_set.go deletePod */
  deletePod(pod: Pod): void {
    const reference = getControllerOf(pod);
    const rs = reference && this.#resolveControllerRef(pod, reference);
    if (!rs) return;
    this.#options.expectations.deletionObserved(keyOf(rs), keyOf(pod));
    this.#enqueue(rs);
  }

  #observeCreation(rs: ReplicaSet | undefined): void {
    if (!rs) return;
    this.#options.expectations.creationObserved(keyOf(rs));
    this.#enqueue(rs);
  }

  #enqueue(rs: ReplicaSet | undefined): void {
    if (rs) this.#options.queue.add(keyOf(rs));
  }

  /** An orphan: one of these may adopt it. pkg/controller/replicaset/replica_set.go getPodReplicaSets */
  #enqueueMatching(pod: Pod): void {
    const { kind, sets, queue } = this.#options;
    for (const object of sets.listNamespace(pod.metadata.namespace ?? '')) {
      const selector = labelSelectorAsSelector(kind.asReplicaSet(object).spec?.selector);
      if (!selector.empty && selector.matches(pod.metadata.labels)) queue.add(keyOf(object));
    }
  }

  /** pkg/controller/replicaset/replica_set.go resolveControllerRef */
  #resolveControllerRef(pod: Pod, reference: OwnerReference): ReplicaSet | undefined {
    const { kind, sets } = this.#options;
    if (reference.kind !== kind.resource.kind) return undefined;
    const object = sets.get(keyOf({ namespace: pod.metadata.namespace, name: reference.name }));
    return object?.metadata.uid === reference.uid && object ? kind.asReplicaSet(object) : undefined;
  }
}
