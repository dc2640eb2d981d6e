import { semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { DaemonSet } from '../../../src/api/kinds/apps-v1.ts';
import type { Node, Pod } from '../../../src/api/kinds/core-v1.ts';
import { labelSelectorAsSelector } from '../../../src/api/label-selector.ts';
import { newControllerRef } from '../../../src/api/meta.ts';
import { keyOf } from '../../../src/api/object.ts';
import { controllerrevisions, daemonsets, nodes as NODES, pods as PODS } from '../../../src/api/resources.ts';
import { isNamespaceTerminating, isNotFound } from '../../../src/api/status-error.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import { ControllerExpectations } from '../../../src/client/expectations.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import { addControllerIndexer, listControlledBy, listOrphans } from '../controller/controller-index.ts';
import { ControllerRefManager, recheckDeletionTimestamp } from '../controller/controller-ref-manager.ts';
import { findMinNextPodAvailabilityCheck, isPodTerminal } from '../controller/controller-utils.ts';
import { PodControl } from '../controller/pod-control.ts';
import { slowStartBatch } from '../controller/slow-start.ts';
import { aggregate } from '../controller/sync-error.ts';
import { WATCH_LAG_MS } from '../controller/watch-lag.ts';
import type { ControllerContext } from '../controller-context.ts';
import { addDaemonHandlers } from './daemon-handlers.ts';
import { DaemonHistory } from './daemon-history.ts';
import { countDaemonPods, storeDaemonSetStatus } from './daemon-status.ts';
import {
  createPodTemplate,
  DAEMON_SET,
  getTargetNodeName,
  REVISION_HASH_LABEL,
  replaceDaemonSetPodNodeNameNodeAffinity,
} from './daemonset-util.ts';
import { FailedPodsBackoff } from './failed-pods-backoff.ts';
import { manage } from './manage.ts';
import { type NodeChanges, rollingUpdate } from './update.ts';

const NAME = 'daemonset-controller';
const ACCOUNT = 'daemon-set-controller';
const WORKERS = 2;
const SECOND = 1000;
/** At most so many pods are created or deleted in one go: pkg/controller/daemon/daemon_controller.go BurstReplicas */
const BURST_REPLICAS = 250;

/** cmd/kube-controller-manager/app/apps.go startDaemonSetController */
export function startDaemonSetController(context: ControllerContext): void {
  const controller = new DaemonSetsController(context);
  context.onceSynced(() => controller.run());
}

/** Keeps one pod on each node that fits: pkg/controller/daemon/daemon_controller.go DaemonSetsController */
class DaemonSetsController {
  readonly #context: ControllerContext;
  readonly #queue: RateLimitingQueue;
  readonly #sets: ResourceClient<DaemonSet>;
  readonly #setLister: Indexer<DaemonSet>;
  readonly #pods: ResourceClient<Pod>;
  readonly #podLister: Indexer<Pod>;
  readonly #nodeLister: Indexer<Node>;
  readonly #podControl: PodControl;
  readonly #recorder: EventRecorder;
  readonly #expectations: ControllerExpectations;
  readonly #backoff: FailedPodsBackoff;
  readonly #history: DaemonHistory;

  constructor(context: ControllerContext) {
    const { actor, informers } = context;
    const client = context.clientFor(ACCOUNT);
    const setInformer = informers.forResource(daemonsets);
    const podInformer = informers.forResource(PODS);
    const nodeInformer = informers.forResource(NODES);
    const revisionInformer = informers.forResource(controllerrevisions);
    addControllerIndexer(podInformer);
    this.#context = context;
    this.#queue = new RateLimitingQueue({ actor });
    this.#sets = client.resource(daemonsets);
    this.#setLister = setInformer.store;
    this.#pods = client.resource(PODS);
    this.#podLister = podInformer.store;
    this.#nodeLister = nodeInformer.store;
    this.#recorder = context.recorderFor(NAME, ACCOUNT);
    this.#podControl = new PodControl({ pods: this.#pods, recorder: this.#recorder });
    this.#expectations = new ControllerExpectations(() => actor.simulation.now);
    this.#backoff = new FailedPodsBackoff(() => actor.simulation.now);
    this.#history = new DaemonHistory({
      sets: this.#sets,
      pods: this.#pods,
      revisions: client.resource(controllerrevisions),
      revisionLister: revisionInformer.store,
    });
    const { onNodeQueue } = addDaemonHandlers(
      { sets: setInformer, pods: podInformer, nodes: nodeInformer, revisions: revisionInformer },
      { actor, queue: this.#queue, expectations: this.#expectations },
    );
    context.onceSynced(onNodeQueue);
  }

  run(): void {
    const reconcile = (key: string): Promise<void> => this.#syncDaemonSet(key);
    runWorkers({ actor: this.#context.actor, name: NAME, queue: this.#queue, workers: WORKERS, reconcile });
  }

  get #now(): number {
    return this.#context.actor.simulation.wallTime;
  }

  /** pkg/controller/daemon/daemon_controller.go syncDaemonSet */
  async #syncDaemonSet(key: string): Promise<void> {
    const ds = this.#setLister.get(key);
    if (!ds) return this.#expectations.deleteExpectations(key);
    if (semanticDeepEqual(ds.spec?.selector, {})) {
      this.#recorder.event(ds, 'Warning', 'SelectingAll', 'This daemon set is selecting all pods. A non-empty selector is required.');
      return;
    }
    if (ds.metadata.deletionTimestamp !== undefined) return;
    const { current, old } = await this.#history.constructHistory(ds, () => this.#getDaemonPods(ds));
    const hash = current.metadata.labels?.[REVISION_HASH_LABEL] ?? '';
    if (!this.#expectations.satisfiedExpectations(key)) return this.#updateDaemonSetStatus(ds, hash, false);
    let failure: unknown;
    try {
      await this.#updateDaemonSet(ds, hash);
      await this.#history.cleanupHistory(ds, old, await this.#getDaemonPods(ds));
    } catch (error) {
      failure = error;
    }
    try {
      await this.#updateDaemonSetStatus(ds, hash, true);
    } catch (error) {
      failure ??= error;
    }
    if (failure !== undefined) throw failure;
  }

  /** pkg/controller/daemon/daemon_controller.go updateDaemonSet */
  async #updateDaemonSet(ds: DaemonSet, hash: string): Promise<void> {
    const [nodes, now] = [this.#nodeLister.list(), this.#now];
    const mayDeleteEnded = (pod: Pod, nodeName: string): boolean => this.#mayDeleteEnded(ds, pod, nodeName);
    const podsByNode = await this.#getNodesToDaemonPods(ds);
    await this.#syncNodes(ds, manage({ ds, nodes, podsByNode, hash, now, mayDeleteEnded }), hash);
    if (ds.spec?.updateStrategy?.type !== 'RollingUpdate' || !this.#expectations.satisfiedExpectations(keyOf(ds))) return;
    const changes = rollingUpdate({ ds, nodes, podsByNode: await this.#getNodesToDaemonPods(ds), hash, now });
    await this.#syncNodes(ds, changes, hash);
  }

  /** pkg/controller/daemon/daemon_controller.go podsShouldBeOnNode */
  #mayDeleteEnded(ds: DaemonSet, pod: Pod, nodeName: string): boolean {
    const what = `daemon pod ${keyOf(pod)} on node ${nodeName}, will try to`;
    if (pod.status?.phase === 'Succeeded') {
      this.#recorder.event(ds, 'Normal', 'SucceededDaemonPod', `Found succeeded ${what} delete it`);
      return true;
    }
    const key = `${ds.metadata.uid}/${ds.status?.observedGeneration ?? 0}/${nodeName}`;
    const remaining = this.#backoff.remaining(key);
    if (remaining !== undefined) {
      this.#queue.addAfter(keyOf(ds), remaining);
      return false;
    }
    this.#backoff.collect();
    this.#backoff.next(key);
    this.#recorder.event(ds, 'Warning', 'FailedDaemonPod', `Found failed ${what} kill it`);
    return true;
  }

  /** pkg/controller/daemon/daemon_controller.go getDaemonPods */
  #getDaemonPods(ds: DaemonSet): Promise<Pod[]> {
    const manager = new ControllerRefManager({
      client: this.#pods,
      controller: ds,
      controllerRef: newControllerRef(ds, DAEMON_SET),
      selector: labelSelectorAsSelector(ds.spec?.selector),
      canAdopt: () => recheckDeletionTimestamp(this.#sets, ds),
    });
    const { uid = '', namespace = '' } = ds.metadata;
    return manager.claim([...listControlledBy(this.#podLister, uid), ...listOrphans(this.#podLister, namespace)]);
  }

  /** pkg/controller/daemon/daemon_controller.go getNodesToDaemonPods */
  async #getNodesToDaemonPods(ds: DaemonSet): Promise<Map<string, Pod[]>> {
    const podsByNode = new Map<string, Pod[]>();
    for (const pod of await this.#getDaemonPods(ds)) {
      const nodeName = getTargetNodeName(pod);
      if (nodeName === undefined || (isPodTerminal(pod) && pod.metadata.deletionTimestamp !== undefined)) continue;
      const pods = podsByNode.get(nodeName);
      if (pods) pods.push(pod);
      else podsByNode.set(nodeName, [pod]);
    }
    return podsByNode;
  }

  /** pkg/controller/daemon/daemon_controller.go syncNodes */
  async #syncNodes(ds: DaemonSet, changes: NodeChanges, hash: string): Promise<void> {
    const nodeNames = changes.nodesNeedingDaemonPods.slice(0, BURST_REPLICAS);
    const podNames = changes.podsToDelete.slice(0, BURST_REPLICAS);
    this.#expectations.setExpectations(keyOf(ds), nodeNames.length, podNames.length);
    if (nodeNames.length + podNames.length === 0) return;
    this.#decide(ds, nodeNames, podNames);
    const errors = [...(await this.#createPods(ds, nodeNames, hash)), ...(await this.#deletePods(ds, podNames))];
    // So that the status that follows counts what was done.
    await this.#context.actor.sleep(WATCH_LAG_MS);
    const error = aggregate(errors);
    if (error !== undefined) throw error;
  }

  /** Returns what went wrong. */
  async #createPods(ds: DaemonSet, nodeNames: readonly string[], hash: string): Promise<unknown[]> {
    const { namespace = '' } = ds.metadata;
    const template = createPodTemplate(ds, hash);
    const spec = { containers: [], ...template.spec };
    const controllerRef = newControllerRef(ds, DAEMON_SET);
    const { successes, error } = await slowStartBatch(nodeNames.length, async (index) => {
      const affinity = replaceDaemonSetPodNodeNameNodeAffinity(spec.affinity, nodeNames[index] ?? '');
      try {
        await this.#podControl.createPod({
          namespace,
          template: { ...template, spec: { ...spec, affinity } },
          controller: ds,
          controllerRef,
        });
      } catch (failure) {
        // In a namespace that is being deleted there is nothing to try again.
        if (!isNamespaceTerminating(failure)) throw failure;
      }
    });
    for (let skipped = nodeNames.length - successes; skipped > 0; skipped--) this.#expectations.creationObserved(keyOf(ds));
    return error === undefined ? [] : [error];
  }

  /** Returns what went wrong. */
  async #deletePods(ds: DaemonSet, podNames: readonly string[]): Promise<unknown[]> {
    const errors: unknown[] = [];
    await Promise.all(
      podNames.map(async (name) => {
        try {
          await this.#podControl.deletePod(ds.metadata.namespace ?? '', name, ds);
        } catch (error) {
          // Nobody will observe this deletion.
          this.#expectations.deletionObserved(keyOf(ds));
          if (!isNotFound(error)) errors.push(error);
        }
      }),
    );
    return errors;
  }

  /** pkg/controller/daemon/daemon_controller.go updateDaemonSetStatus */
  async #updateDaemonSetStatus(ds: DaemonSet, hash: string, updateObservedGeneration: boolean): Promise<void> {
    const podsByNode = await this.#getNodesToDaemonPods(ds);
    const now = this.#now;
    const counts = countDaemonPods(ds, { nodes: this.#nodeLister.list(), podsByNode, hash, now });
    await storeDaemonSetStatus(this.#sets, ds, { counts, updateObservedGeneration });
    const minReadySeconds = ds.spec?.minReadySeconds ?? 0;
    if (minReadySeconds === 0 || counts.ready === counts.available) return;
    // Where no pod turns available by waiting, nobody waits.
    const isOnItsWay = findMinNextPodAvailabilityCheck([...podsByNode.values()].flat(), minReadySeconds, now) !== undefined;
    this.#queue.addAfter(keyOf(ds), minReadySeconds * SECOND, isOnItsWay ? 'work' : 'background');
  }

  #decide(ds: DaemonSet, nodeNames: readonly string[], podNames: readonly string[]): void {
    const { namespace = '', name = '', uid = '' } = ds.metadata;
    const { group, resource, kind } = daemonsets;
    const texts = [
      ...(nodeNames.length ? [`create pods for ${listed(nodeNames)}`] : []),
      ...(podNames.length ? [`delete ${listed(podNames)}`] : []),
    ];
    const object = { group, resource, kind, namespace, name, uid };
    this.#context.actor.simulation.recordCause({ kind: 'decision', component: NAME, object, message: texts.join('; ') });
  }
}

/** The first few names. */
function listed(names: readonly string[]): string {
  const [shown, more] = [names.slice(0, 3), names.length - 3];
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
