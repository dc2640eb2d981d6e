import { isConditionTrue } from '../../../src/api/conditions.ts';
import type { Node, Pod } from '../../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../../src/api/object.ts';
import { nodes, pods } from '../../../src/api/resources.ts';
import { isNotFound } from '../../../src/api/status-error.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import type { Actor, Priority, Timer } from '../../../src/sim/actor.ts';
import { isPodTerminal } from '../controller/controller-utils.ts';
import { rethrowPanic } from '../controller/sync-error.ts';
import type { ControllerContext } from '../controller-context.ts';
import { NODE_NAME_INDEX, podsByNodeName } from '../nodelifecycle/pods-by-node-name.ts';
import { patchPodDisruptionTarget, patchPodStatus } from './pod-status-patch.ts';

const NAME = 'pod-garbage-collector';
const GC_CHECK_PERIOD_MS = 20_000;
const QUARANTINE_MS = 40_000;
/** --terminated-pod-gc-threshold */
const TERMINATED_POD_THRESHOLD = 12_500;
const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';

/** Deletes pods that nobody else will: see its passes. pkg/controller/podgc/gc_controller.go PodGCController */
class PodGCController {
  readonly #actor: Actor;
  readonly #client: ResourceClient<Pod>;
  readonly #nodeClient: ResourceClient<Node>;
  readonly #pods: Indexer<Pod>;
  readonly #nodes: Indexer<Node>;
  /** Names of nodes that pods are bound to and that are not there: from when on they may be asked for. */
  readonly #quarantine = new Map<string, number>();
  #tick: Timer | undefined;

  constructor(context: ControllerContext) {
    const { actor, informers } = context;
    const client = context.clientFor(NAME);
    this.#actor = actor;
    this.#client = client.resource(pods);
    this.#nodeClient = client.resource(nodes);
    this.#pods = informers.forResource(pods).store;
    this.#nodes = informers.forResource(nodes).store;
    informers.forResource(pods).addIndexers(podsByNodeName);
    informers.forResource(nodes).addEventHandler({
      onUpdate: (_, node) => {
        if (isOutOfService(node) && this.#hasPods(node)) this.#hurry();
      },
      onDelete: (node) => {
        if (this.#hasPods(node)) this.#hurry();
      },
    });
    context.onceSynced(() => this.#schedule(0));
  }

  #hasPods(node: Node): boolean {
    return this.#pods.byIndex(NODE_NAME_INDEX, keyOf(node)).length > 0;
  }

  /** There are pods to be deleted: the next pass is work, as are those that it takes until nodes in quarantine are known to be gone. */
  #hurry(): void {
    const due = this.#tick?.due;
    this.#tick?.cancel();
    if (due !== undefined) this.#schedule(due - this.#actor.simulation.now, 'work');
  }

  #schedule(delayMs: number, priority: Priority = 'background'): void {
    const run = async (): Promise<void> => {
      this.#tick = undefined;
      await this.#gc();
      this.#schedule(GC_CHECK_PERIOD_MS, this.#quarantine.size > 0 ? 'work' : 'background');
    };
    this.#tick = this.#actor.schedule(delayMs, run, { priority, label: NAME });
  }

