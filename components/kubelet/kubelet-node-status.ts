import type { ContainerRuntimeInterface } from '../../src/api/cri.ts';
import { semanticDeepEqual } from '../../src/api/deep-equal.ts';
import type { Node, NodeStatus, ObjectReference } from '../../src/api/kinds/core-v1.ts';
import { nodes } from '../../src/api/resources.ts';
import { ApiStatusError, isAlreadyExists } from '../../src/api/status-error.ts';
import { formatDuration, formatTime } from '../../src/api/time.ts';
import type { Client } from '../../src/client/client.ts';
import type { EventRecorder } from '../../src/client/event-recorder.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { ActorUnavailable } from '../../src/sim/actor-unavailable.ts';
import type { Random } from '../../src/sim/random.ts';
import type { DeviceCapacity } from './cm/devicemanager/device-manager.ts';
import { type KubeletConfig, registerTaints } from './config.ts';
import {
  NODE_STATUS_JITTER,
  NODE_STATUS_REPORT_MS,
  NODE_STATUS_UPDATE_MS,
  PLEG_RELIST_THRESHOLD_MS,
  REGISTER_RETRY_MAX_MS,
  REGISTER_RETRY_MS,
  RUNTIME_ANSWER_MS,
  RUNTIME_SYNC_THRESHOLD_MS,
} from './constants.ts';
import { conditionOf, makeNodeStatus, type NodeFacts } from './nodestatus/setters.ts';
import { statusPatch } from './nodestatus/status-patch.ts';
import { within } from './within.ts';

interface NodeStatusParts {
  readonly actor: Actor;
  readonly client: Client;
  readonly recorder: EventRecorder;
  readonly random: Random;
  readonly runtime: ContainerRuntimeInterface;
  readonly config: KubeletConfig;
  readonly nodeIp: string;
  readonly bootId: string;
  readonly pressure: () => ReadonlySet<string>;
  readonly devices: () => DeviceCapacity | undefined;
  readonly volumesInUse: () => readonly string[];
  /** The machine is about to go off; what the node says of it. */
  readonly shutdown: () => string | undefined;
}

/** Conditions whose changes are told as events: condition type and status to reason. */
const TRANSITION_EVENTS: Readonly<Record<string, string>> = {
  'Ready/True': 'NodeReady',
  'Ready/False': 'NodeNotReady',
  'MemoryPressure/True': 'NodeHasInsufficientMemory',
  'MemoryPressure/False': 'NodeHasSufficientMemory',
  'DiskPressure/True': 'NodeHasDiskPressure',
  'DiskPressure/False': 'NodeHasNoDiskPressure',
  'PIDPressure/True': 'NodeHasInsufficientPID',
  'PIDPressure/False': 'NodeHasSufficientPID',
};

/** pkg/kubelet/kubelet_node_status.go: registers the node and keeps its status. */
export class NodeStatusManager {
  readonly #parts: NodeStatusParts;
  readonly #machineId: string;
  #node: Node | undefined;
  #networkProblem: string | undefined;
  #images: NodeFacts['images'] = [];
  #runtimeVersion = '';
  /** When the runtime last answered. */
  #runtimeSeenAt: number | undefined;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #unschedulable = false;
  #nextSync = 0;

  constructor(parts: NodeStatusParts) {
    this.#parts = parts;
    this.#machineId = parts.random.fork('machine').hex(32);
  }

  /** The node as the kubelet last saw it. */
  get node(): Node | undefined {
    return this.#node;
  }

  get networkProblem(): string | undefined {
    return this.#networkProblem;
  }

  /** A newer state of the node from its watch. */
  take(node: Node): void {
    const before = this.#node?.spec?.podCIDR;
    this.#node = node;
    const podCidr = node.spec?.podCIDR;
    if (podCidr && podCidr !== before) this.#updatePodCidr(podCidr);
  }

