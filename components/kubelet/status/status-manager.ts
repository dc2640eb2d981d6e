import { semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { ContainerStatus, Pod, PodCondition, PodStatus } from '../../../src/api/kinds/core-v1.ts';
import { pods } from '../../../src/api/resources.ts';
import { ApiStatusError, isNotFound } from '../../../src/api/status-error.ts';
import { formatTime } from '../../../src/api/time.ts';
import type { Client, ResourceClient } from '../../../src/client/client.ts';
import type { Actor, Timer } from '../../../src/sim/actor.ts';
import { ActorUnavailable } from '../../../src/sim/actor-unavailable.ts';
import { STATUS_SYNC_PERIOD_MS } from '../constants.ts';
import { isTerminalPhase } from '../container/runtime.ts';
import { CONFIG_MIRROR, isMirrorPod } from '../types/pod-update.ts';
import { generateContainersReadyCondition, generatePodReadyCondition } from './generate.ts';
import { mergePodStatus } from './merge-pod-status.ts';
import { normalizeStatus } from './normalize-status.ts';
import { statusPatch } from './status-patch.ts';

interface VersionedPodStatus {
  readonly version: number;
  readonly status: PodStatus;
  readonly namespace: string;
  readonly name: string;
  readonly podIsFinished: boolean;
  /** Trace entry that led to this version. */
  readonly cause: number;
}

interface StatusManagerParts {
  readonly actor: Actor;
  readonly client: Client;
  /** pkg/kubelet/status PodDeletionSafetyProvider */
  readonly podCouldHaveRunningContainers: (pod: Pod) => boolean;
}

/** pkg/kubelet/status manager: the one writer of pod statuses; it writes one after another. */
export class StatusManager {
  readonly #parts: StatusManagerParts;
  readonly #pods: ResourceClient<Pod>;
  readonly #statuses = new Map<string, VersionedPodStatus>();
  readonly #apiVersions = new Map<string, number>();
  /** Resource versions that our own writes brought. */
  readonly #written = new Map<string, string>();
  readonly #pending = new Set<string>();
  #writing = false;
  #retry: Timer | undefined;

  constructor(parts: StatusManagerParts) {
    this.#parts = parts;
    this.#pods = parts.client.resource(pods);
  }

  getPodStatus(uid: string): PodStatus | undefined {
    return this.#statuses.get(uid)?.status;
  }

  /** pkg/kubelet/status SetPodStatus */
  setPodStatus(pod: Pod, status: PodStatus): void {
    this.#updateStatusInternal(pod, status, { forceUpdate: pod.metadata.deletionTimestamp !== undefined, podIsFinished: false });
  }

  /** pkg/kubelet/status SetContainerReadiness */
  setContainerReadiness(pod: Pod, containerId: string, ready: boolean): void {
    const updated = this.#withContainer(pod, containerId, (status) => (status.ready === ready ? undefined : { ...status, ready }));
    if (!updated) return;
    const fresh = [generatePodReadyCondition(pod, updated, updated.conditions ?? []), generateContainersReadyCondition(pod, updated)];
    const conditions = (updated.conditions ?? []).map((condition) => fresh.find(({ type }) => type === condition.type) ?? condition);
    this.#updateStatusInternal(pod, { ...updated, conditions }, { forceUpdate: false, podIsFinished: false });
  }

  /** pkg/kubelet/status SetContainerStartup */
  setContainerStartup(pod: Pod, containerId: string, started: boolean): void {
    const updated = this.#withContainer(pod, containerId, (status) => (status.started === started ? undefined : { ...status, started }));
    if (updated) this.#updateStatusInternal(pod, updated, { forceUpdate: false, podIsFinished: false });
  }

  /** pkg/kubelet/status TerminatePod: nothing of the pod is left on the node; its object may go. */
  terminatePod(pod: Pod): void {
    const status = this.#statuses.get(pod.metadata.uid ?? '')?.status ?? pod.status ?? {};
    const begun = (status.initContainerStatuses ?? []).findLastIndex(hasRun);
    const initContainerStatuses = status.initContainerStatuses?.map((container, index) =>
      index <= begun ? endContainer(container) : container,
    );
    const containerStatuses = hasPodInitialized(pod, status) ? status.containerStatuses?.map(endContainer) : status.containerStatuses;
    const phase = isTerminalPhase(status.phase) ? status.phase : 'Failed';
    const ended: PodStatus = {
      ...status,
      ...(phase ? { phase } : {}),
      ...(initContainerStatuses ? { initContainerStatuses } : {}),
      ...(containerStatuses ? { containerStatuses } : {}),
    };
    this.#updateStatusInternal(pod, ended, { forceUpdate: true, podIsFinished: true });
  }

  /** The pod's object is gone: pkg/kubelet/status RemoveOrphanedStatuses. */
  forget(uid: string): void {
    this.#statuses.delete(uid);
    this.#apiVersions.delete(uid);
    this.#written.delete(uid);
    this.#pending.delete(uid);
  }

  /** The API tells of another status than ours: it is written again at the next full sync. pkg/kubelet/status needsReconcile */
  noteApiStatus(pod: Pod): void {
    const uid = uidOf(pod);
    const held = this.#statuses.get(uid);
    if (!held || this.#isToWrite(uid, held) || this.#written.get(uid) === pod.metadata.resourceVersion) return;
    const merged = mergePodStatus({ pod, next: held.status, couldHaveRunningContainers: this.#parts.podCouldHaveRunningContainers(pod) });
    if (semanticDeepEqual(merged, pod.status)) return;
    this.#apiVersions.delete(uid);
    this.#pending.add(uid);
    this.#writeLater(STATUS_SYNC_PERIOD_MS);
  }

  /** A write of this status is still to come. A pod may also wait here whose status has been written since. */
  #isToWrite(uid: string, held: VersionedPodStatus): boolean {
    return this.#pending.has(uid) && this.#needsUpdate(uid, held);
  }

  /** pkg/kubelet/status needsUpdate */
  #needsUpdate(uid: string, held: VersionedPodStatus): boolean {
    return (this.#apiVersions.get(uid) ?? -1) < held.version;
  }

  #withContainer(pod: Pod, containerId: string, change: (status: ContainerStatus) => ContainerStatus | undefined): PodStatus | undefined {
    const held = this.#statuses.get(pod.metadata.uid ?? '')?.status;
    if (!held) return undefined;
    for (const field of ['containerStatuses', 'initContainerStatuses'] as const) {
      const index = held[field]?.findIndex((status) => status.containerID === containerId) ?? -1;
      const found = held[field]?.[index];
      const changed = found ? change(found) : undefined;
      if (changed) return { ...held, [field]: held[field]?.with(index, changed) };
    }
    return undefined;
  }

  /** pkg/kubelet/status updateStatusInternal */
  #updateStatusInternal(pod: Pod, given: PodStatus, options: { forceUpdate: boolean; podIsFinished: boolean }): void {
    const status = normalizeStatus(pod, given);
    const { name = '', namespace = '', uid = '' } = pod.metadata;
    const cached = this.#statuses.get(uid);
    const old = cached?.status ?? pod.status ?? {};
    const { simulation } = this.#parts.actor;
    const now = formatTime(this.#parts.actor.wallTime);
    const next: PodStatus = {
      ...status,
      ...(status.conditions
        ? { conditions: status.conditions.map((condition) => withTransitionTime(condition, old.conditions, now)) }
        : {}),
      startTime: old.startTime ?? status.startTime ?? now,
    };
    const podIsFinished = options.podIsFinished || (cached?.podIsFinished ?? false);
    if (cached && !options.forceUpdate && podIsFinished === cached.podIsFinished && semanticDeepEqual(cached.status, next)) return;
    this.#statuses.set(uid, { version: (cached?.version ?? 0) + 1, status: next, name, namespace, podIsFinished, cause: simulation.cause });
    this.#pending.add(uid);
    this.#write();
  }

  #write(): void {
    if (this.#writing) return;
    this.#writing = true;
    this.#parts.actor.schedule(0, () => this.#syncBatch(), { label: `${this.#parts.actor.name} status manager` });
  }

  #writeLater(delayMs: number): void {
    if (this.#retry && this.#retry.due <= this.#parts.actor.simulation.now + delayMs) return;
    this.#retry?.cancel();
    this.#retry = this.#parts.actor.schedule(delayMs, () => {
      this.#retry = undefined;
      this.#write();
    });
  }

  /** pkg/kubelet/status syncBatch */
  async #syncBatch(): Promise<void> {
    const { simulation } = this.#parts.actor;
    const failed: string[] = [];
    for (let [uid] = this.#pending; uid !== undefined; [uid] = this.#pending) {
      this.#pending.delete(uid);
      const held = this.#statuses.get(uid);
      if (!held || !this.#needsUpdate(uid, held)) continue;
      try {
        await simulation.withCause(held.cause, () => this.#syncPod(uid, held));
      } catch (error) {
        if (!(error instanceof ApiStatusError) && !(error instanceof ActorUnavailable)) throw error;
        failed.push(uid);
      }
    }
    this.#writing = false;
    for (const uid of failed) this.#pending.add(uid);
    if (failed.length > 0) this.#writeLater(STATUS_SYNC_PERIOD_MS);
  }

  /** pkg/kubelet/status syncPod */
  async #syncPod(uid: string, held: VersionedPodStatus): Promise<void> {
    const at = { namespace: held.namespace, name: held.name };
    let pod: Pod;
    try {
      pod = await this.#pods.get(at);
    } catch (error) {
      if (isNotFound(error)) return;
      throw error;
    }
    // What becomes of a static pod is told by its mirror pod, which has a uid of its own.
    if (uidOf(pod) !== uid) return isMirrorPod(pod) ? undefined : this.forget(uid);
    const merged = mergePodStatus({ pod, next: held.status, couldHaveRunningContainers: this.#parts.podCouldHaveRunningContainers(pod) });
    const patch = statusPatch(pod.metadata.uid ?? '', pod.status ?? {}, merged);
    if (patch) pod = await this.#pods.patch(at, patch, { type: 'strategic', subresource: 'status' });
    this.#apiVersions.set(uid, held.version);
    // A patch leaves alone what somebody else has changed meanwhile, e.g. the readiness of a node that was away: then what comes back is not what was meant.
    if (semanticDeepEqual(pod.status, merged)) this.#written.set(uid, pod.metadata.resourceVersion ?? '');
    else this.#written.delete(uid);
    if (!this.#canBeDeleted(pod, held)) return;
    try {
      await this.#pods.delete(at, { gracePeriodSeconds: 0, preconditions: { uid } });
    } catch (error) {
      if (!isNotFound(error)) {
        // The next full sync comes back to it: pkg/kubelet/status needsUpdate.
        this.#apiVersions.delete(uid);
        throw error;
      }
    }
    this.forget(uid);
  }

  /** pkg/kubelet/status canBeDeleted */
  #canBeDeleted(pod: Pod, held: VersionedPodStatus): boolean {
    if (!pod.metadata.deletionTimestamp || pod.metadata.annotations?.['kubernetes.io/config.mirror']) return false;
    return isTerminalPhase(pod.status?.phase) && held.podIsFinished;
  }
}

/** pkg/kubelet/pod TranslatePodUID: the uid that the kubelet knows the pod by. */
function uidOf({ metadata }: Pod): string {
  return metadata.annotations?.[CONFIG_MIRROR] ?? metadata.uid ?? '';
}

/** pkg/kubelet/status updateLastTransitionTime */
function withTransitionTime(condition: PodCondition, old: readonly PodCondition[] | undefined, now: string): PodCondition {
  const before = old?.find(({ type }) => type === condition.type);
  const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : now;
  return lastTransitionTime && condition.lastTransitionTime !== lastTransitionTime ? { ...condition, lastTransitionTime } : condition;
}

/** There is evidence that the container was started. */
function hasRun({ state, lastState }: ContainerStatus): boolean {
  return Boolean(state?.running ?? state?.terminated ?? lastState?.terminated);
}

/** pkg/kubelet/status hasPodInitialized */
function hasPodInitialized(pod: Pod, status: PodStatus): boolean {
  if (!pod.spec?.initContainers?.length || status.containerStatuses?.some(hasRun)) return true;
  const last = status.initContainerStatuses?.at(-1);
  return last !== undefined && (last.lastState?.terminated?.exitCode === 0 || last.state?.terminated?.exitCode === 0);
}

function endContainer(status: ContainerStatus): ContainerStatus {
  if (status.state?.terminated) return status;
  const terminated = {
    reason: 'ContainerStatusUnknown',
    message: 'The container could not be located when the pod was terminated',
    exitCode: 137,
    startedAt: '1970-01-01T00:00:00Z',
    finishedAt: '1970-01-01T00:00:00Z',
  };
  return { ...status, state: { terminated } };
}
