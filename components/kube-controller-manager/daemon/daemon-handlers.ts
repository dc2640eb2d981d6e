import { semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { ControllerRevision, DaemonSet } from '../../../src/api/kinds/apps-v1.ts';
import type { Node, Pod } from '../../../src/api/kinds/core-v1.ts';
import { labelSelectorAsSelector } from '../../../src/api/label-selector.ts';
import { getControllerOf } from '../../../src/api/meta.ts';
import { type KubernetesObject, keyOf } from '../../../src/api/object.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import type { ControllerExpectations } from '../../../src/client/expectations.ts';
import type { SharedInformer } from '../../../src/client/informer.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import { listControlledBy } from '../controller/controller-index.ts';
import { isPodReady } from '../controller/controller-utils.ts';
import { DAEMON_SET, getTargetNodeName, nodeShouldRunDaemonPod } from './daemonset-util.ts';

const SECOND = 1000;
const NODE_WORKERS = 2;

export interface DaemonInformers {
  readonly sets: SharedInformer<DaemonSet>;
  readonly pods: SharedInformer<Pod>;
  readonly nodes: SharedInformer<Node>;
  readonly revisions: SharedInformer<ControllerRevision>;
}

export interface DaemonHandlerOptions {
  readonly actor: Actor;
  readonly queue: RateLimitingQueue;
  readonly expectations: ControllerExpectations;
}

/** What DaemonSets hear of; call `onNodeQueue` when the caches have synced. */
export function addDaemonHandlers(informers: DaemonInformers, options: DaemonHandlerOptions): { onNodeQueue: () => void } {
  const handlers = new DaemonHandlers(informers, options);
  const { queue, expectations } = options;
  informers.sets.addEventHandler({
    onAdd: (ds) => queue.add(keyOf(ds)),
    onUpdate: (old, ds) => {
      if (old.metadata.uid !== ds.metadata.uid) expectations.deleteExpectations(keyOf(old));
      queue.add(keyOf(ds));
    },
    onDelete: (ds) => {
      expectations.deleteExpectations(keyOf(ds));
      queue.add(keyOf(ds));
    },
  });
  informers.pods.addEventHandler({
    onAdd: (pod) => handlers.addPod(pod),
    onUpdate: (old, pod) => handlers.updatePod(old, pod),
    onDelete: (pod) => handlers.deletePod(pod),
  });
  informers.revisions.addEventHandler({
    onAdd: (revision) => handlers.addHistory(revision),
    onUpdate: (old, revision) => handlers.updateHistory(old, revision),
    onDelete: (revision) => handlers.enqueueOwner(revision),
  });
  informers.nodes.addEventHandler({
    onAdd: (node) => handlers.nodeQueue.add(keyOf(node)),
    onUpdate: (old, node) => {
      const same = semanticDeepEqual(old.metadata.labels, node.metadata.labels) && semanticDeepEqual(old.spec?.taints, node.spec?.taints);
      if (!same) handlers.nodeQueue.add(keyOf(node));
    },
  });
  return { onNodeQueue: () => handlers.runNodeWorkers() };
}

class DaemonHandlers {
  readonly nodeQueue: RateLimitingQueue;
  readonly #informers: DaemonInformers;
  readonly #options: DaemonHandlerOptions;

  constructor(informers: DaemonInformers, options: DaemonHandlerOptions) {
    this.#informers = informers;
    this.#options = options;
    this.nodeQueue = new RateLimitingQueue({ actor: options.actor });
  }

  runNodeWorkers(): void {
    const reconcile = (key: string): void => this.#syncNodeUpdate(key);
    runWorkers({ actor: this.#options.actor, name: 'daemonset-node-updates', queue: this.nodeQueue, workers: NODE_WORKERS, reconcile });
  }

  /** pkg/controller/daemon/daemon_controller.go syncNodeUpdate */
  #syncNodeUpdate(key: string): void {
    const node = this.#informers.nodes.store.get(key);
    if (!node) return;
    for (const ds of this.#informers.sets.store.list()) {
      const { shouldRun, shouldContinueRunning } = nodeShouldRunDaemonPod(node, ds);
      const isScheduled = listControlledBy(this.#informers.pods.store, ds.metadata.uid ?? '').some((pod) => getTargetNodeName(pod) === key);
      const isMisscheduled = isScheduled && (ds.status?.numberMisscheduled ?? 0) > 0;
      if ((shouldRun && !isScheduled) || (!shouldContinueRunning && isScheduled) || isMisscheduled) this.#enqueue(ds);
    }
  }

  /** pkg/controller/daemon/daemon_controller.go addPod */
  addPod(pod: Pod): void {
    if (pod.metadata.deletionTimestamp !== undefined) {
      this.deletePod(pod);
      return;
    }
    if (!getControllerOf(pod)) {
      this.#enqueueMatching(pod);
      return;
    }
    const ds = this.#resolveControllerRef(pod);
    if (!ds) return;
    this.#options.expectations.creationObserved(keyOf(ds));
    this.#enqueue(ds);
  }

  /** pkg/controller/daemon/daemon_controller.go updatePod */
  updatePod(old: Pod, pod: Pod): void {
    if (old.metadata.resourceVersion === pod.metadata.resourceVersion) return;
    if (pod.metadata.deletionTimestamp !== undefined) {
      this.deletePod(pod);
      return;
    }
    const reference = getControllerOf(pod);
    const refChanged = reference?.uid !== getControllerOf(old)?.uid;
    if (refChanged) this.enqueueOwner(old);
    if (!reference) {
      if (refChanged || !semanticDeepEqual(old.metadata.labels, pod.metadata.labels)) this.#enqueueMatching(pod);
      return;
    }
    const ds = this.#resolveControllerRef(pod);
    if (!ds) return;
    this.#enqueue(ds);
    const minReadySeconds = ds.spec?.minReadySeconds ?? 0;
    // A second more than needed, since the clocks of machines differ.
    if (minReadySeconds > 0 && !isPodReady(old) && isPodReady(pod)) this.#options.queue.addAfter(keyOf(ds), (minReadySeconds + 1) * SECOND);
  }

  /** pkg/controller/daemon/daemon_controller.go deletePod */
  deletePod(pod: Pod): void {
    const ds = this.#resolveControllerRef(pod);
    if (!ds) return;
    this.#options.expectations.deletionObserved(keyOf(ds));
    this.#enqueue(ds);
  }

  /** pkg/controller/daemon/daemon_controller.go addHistory */
  addHistory(revision: ControllerRevision): void {
    if (revision.metadata.deletionTimestamp !== undefined) this.enqueueOwner(revision);
    else if (!getControllerOf(revision)) this.#enqueueMatching(revision);
  }

  /** pkg/controller/daemon/daemon_controller.go updateHistory */
  updateHistory(old: ControllerRevision, revision: ControllerRevision): void {
    if (old.metadata.resourceVersion === revision.metadata.resourceVersion) return;
    const reference = getControllerOf(revision);
    const refChanged = reference?.uid !== getControllerOf(old)?.uid;
    if (refChanged) this.enqueueOwner(old);
    if (reference) this.enqueueOwner(revision);
    else if (refChanged || !semanticDeepEqual(old.metadata.labels, revision.metadata.labels)) this.#enqueueMatching(revision);
  }

  enqueueOwner(object: KubernetesObject): void {
    const ds = this.#resolveControllerRef(object);
    if (ds) this.#enqueue(ds);
  }

  #enqueue(ds: DaemonSet): void {
    this.#options.queue.add(keyOf(ds));
  }

  /** pkg/controller/daemon/daemon_controller.go resolveControllerRef */
  #resolveControllerRef(object: KubernetesObject): DaemonSet | undefined {
    const reference = getControllerOf(object);
    if (reference?.kind !== DAEMON_SET.kind) return undefined;
    const ds = this.#informers.sets.store.get(keyOf({ namespace: object.metadata.namespace, name: reference.name }));
    return ds?.metadata.uid === reference.uid ? ds : undefined;
  }

  /** An orphan: one of these may adopt it. pkg/controller/daemon/daemon_controller.go getDaemonSetsForPod */
  #enqueueMatching({ metadata }: KubernetesObject): void {
    for (const ds of this.#informers.sets.store.listNamespace(metadata.namespace ?? '')) {
      const selector = labelSelectorAsSelector(ds.spec?.selector);
      if (!selector.empty && selector.matches(metadata.labels)) this.#enqueue(ds);
    }
  }
}