  /** pkg/kubelet/kubelet_network.go updatePodCIDR */
  #updatePodCidr(podCidr: string): void {
    const { actor, runtime } = this.#parts;
    actor.schedule(0, async () => {
      try {
        await runtime.updateRuntimeConfig({ podCidr });
      } catch (error) {
        if (!(error instanceof ActorUnavailable)) throw error;
      }
    });
  }

  /** pkg/kubelet/kubelet_node_status.go registerWithAPIServer: resolves when the node is there. */
  async register(): Promise<void> {
    const { actor } = this.#parts;
    for (let delayMs = REGISTER_RETRY_MS; ; delayMs = Math.min(delayMs * 2, REGISTER_RETRY_MAX_MS)) {
      try {
        await this.#tryRegister();
        return;
      } catch (error) {
        if (!(error instanceof ApiStatusError) && !(error instanceof ActorUnavailable)) throw error;
      }
      await actor.sleep(delayMs);
    }
  }

  /** Goes on for ever: every 10 s the status is made up, and reported when it changed or when 5 min have passed. */
  async run(): Promise<void> {
    const { actor, random, config } = this.#parts;
    const everyMs = config.nodeStatusUpdateFrequencyMs ?? NODE_STATUS_UPDATE_MS;
    for (;;) {
      const delayMs = Math.round(random.jitter(everyMs, NODE_STATUS_JITTER));
      this.#nextSync = actor.simulation.now + delayMs;
      await actor.sleep(delayMs, 'background');
      await this.sync();
    }
  }

  /** There is something to tell at the next round: whoever waits for the cluster to settle waits for that, too. */
  expectChange(): void {
    const { actor } = this.#parts;
    const label = `${actor.name} node status`;
    actor.schedule(Math.max(0, this.#nextSync - actor.simulation.now), () => {}, { label });
  }

  /** pkg/kubelet/kubelet_node_status.go updateNodeStatus */
  async sync(): Promise<void> {
    try {
      await this.#tryUpdate({ heartbeat: true });
    } catch (error) {
      if (!(error instanceof ApiStatusError) && !(error instanceof ActorUnavailable)) throw error;
    }
  }

  async #tryRegister(): Promise<void> {
    const { client, config } = this.#parts;
    const status = makeNodeStatus(await this.#facts(), undefined);
    const taints = registerTaints(config);
    const node: Node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name: config.nodeName,
        labels: labelsOf(config),
        annotations: {
          ...(config.cloudProvider ? { 'alpha.kubernetes.io/provided-node-ip': this.#parts.nodeIp } : {}),
          'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
        },
      },
      spec: taints.length > 0 ? { taints } : {},
      status,
    };
    try {
      this.#node = await client.resource(nodes).create(node);
      this.#reportedAt = this.#parts.actor.simulation.now;
      this.#recordFirst();
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      await this.#reconcileExisting();
    }
  }

  /** pkg/kubelet/kubelet_node_status.go tryRegisterWithAPIServer, for a node that is there already. */
  async #reconcileExisting(): Promise<void> {
    const { client, config } = this.#parts;
    const existing = await client.resource(nodes).get({ name: config.nodeName });
    this.#node = existing;
    this.#recordFirst();
    const missing = Object.entries(labelsOf(config)).filter(([key, value]) => existing.metadata.labels?.[key] !== value);
    if (missing.length > 0) {
      const patch = { metadata: { labels: Object.fromEntries(missing) } };
      this.#node = await client.resource(nodes).patch({ name: config.nodeName }, patch, { type: 'strategic' });
    }
    await this.#tryUpdate({ heartbeat: false });
  }

  /** @param options.heartbeat nobody waits for it, unless something has changed */
  async #tryUpdate(options: { readonly heartbeat: boolean }): Promise<void> {
    const { client, config, actor } = this.#parts;
    const old = this.#node;
    if (!old) return;
    this.#noteSchedulable(old);
    const status = makeNodeStatus(await this.#facts(), old.status);
    const { now } = actor.simulation;
    const changed = !semanticDeepEqual(withoutHeartbeats(old.status), withoutHeartbeats(status));
    if (!changed && now - this.#reportedAt < NODE_STATUS_REPORT_MS) return;
    const patch = statusPatch(old.status ?? {}, status);
    if (patch)
      this.#node = await client.resource(nodes).patch({ name: config.nodeName }, patch, {
        type: 'strategic',
        subresource: 'status',
        ...(changed || !options.heartbeat ? {} : { background: true }),
      });
    this.#reportedAt = now;
    this.#recordTransitions(old, status);
    const { bootId } = this.#parts;
    if (old.status?.nodeInfo?.bootID !== bootId)
      this.event('Rebooted', `Node ${config.nodeName} has been rebooted, boot id: ${bootId}`, 'Warning');
  }

  async #facts(): Promise<NodeFacts> {
    const { actor, config, nodeIp, pressure } = this.#parts;
    const notReady = await this.#runtimeErrors();
    const shutdown = this.#parts.shutdown();
    if (shutdown) notReady.push(shutdown);
    const now = formatTime(actor.wallTime);
    return {
      config,
      nodeIp,
      machineId: this.#machineId,
      bootId: this.#parts.bootId,
      runtimeVersion: this.#runtimeVersion,
      images: this.#images,
      notReady,
      pressure: pressure(),
      devices: this.#parts.devices(),
      volumesInUse: this.#parts.volumesInUse(),
      now,
    };
  }

  /** What is wrong with the runtime, as far as the kubelet has noticed: pkg/kubelet/runtime.go runtimeErrors */
  async #runtimeErrors(): Promise<string[]> {
    const { actor } = this.#parts;
    try {
      await within(actor, this.#askRuntime(), RUNTIME_ANSWER_MS);
    } catch (error) {
      if (!(error instanceof ActorUnavailable)) throw error;
    }
    const silentMs = actor.simulation.now - (this.#runtimeSeenAt ?? Number.NEGATIVE_INFINITY);
    const errors: string[] = silentMs > RUNTIME_SYNC_THRESHOLD_MS ? ['container runtime is down'] : [];
    const seen = Number.isFinite(silentMs)
      ? `pleg was last seen active ${formatDuration(silentMs)} ago; threshold is ${formatDuration(PLEG_RELIST_THRESHOLD_MS)}`
      : 'pleg has yet to be successful';
    if (silentMs > PLEG_RELIST_THRESHOLD_MS) errors.push(`PLEG is not healthy: ${seen}`);
    return this.#networkProblem ? [...errors, this.#networkProblem] : errors;
  }

  async #askRuntime(): Promise<void> {
    const { actor, runtime } = this.#parts;
    const network = (await runtime.status()).find(({ type }) => type === 'NetworkReady');
    this.#networkProblem =
      network?.status === false
        ? `container runtime network not ready: NetworkReady=false reason:${network.reason} message:${network.message}`
        : undefined;
    this.#images = await runtime.listImages();
    this.#runtimeVersion = (await runtime.version()).runtimeVersion;
    this.#runtimeSeenAt = actor.simulation.now;
  }

  /**
   * Events of each start of a kubelet, whether its node was there before or not: the real one makes the node's status up from nothing first. NodeReady is told
   * only of a change.
   */
  #recordFirst(): void {
    this.event('Starting', 'Starting kubelet.');
    for (const reason of ['NodeHasSufficientMemory', 'NodeHasNoDiskPressure', 'NodeHasSufficientPID']) this.#tell(reason);
    this.event('NodeAllocatableEnforced', 'Updated Node Allocatable limit across pods');
  }

  #recordTransitions(old: Node, status: NodeStatus): void {
    for (const { type, status: now } of status.conditions ?? []) {
      const before = conditionOf(old, type)?.status;
      const reason = TRANSITION_EVENTS[`${type}/${now}`];
      if (before !== undefined && before !== now && reason) this.#tell(reason);
    }
  }

  #noteSchedulable(node: Node): void {
    const unschedulable = node.spec?.unschedulable ?? false;
    if (unschedulable === this.#unschedulable) return;
    this.#unschedulable = unschedulable;
    this.#tell(unschedulable ? 'NodeNotSchedulable' : 'NodeSchedulable');
  }

  #tell(reason: string): void {
    this.event(reason, `Node ${this.#parts.config.nodeName} status is now: ${reason}`);
  }

  /** An event on the node; its involved object carries the node's name for a uid, as the real one does. */
  event(reason: string, message: string, type: 'Normal' | 'Warning' = 'Normal'): void {
    const { nodeName } = this.#parts.config;
    const reference: ObjectReference = { kind: 'Node', name: nodeName, uid: nodeName };
    this.#parts.recorder.event(reference, type, reason, message);
  }
}

function labelsOf(config: KubeletConfig): Record<string, string> {
  return {
    'beta.kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': config.nodeName,
    'kubernetes.io/os': 'linux',
    ...config.labels,
  };
}

function withoutHeartbeats(status: NodeStatus | undefined): unknown {
  return { ...status, conditions: (status?.conditions ?? []).map(({ lastHeartbeatTime: _, ...rest }) => rest) };
}