  /** gc_controller.go gc */
  async #gc(): Promise<void> {
    const all = this.#pods.list();
    await this.#gcTerminated(all);
    await this.#gcTerminating(all);
    await this.#gcOrphaned(all);
    for (const pod of all) if (pod.metadata.deletionTimestamp && !pod.spec?.nodeName) await this.#markFailedAndDelete(pod);
  }

  /** The oldest of too many pods that have ended, evicted ones first. */
  async #gcTerminated(all: readonly Pod[]): Promise<void> {
    if (all.length <= TERMINATED_POD_THRESHOLD) return;
    const ended = all.filter(isPodTerminal);
    if (ended.length <= TERMINATED_POD_THRESHOLD) return;
    for (const pod of ended.sort(byEvictionAndCreation).slice(0, ended.length - TERMINATED_POD_THRESHOLD))
      await this.#markFailedAndDelete(pod);
  }

  /** Pods that are being deleted on a node that is said to be out of service. */
  async #gcTerminating(all: readonly Pod[]): Promise<void> {
    const outOfService = new Set<string>();
    for (const node of this.#nodes.list()) {
      if (isOutOfService(node)) outOfService.add(keyOf(node));
    }
    if (outOfService.size === 0) return;
    for (const pod of all) {
      if (pod.metadata.deletionTimestamp && outOfService.has(pod.spec?.nodeName ?? '')) await this.#markFailedAndDelete(pod);
    }
  }

  /** Pods of nodes that are gone. gc_controller.go gcOrphaned */
  async #gcOrphaned(all: readonly Pod[]): Promise<void> {
    const gone = await this.#discoverDeletedNodes();
    for (const { spec } of all) {
      const name = spec?.nodeName;
      if (!name || this.#nodes.get(name) || this.#quarantine.has(name) || gone.has(name)) continue;
      this.#quarantine.set(name, this.#actor.simulation.now + QUARANTINE_MS);
    }
    if (gone.size === 0) return;
    for (const pod of all) {
      const nodeName = pod.spec?.nodeName ?? '';
      if (!gone.has(nodeName)) continue;
      this.#decide(pod, `pod ${keyOf(pod)} is bound to node ${nodeName}, which no longer exists: it is deleted`);
      const why = { reason: 'DeletionByPodGC', message: 'PodGC: node no longer exists' };
      await this.#markFailedAndDelete(pod, why);
    }
  }

  /** gc_controller.go discoverDeletedNodes */
  async #discoverDeletedNodes(): Promise<ReadonlySet<string>> {
    const gone = new Set<string>();
    for (const [name, from] of this.#quarantine) {
      if (from > this.#actor.simulation.now) continue;
      this.#quarantine.delete(name);
      if (this.#nodes.get(name)) continue;
      try {
        await this.#nodeClient.get({ name });
      } catch (error) {
        rethrowPanic(error);
        if (isNotFound(error)) gone.add(name);
      }
    }
    return gone;
  }

  /** gc_controller.go markFailedAndDeletePodWithCondition */
  async #markFailedAndDelete(pod: Pod, why?: { reason: string; message: string }): Promise<void> {
    const { namespace, name = '', generation } = pod.metadata;
    try {
      if (!isPodTerminal(pod)) {
        const status = { phase: 'Failed', ...(generation === undefined ? {} : { observedGeneration: generation }) };
        if (why) await patchPodDisruptionTarget(this.#client, pod, { ...why, more: status });
        else await patchPodStatus(this.#client, pod, status);
      }
      await this.#client.delete({ namespace, name }, { gracePeriodSeconds: 0 });
    } catch (error) {
      // The next pass tries again.
      rethrowPanic(error);
    }
  }

  #decide({ metadata: { namespace = '', name = '' } }: Pod, message: string): void {
    const object = { group: '', resource: 'pods', kind: 'Pod', namespace, name };
    this.#actor.simulation.recordCause({ kind: 'decision', component: NAME, object, message });
  }
}

/** Somebody says that the node will not come back by itself, and it does not say otherwise. */
function isOutOfService({ spec, status }: Node): boolean {
  return Boolean(spec?.taints?.some(({ key }) => key === OUT_OF_SERVICE)) && !isConditionTrue(status?.conditions, 'Ready');
}

/** gc_controller.go byEvictionAndCreationTimestamp */
function byEvictionAndCreation(a: Pod, b: Pod): number {
  const evicted = Number(b.status?.reason === 'Evicted') - Number(a.status?.reason === 'Evicted');
  if (evicted !== 0) return evicted;
  const [left, right] = [a, b].map(({ metadata }) => `${metadata.creationTimestamp} ${metadata.name}`) as [string, string];
  return left < right ? -1 : 1;
}

/** cmd/kube-controller-manager/app/core.go startPodGarbageCollectorController */
export function startPodGarbageCollectorController(context: ControllerContext): void {
  new PodGCController(context);
}
