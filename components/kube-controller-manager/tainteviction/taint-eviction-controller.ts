import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { Node, Pod, Taint } from '../../../src/api/kinds/core-v1.ts';
import { keyOf, splitKey } from '../../../src/api/object.ts';
import { nodes, pods } from '../../../src/api/resources.ts';
import { formatTaint } from '../../../src/api/taints.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import { rethrowPanic } from '../controller/sync-error.ts';
import type { ControllerContext } from '../controller-context.ts';
import { NODE_NAME_INDEX, podsByNodeName } from '../nodelifecycle/pods-by-node-name.ts';
import { patchPodDisruptionTarget } from '../podgc/pod-status-patch.ts';
import { TimedWorkerQueue } from './timed-worker-queue.ts';
import { getMatchingTolerations, getMinTolerationTime } from './toleration-time.ts';

const NAME = 'taint-eviction-controller';
const ACCOUNT = 'node-controller';
const UPDATE_WORKERS = 8;
const RETRIES = 5;
const RETRY_SLEEP_MS = 10;

/** Deletes pods from nodes with NoExecute taints, after as long as the pods tolerate them. pkg/controller/tainteviction/taint_eviction.go Controller */
class TaintEvictionController {
  readonly #actor: Actor;
  readonly #client: ResourceClient<Pod>;
  readonly #recorder: EventRecorder;
  readonly #nodes: Indexer<Node>;
  readonly #pods: Indexer<Pod>;
  readonly #taintedNodes = new Map<string, readonly Taint[]>();
  readonly #evictions: TimedWorkerQueue;
  readonly #nodeQueue: RateLimitingQueue;
  readonly #podQueue: RateLimitingQueue;

  constructor(context: ControllerContext) {
    const { actor, informers } = context;
    this.#actor = actor;
    this.#client = context.clientFor(ACCOUNT).resource(pods);
    this.#recorder = context.recorderFor(NAME, ACCOUNT);
    this.#nodes = informers.forResource(nodes).store;
    informers.forResource(pods).addIndexers(podsByNodeName);
    this.#pods = informers.forResource(pods).store;
    this.#evictions = new TimedWorkerQueue(actor, (key) => this.#evict(key));
    this.#nodeQueue = new RateLimitingQueue({ actor });
    this.#podQueue = new RateLimitingQueue({ actor });
    this.#addHandlers(context);
    context.onceSynced(() => {
      runWorkers({ actor, name: NAME, queue: this.#nodeQueue, workers: UPDATE_WORKERS, reconcile: (name) => this.#handleNodeUpdate(name) });
      runWorkers({
        actor,
        name: `${NAME} pods`,
        queue: this.#podQueue,
        workers: UPDATE_WORKERS,
        reconcile: (key) => this.#handlePodUpdate(key),
      });
    });
  }

  #addHandlers({ informers }: ControllerContext): void {
    // Pods on nodes without such taints cost nothing.
    const onPod = (pod: Pod): void => {
      const key = keyOf(pod);
      if (this.#taintedNodes.has(pod.spec?.nodeName ?? '') || this.#evictions.has(key)) this.#podQueue.add(key);
    };
    informers.forResource(pods).addEventHandler({
      onAdd: onPod,
      onUpdate: (before, pod) => {
        const same = before.spec?.nodeName === pod.spec?.nodeName && deepEqual(before.spec?.tolerations, pod.spec?.tolerations);
        if (!same) onPod(pod);
      },
      onDelete: onPod,
    });
    const onNode = (node: Node): void => this.#nodeQueue.add(keyOf(node));
    informers.forResource(nodes).addEventHandler({
      onAdd: (node) => {
        if (getNoExecuteTaints(node).length > 0) onNode(node);
      },
      onUpdate: (before, node) => {
        if (before.spec?.taints !== node.spec?.taints && !deepEqual(getNoExecuteTaints(before), getNoExecuteTaints(node))) onNode(node);
      },
      onDelete: onNode,
    });
  }

  /** taint_eviction.go handleNodeUpdate */
  #handleNodeUpdate(name: string): void {
    const node = this.#nodes.get(name);
    const taints = node ? getNoExecuteTaints(node) : [];
    if (taints.length > 0) this.#taintedNodes.set(name, taints);
    else this.#taintedNodes.delete(name);
    if (!node) return;
    for (const pod of this.#pods.byIndex(NODE_NAME_INDEX, name)) this.#processPodOnNode(pod, taints);
  }

  /** taint_eviction.go handlePodUpdate */
  #handlePodUpdate(key: string): void {
    const pod = this.#pods.get(key);
    const taints = this.#taintedNodes.get(pod?.spec?.nodeName ?? '');
    if (!pod) this.#cancelWorkWithEvent(key);
    else if (taints) this.#processPodOnNode(pod, taints);
  }

  /** taint_eviction.go processPodOnNode */
  #processPodOnNode(pod: Pod, taints: readonly Taint[]): void {
    const key = keyOf(pod);
    const { now } = this.#actor.simulation;
    const used = getMatchingTolerations(taints, pod.spec?.tolerations);
    const where = `${taints.map(formatTaint).join(', ')} of node ${pod.spec?.nodeName}`;
    if (!used) {
      this.#cancelWorkWithEvent(key);
      this.#decide(key, `pod ${key} does not tolerate ${where}: it is evicted now`);
      this.#evictions.addWork(key, now);
      return;
    }
    const tolerated = getMinTolerationTime(used);
    if (taints.length === 0 || tolerated === undefined) this.#cancelWorkWithEvent(key);
    // What waits already goes on waiting: the time counts from when the taint was first seen.
    else if (!this.#evictions.has(key)) {
      this.#decide(key, `pod ${key} tolerates ${where} for ${tolerated / 1_000} s`);
      this.#evictions.addWork(key, now + tolerated);
    }
  }

  #cancelWorkWithEvent(key: string): void {
    if (this.#evictions.cancelWork(key)) this.#record(key, `Cancelling deletion of Pod ${key}`);
  }

  /** taint_eviction.go deletePodHandler */
  async #evict(key: string): Promise<void> {
    this.#record(key, `Marking for deletion Pod ${key}`);
    for (let tries = RETRIES; tries > 0; tries--) {
      try {
        return await this.#addConditionAndDeletePod(key);
      } catch (error) {
        rethrowPanic(error);
      }
      await this.#actor.sleep(RETRY_SLEEP_MS);
    }
  }

  /** taint_eviction.go addConditionAndDeletePod */
  async #addConditionAndDeletePod(key: string): Promise<void> {
    const pod = await this.#client.get(splitKey(key));
    const message = 'Taint manager: deleting due to NoExecute taint';
    await patchPodDisruptionTarget(this.#client, pod, { reason: 'DeletionByTaintManager', message });
    await this.#client.delete(splitKey(key));
  }

  #record(key: string, message: string): void {
    this.#recorder.event({ apiVersion: 'v1', kind: 'Pod', ...splitKey(key) }, 'Normal', 'TaintManagerEviction', message);
  }

  #decide(key: string, message: string): void {
    const object = { group: '', resource: 'pods', kind: 'Pod', ...splitKey(key) };
    this.#actor.simulation.recordCause({ kind: 'decision', component: NAME, object, message });
  }
}

function getNoExecuteTaints({ spec }: Node): Taint[] {
  return (spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
}

/** cmd/kube-controller-manager/app/core.go startTaintEvictionController */
export function startTaintEvictionController(context: ControllerContext): void {
  new TaintEvictionController(context);
}
