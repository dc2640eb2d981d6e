import type { Lease } from '../../../src/api/kinds/coordination-v1.ts';
import type { Node, NodeCondition, Pod } from '../../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../../src/api/object.ts';
import { leases, nodes, pods } from '../../../src/api/resources.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import type { Actor, Timer } from '../../../src/sim/actor.ts';
import { rethrowPanic } from '../controller/sync-error.ts';
import type { ControllerContext } from '../controller-context.ts';
import { DisruptionWatch, type ZoneReadiness } from './disruption-watch.ts';
import { markPodsNotReady } from './mark-pods-not-ready.ts';
import { NoExecuteTainter } from './no-execute-tainter.ts';
import { labelsToUpdate, NOT_READY_TAINT, noScheduleTaintDiff, UNREACHABLE_TAINT } from './node-condition-taints.ts';
import { type NodeHealth, observeNode, readyCondition, silentFor, withUnknownConditions } from './node-health.ts';
import { removeTaintOffNode, swapNodeControllerTaint, taintExists } from './node-taints.ts';
import { NODE_NAME_INDEX, podsByNodeName } from './pods-by-node-name.ts';
import { getZoneKey, isNodeExcludedFromDisruptionChecks } from './zone-states.ts';

const ACCOUNT = 'node-controller';
const NODE_MONITOR_PERIOD_MS = 5_000;
const HEALTH_UPDATE_RETRY = { tries: 5, sleepMs: 20 };
const UPDATE_WORKERS = 8;
const NODE_LEASES = 'kube-node-lease';
const NO_EXECUTE_TAINTS = [UNREACHABLE_TAINT, NOT_READY_TAINT];

/**
 * Notices nodes that fell silent or say that they are not ready, and taints them. pkg/controller/nodelifecycle/node_lifecycle_controller.go Controller
 * Looks at all nodes every 5 s, in the background; that costs as much as there are nodes, whatever runs on them.
 */
class NodeLifecycleController {
  readonly #actor: Actor;
  readonly #client: ResourceClient<Node>;
  readonly #podClient: ResourceClient<Pod>;
  readonly #recorder: EventRecorder;
  readonly #nodes: Indexer<Node>;
  readonly #leases: Indexer<Lease>;
  readonly #pods: Indexer<Pod>;
  readonly #nodeQueue: RateLimitingQueue;
  readonly #podQueue: RateLimitingQueue;
  readonly #tainter: NoExecuteTainter;
  readonly #disruption: DisruptionWatch;
  readonly #health = new Map<string, NodeHealth>();
  readonly #known = new Map<string, Node>();
  /** Nodes whose pods could not all be marked. */
  readonly #toRetry = new Set<string>();
  #tick: Timer | undefined;
  #urgent = false;

  constructor(context: ControllerContext) {
    const { actor, informers } = context;
    const client = context.clientFor(ACCOUNT);
    this.#actor = actor;
    this.#client = client.resource(nodes);
    this.#podClient = client.resource(pods);
    this.#recorder = context.recorderFor(ACCOUNT);
    this.#nodes = informers.forResource(nodes).store;
    this.#leases = informers.forResource(leases).store;
    informers.forResource(pods).addIndexers(podsByNodeName);
    this.#pods = informers.forResource(pods).store;
    this.#nodeQueue = new RateLimitingQueue({ actor });
    this.#podQueue = new RateLimitingQueue({ actor });
    this.#tainter = new NoExecuteTainter(this.#client, this.#nodes);
    this.#disruption = new DisruptionWatch({
      setRate: (zone, qps) => this.#tainter.setRate(zone, qps),
      enter: () => Promise.all(this.#nodes.list().map((node) => this.#markNodeAsReachable(node))),
      leave: () => {
        for (const health of this.#health.values()) health.probeTimestamp = actor.simulation.now;
      },
    });
    this.#addHandlers(context);
    context.onceSynced(() => this.#run());
  }

  #addHandlers({ informers }: ControllerContext): void {
    const onNode = (node: Node): void => {
      if (needsPatch(node)) this.#nodeQueue.add(keyOf(node));
      if (this.#needsMonitoring(node)) this.#hurry();
    };
    informers.forResource(nodes).addEventHandler({ onAdd: onNode, onUpdate: (_, node) => onNode(node) });
    const onPod = (before: Pod | undefined, pod: Pod): void => {
      const nodeName = pod.spec?.nodeName;
      if (!nodeName || before?.spec?.nodeName === nodeName) return;
      const ready = this.#health.get(nodeName)?.ready;
      if (ready && ready.status !== 'True') this.#podQueue.add(keyOf(pod));
    };
    informers.forResource(pods).addEventHandler({ onAdd: (pod) => onPod(undefined, pod), onUpdate: onPod });
  }

  #run(): void {
    const actor = this.#actor;
    const name = 'node-lifecycle-controller';
    runWorkers({ actor, name, queue: this.#nodeQueue, workers: UPDATE_WORKERS, reconcile: (key) => this.#processNode(key) });
    runWorkers({ actor, name: `${name} pods`, queue: this.#podQueue, workers: UPDATE_WORKERS, reconcile: (key) => this.#processPod(key) });
    this.#schedule(0);
  }

  #schedule(delayMs: number): void {
    const run = (): Promise<void> => {
      this.#tick = undefined;
      this.#urgent = false;
      return this.#monitorNodeHealth().then(() => this.#schedule(NODE_MONITOR_PERIOD_MS));
    };
    const priority = this.#urgent ? 'work' : 'background';
    this.#tick = this.#actor.schedule(delayMs, run, { priority, label: 'node-lifecycle monitor' });
  }

  /** The next look at the nodes will change something: it is work now. */
  #hurry(): void {
    if (this.#urgent) return;
    this.#urgent = true;
    const due = this.#tick?.due;
    this.#tick?.cancel();
    if (due !== undefined) this.#schedule(due - this.#actor.simulation.now);
  }

  /** Whether what a node says of itself asks for other NoExecute taints. */
  #needsMonitoring(node: Node): boolean {
    const status = readyCondition(node)?.status;
    const { taints } = node.spec ?? {};
    if (status === 'True') return NO_EXECUTE_TAINTS.some((taint) => taintExists(taints, taint));
    if (status === undefined || this.#disruption.isFull) return false;
    return !taintExists(taints, status === 'False' ? NOT_READY_TAINT : UNREACHABLE_TAINT);
  }

  /** node_lifecycle_controller.go doNodeProcessingPassWorker: the NoSchedule taints and labels of one node. */
  async #processNode(name: string): Promise<void> {
    const node = this.#nodes.get(name);
    if (!node) return;
    const { add, remove } = noScheduleTaintDiff(node);
    if (add.length > 0 || remove.length > 0) await swapNodeControllerTaint(this.#client, node, { add, remove });
    const labels = labelsToUpdate(node);
    if (Object.keys(labels).length > 0) await this.#client.patch({ name }, { metadata: { labels } }, { type: 'strategic' });
  }

  /** node_lifecycle_controller.go processPod: a pod that was bound to a node that is not ready. */
  async #processPod(key: string): Promise<void> {
    const pod = this.#pods.get(key);
    const ready = this.#health.get(pod?.spec?.nodeName ?? '')?.ready;
    if (pod && ready && ready.status !== 'True') await markPodsNotReady(this.#podClient, this.#recorder, [pod]);
  }

  /** node_lifecycle_controller.go monitorNodeHealth */
  async #monitorNodeHealth(): Promise<void> {
    await this.#classifyNodes();
    const zones = new Map<string, ZoneReadiness>();
    const work: Promise<void>[] = [];
    for (const node of this.#nodes.list()) {
      const { ready, silence } = this.#observe(node);
      const unknown = silence === undefined ? undefined : withUnknownConditions(node, this.#actor.simulation.wallTime);
      const status = unknown ? 'Unknown' : ready?.status;
      if (!isNodeExcludedFromDisruptionChecks(node)) count(zones, getZoneKey(node), status === 'True');
      const retry = this.#toRetry.has(node.metadata.name ?? '');
      if (unknown || retry || (status !== undefined && status !== 'True') || this.#needsMonitoring(node)) {
        work.push(this.#attend(node, { ready, silence }));
      } else if (status === 'True') this.#tainter.forget(node);
    }
    await Promise.all(work);
    await this.#disruption.handle(zones);
  }

  /** Greets nodes that are new and says goodbye to those that are gone. node_lifecycle_controller.go classifyNodes */
  async #classifyNodes(): Promise<void> {
    for (const node of this.#nodes.list()) {
      const { name = '', uid = '' } = node.metadata;
      if (this.#known.has(name)) continue;
      this.#known.set(name, node);
      await this.#markNodeAsReachable(node);
      this.#recordNodeEvent({ name, uid }, 'RegisteredNode', `Registered Node ${name} in Controller`);
    }
    if (this.#known.size === this.#nodes.size) return;
    for (const [name, node] of this.#known) {
      if (this.#nodes.get(name)) continue;
      this.#recordNodeEvent({ name, uid: node.metadata.uid ?? '' }, 'RemovingNode', `Removing Node ${name} from Controller`);
      this.#known.delete(name);
      this.#health.delete(name);
      this.#toRetry.delete(name);
    }
  }

  #observe(node: Node): { ready: NodeCondition | undefined; silence: number | undefined } {
    const name = node.metadata.name ?? '';
    const { now } = this.#actor.simulation;
    const health = observeNode(node, this.#leases.get(`${NODE_LEASES}/${name}`), { before: this.#health.get(name), now });
    this.#health.set(name, health);
    return { ready: health.ready, silence: silentFor(node, health, now) };
  }

  /** What follows for a node that is not well, or is so again. node_lifecycle_controller.go updateNodeFunc */
  async #attend(node: Node, seen: { ready: NodeCondition | undefined; silence: number | undefined }): Promise<void> {
    const name = node.metadata.name ?? '';
    try {
      const latest = seen.silence === undefined ? node : await this.#tryUpdateNodeHealth(node, seen.silence);
      const status = readyCondition(latest)?.status;
      if (status === undefined) return;
      await this.#processTaintBaseEviction(latest, status);
      const turned = status !== 'True' && seen.ready?.status === 'True';
      if (turned) {
        const reference = { apiVersion: 'v1', kind: 'Node', name, uid: node.metadata.uid ?? '' };
        this.#recorder.event(reference, 'Normal', 'NodeNotReady', `Node ${name} status is now: NodeNotReady`);
      }
      if (turned || (this.#toRetry.has(name) && seen.ready?.status !== 'True')) {
        this.#toRetry.add(name);
        await markPodsNotReady(this.#podClient, this.#recorder, this.#pods.byIndex(NODE_NAME_INDEX, name));
      }
      this.#toRetry.delete(name);
    } catch (error) {
      rethrowPanic(error);
    }
  }

  /** Writes that nobody has heard of the node; returns it as it is then. node_lifecycle_controller.go tryUpdateNodeHealth */
  async #tryUpdateNodeHealth(node: Node, silence: number): Promise<Node> {
    const name = node.metadata.name ?? '';
    let latest = node;
    for (let tries = HEALTH_UPDATE_RETRY.tries; ; tries--) {
      const unknown = withUnknownConditions(latest, this.#actor.simulation.wallTime);
      if (!unknown) return latest;
      this.#decide(name, `node ${name} has not given a sign of life for ${Math.round(silence / 1_000)} s: Ready becomes Unknown`);
      try {
        const written = await this.#client.updateStatus(unknown);
        const health = this.#health.get(name);
        if (health) health.ready = readyCondition(written);
        return written;
      } catch (error) {
        rethrowPanic(error);
        if (tries <= 1) throw error;
      }
      await this.#actor.sleep(HEALTH_UPDATE_RETRY.sleepMs);
      latest = await this.#client.get({ name });
      if (this.#observe(latest).silence === undefined) return latest;
    }
  }

  /** node_lifecycle_controller.go processTaintBaseEviction */
  async #processTaintBaseEviction(node: Node, status: string): Promise<void> {
    if (status === 'True') return this.#markNodeAsReachable(node);
    const [wanted, opposite] = status === 'False' ? [NOT_READY_TAINT, UNREACHABLE_TAINT] : [UNREACHABLE_TAINT, NOT_READY_TAINT];
    if (taintExists(node.spec?.taints, opposite)) await swapNodeControllerTaint(this.#client, node, { add: [wanted], remove: [opposite] });
    else this.#tainter.markNodeForTainting(node, status);
  }

  /** node_lifecycle_controller.go markNodeAsReachable */
  async #markNodeAsReachable(node: Node): Promise<void> {
    try {
      for (const taint of NO_EXECUTE_TAINTS) await removeTaintOffNode(this.#client, node, [taint]);
    } catch (error) {
      rethrowPanic(error);
    }
    this.#tainter.forget(node);
  }

  /** pkg/controller/util/node RecordNodeEvent */
  #recordNodeEvent({ name, uid }: { name: string; uid: string }, reason: string, event: string): void {
    this.#recorder.event({ apiVersion: 'v1', kind: 'Node', name, uid }, 'Normal', reason, `Node ${name} event: ${event}`);
  }

  #decide(name: string, message: string): void {
    const object = { group: '', resource: 'nodes', kind: 'Node', name };
    this.#actor.simulation.recordCause({ kind: 'decision', component: 'node-lifecycle-controller', object, message });
  }
}

function needsPatch(node: Node): boolean {
  const { add, remove } = noScheduleTaintDiff(node);
  return add.length > 0 || remove.length > 0 || Object.keys(labelsToUpdate(node)).length > 0;
}

function count(zones: Map<string, ZoneReadiness>, zone: string, isReady: boolean): void {
  const readiness = zones.get(zone) ?? { ready: 0, notReady: 0 };
  zones.set(zone, readiness);
  if (isReady) readiness.ready++;
  else readiness.notReady++;
}

/** cmd/kube-controller-manager/app/core.go startNodeLifecycleController */
export function startNodeLifecycleController(context: ControllerContext): void {
  new NodeLifecycleController(context);
}
