import type { ContainerRuntimeInterface, PodRuntimeState } from '../../src/api/cri.ts';
import type { Pod, PodStatus } from '../../src/api/kinds/core-v1.ts';
import { parseTime } from '../../src/api/time.ts';
import type { EventRecorder } from '../../src/client/event-recorder.ts';
import type { Actor, Timer } from '../../src/sim/actor.ts';
import type { AllocationManager } from './allocation/allocation-manager.ts';
import { podResizeCompletedMessage } from './allocation/resize-completed.ts';
import type { PodConfig, PodHandler } from './config/pod-config.ts';
import { RESIZE_RETRY_MS } from './constants.ts';
import { isTerminalPhase } from './container/runtime.ts';
import { type GenerateParts, generateAPIPodStatus, type PodStatusOverride, rejectedStatus } from './kubelet-pods.ts';
import type { ContainerGc } from './kuberuntime/kuberuntime-gc.ts';
import type { KubeGenericRuntimeManager } from './kuberuntime/kuberuntime-manager.ts';
import { SyncPodError } from './kuberuntime/start-error.ts';
import type { PodAdmission, Refusal } from './lifecycle/admission.ts';
import type { Pleg, PodLifecycleEvent } from './pleg.ts';
import type { MirrorClient } from './pod/mirror-client.ts';
import type { KillPodOptions, PodSyncer, PodWorkers } from './pod-workers.ts';
import type { ProberManager } from './prober/prober-manager.ts';
import type { StatusManager } from './status/status-manager.ts';
import type { SyncContext } from './sync-context.ts';
import { SyncLoop, type Waiting } from './sync-loop.ts';
import { CONFIG_MIRROR, isStaticPod, podFullName } from './types/pod-update.ts';
import type { VolumeManager } from './volumemanager/volume-manager.ts';

/** The parts that a kubelet is made of. */
export interface KubeletParts {
  readonly actor: Actor;
  readonly runtime: ContainerRuntimeInterface;
  readonly recorder: EventRecorder;
  readonly podConfig: PodConfig;
  readonly pleg: Pleg;
  readonly workers: PodWorkers;
  readonly status: StatusManager;
  readonly prober: ProberManager;
  readonly volumes: VolumeManager;
  /** Looks for the secrets of registries, and tells which are missing. */
  readonly getPullSecrets: (pod: Pod) => Promise<void>;
  readonly containerRuntime: KubeGenericRuntimeManager;
  readonly gc: ContainerGc;
  readonly admission: PodAdmission;
  readonly allocation: AllocationManager;
  readonly generate: GenerateParts;
  readonly mirrors: MirrorClient;
  /** Adds what the kubelet reads from files, e.g. termination messages. */
  readonly enrich: (state: PodRuntimeState) => Promise<PodRuntimeState>;
  /** The runtime's network is not ready; why. */
  readonly networkProblem: () => string | undefined;
  /** What the kubelet remembers of a pod elsewhere is dropped. */
  readonly forget: (uid: string) => void;
}

/** pkg/kubelet/pod_workers.go killPodNow: so long a pod has to end at the least, else one and a half times its grace period */
const KILL_TIMEOUT_MS = 10_000;

const DEADLINE: PodStatusOverride = {
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
};

/** pkg/kubelet/kubelet.go Kubelet: hears of pods from the API and from the runtime, and syncs them. */
export class Kubelet implements PodHandler, PodSyncer {
  #parts: KubeletParts | undefined;
  readonly #deadlines = new Map<string, Timer>();
  /** Pods that ended by their activeDeadlineSeconds. */
  readonly #deadlineExceeded = new Set<string>();
  readonly #loop = new SyncLoop();
  #resizeRetry: Timer | undefined;
  /** Static pods that have been started, by full name; and those that wait until the one before has ended. */
  readonly #startedStatic = new Map<string, Pod>();
  readonly #waitingStatic = new Map<string, Pod>();
  /** All pods that were there at the start have been admitted or refused. */
  sourcesReady = false;

  /** Workers and kubelet need each other: the kubelet gets its parts when all are made. */
  connect(parts: KubeletParts): void {
    this.#parts = parts;
  }

  get #p(): KubeletParts {
    return this.#parts as KubeletParts;
  }

  /** pkg/kubelet/kubelet.go HandlePodAdditions */
  handlePodAdditions(added: readonly Pod[]): void {
    const sorted =
      added.length > 1
        ? [...added].sort((a, b) => ((a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? -1 : 1))
        : added;
    this.#loop.run(this.#p.actor, () => this.#addPods(sorted));
  }

  #addPods(sorted: readonly Pod[]): Waiting | undefined {
    for (const [index, pod] of sorted.entries()) {
      const terminating = pod.metadata.deletionTimestamp !== undefined || isTerminalPhase(pod.status?.phase);
      const refusal = terminating ? undefined : this.#p.admission.admit(pod);
      if (typeof refusal === 'function')
        return async () => {
          this.#addPod(pod, { terminating, refusal: await refusal() });
          await this.#addPods(sorted.slice(index + 1))?.();
        };
      this.#addPod(pod, { terminating, refusal });
    }
    return undefined;
  }

  handleSourcesReady(): void {
    this.#loop.run(this.#p.actor, () => {
      this.sourcesReady = true;
      return undefined;
    });
  }

  /** A mirror pod follows its static pod, whatever became of it; one without a static pod goes. */
  handleMirrorPod(mirror: Pod): void {
    const { podConfig, workers, status, mirrors } = this.#p;
    const pod = podConfig.staticPodOf(mirror);
    if (pod) {
      mirrors.reconcile(pod);
      status.noteApiStatus(mirror);
    } else if (!workers.has(mirror.metadata.annotations?.[CONFIG_MIRROR] ?? '') && podConfig.mirrorPodOf(mirror))
      mirrors.deleteOrphan(mirror);
  }

  #addPod(pod: Pod, { terminating, refusal }: { terminating: boolean; refusal: Refusal | undefined }): void {
    const { workers, admission, allocation, status, recorder, pleg } = this.#p;
    if (isStaticPod(pod) && !this.#allowStaticPodStart(pod)) return;
    if (refusal) {
      recorder.event(pod, 'Warning', refusal.reason, refusal.message);
      status.setPodStatus(pod, rejectedStatus(pod, refusal.reason, refusal.message));
      return;
    }
    if (!terminating) admission.reserve(pod);
    allocation.addPod(pod);
    // It ended before, or was refused, and left nothing: pkg/kubelet/pod_workers.go isPodStatusCacheTerminal.
    if (terminating && !pod.metadata.deletionTimestamp && pleg.get(pod.metadata.uid ?? '').sandboxes.length === 0) return;
    workers.updatePod({ type: 'create', pod });
  }

  /** pkg/kubelet/pod_workers.go allowStaticPodStart: of one full name one pod at a time. */
  #allowStaticPodStart(pod: Pod): boolean {
    const name = podFullName(pod);
    const before = this.#startedStatic.get(name)?.metadata.uid ?? '';
    const held = before !== pod.metadata.uid && this.#p.workers.has(before) && !this.#p.workers.isFinished(before);
    if (held) this.#waitingStatic.set(name, pod);
    else this.#startedStatic.set(name, pod);
    return !held;
  }

  /** A static pod has ended: the next of its name may start, else its mirror pod goes. */
  #staticPodFinished(uid: string): void {
    const pod = [...this.#startedStatic.values()].find(({ metadata }) => metadata.uid === uid);
    if (!pod || this.#p.podConfig.get(uid)) return;
    const name = podFullName(pod);
    this.#startedStatic.delete(name);
    const next = this.#waitingStatic.get(name);
    this.#waitingStatic.delete(name);
    const mirror = this.#p.podConfig.mirrorPodOf(pod);
    if (next && this.#p.podConfig.get(next.metadata.uid ?? '')) this.handlePodAdditions([next]);
    else if (mirror) this.#p.mirrors.deleteOrphan(mirror);
  }

  handlePodUpdates(updated: readonly Pod[]): void {
    this.#loop.run(this.#p.actor, () => {
      const resized = updated.filter((pod) => this.#p.allocation.pushPendingResize(pod));
      if (resized.length > 0) this.#retryPendingResizes();
      for (const pod of updated) this.#p.workers.updatePod({ type: 'update', pod });
      return undefined;
    });
  }

  handlePodDeletes(deleted: readonly Pod[]): void {
    this.handlePodUpdates(deleted);
  }

  /** pkg/kubelet/kubelet.go HandlePodRemoves */
  handlePodRemoves(removed: readonly Pod[]): void {
    this.#loop.run(this.#p.actor, () => this.#removePods(removed));
  }

  #removePods(removed: readonly Pod[]): undefined {
    const { workers, admission } = this.#p;
    for (const pod of removed) {
      const uid = pod.metadata.uid ?? '';
      admission.release(uid);
      if (workers.has(uid) && !workers.isFinished(uid)) workers.updatePod({ type: 'kill', pod });
      else this.#cleanUp(uid);
    }
    this.#retryPendingResizes();
  }

  /** pkg/kubelet/kubelet.go HandlePodReconcile: only a readiness gate asks for a sync. */
  handlePodReconcile(changed: readonly Pod[]): void {
    this.#loop.run(this.#p.actor, () => this.#reconcilePods(changed));
  }

  #reconcilePods(changed: readonly Pod[]): undefined {
    for (const pod of changed) {
      const uid = pod.metadata.uid ?? '';
      if (isTerminalPhase(pod.status?.phase) && this.#p.workers.has(uid) && !this.#p.workers.isTerminating(uid))
        this.#p.workers.updatePod({ type: 'update', pod });
      else if ((pod.spec?.readinessGates?.length ?? 0) > 0 && this.#readinessChanged(pod)) this.#p.workers.updatePod({ type: 'sync', pod });
      this.#p.status.noteApiStatus(pod);
      if (isTerminalPhase(pod.status?.phase)) this.#p.admission.release(uid);
    }
  }

  /** pkg/kubelet/kubelet.go syncLoopIteration, case plegCh. */
  handlePlegEvent(event: PodLifecycleEvent, cause: number): void {
    const pod = this.#p.podConfig.get(event.uid);
    const { simulation } = this.#p.actor;
    if (pod && event.type !== 'ContainerRemoved') simulation.withCause(cause, () => this.#p.workers.updatePod({ type: 'sync', pod }));
    if (event.type === 'ContainerDied') this.#p.gc.note(event.uid);
    if (pod && event.type === 'ContainerDied' && event.container) this.#p.gc.pruneLater(event.uid);
  }

  /** A probe's result changed: pkg/kubelet/kubelet.go handleProbeSync. */
  handleProbeSync(uid: string): void {
    const pod = this.#p.podConfig.get(uid);
    if (pod) this.#p.workers.updatePod({ type: 'sync', pod });
  }

  /** There may be more room, or something else is asked for. Pods that have to wait are looked at again after a while, too. */
  #retryPendingResizes(): void {
    const { allocation, podConfig, workers, actor } = this.#p;
    for (const pod of allocation.retryPendingResizes((uid) => podConfig.get(uid))) workers.updatePod({ type: 'sync', pod });
    if (!allocation.hasDeferred || this.#resizeRetry) return;
    const retry = (): void => {
      this.#resizeRetry = undefined;
      this.#retryPendingResizes();
    };
    this.#resizeRetry = actor.schedule(RESIZE_RETRY_MS, retry, { priority: 'background', label: `${actor.name} resizes` });
  }

  /** Everything the worker had to do is done; if the object is gone too, nothing is kept. */
  handleWorkerFinished(uid: string): void {
    if (this.#startedStatic.size > 0) this.#staticPodFinished(uid);
    if (!this.#p.podConfig.get(uid)) this.#cleanUp(uid);
  }

  /** The kubelet evicts a pod, or preempts it: pkg/kubelet/pod_workers.go killPodNow. Resolves when its containers have ended, or when that takes too long. */
  killPodNow(pod: Pod, options: KillPodOptions): Promise<void> {
    const { actor, recorder, workers } = this.#p;
    const grace = options.gracePeriodOverride ?? pod.spec?.terminationGracePeriodSeconds ?? 0;
    return new Promise((resolve) => {
      const late = actor.schedule(Math.max(KILL_TIMEOUT_MS, grace * 1500), () => {
        recorder.event(pod, 'Warning', 'ExceededGracePeriod', 'Container runtime did not kill the pod within specified grace period.');
        actor.simulation.resolve(resolve, undefined);
      });
      const onTerminated = (): void => {
        late.cancel();
        actor.simulation.resolve(resolve, undefined);
      };
      workers.updatePod({ type: 'kill', pod, kill: { ...options, onTerminated } });
    });
  }

  /** pkg/kubelet/container GC DeleteAllUnusedContainers */
  removeDeadContainers(): Promise<void> {
    return this.#p.gc.deleteAllUnusedContainers();
  }

  /** pkg/kubelet/kubelet.go SyncPod */
  async syncPod(asked: Pod, state: PodRuntimeState, context: SyncContext): Promise<boolean> {
    const pod = this.#p.allocation.updatePodFromAllocation(asked);
    const { status, prober, volumes, containerRuntime, recorder, allocation } = this.#p;
    if (allocation.isResizeCompleted(pod)) recorder.event(pod, 'Normal', 'ResizeCompleted', podResizeCompletedMessage(pod));
    const computed = this.#generate(pod, state, { podIsTerminal: false });
    status.setPodStatus(pod, computed);
    if (isStaticPod(pod)) this.#p.mirrors.reconcile(pod);
    this.#watchDeadline(pod, computed);
    if (isTerminalPhase(computed.phase)) return true;
    const problem = this.#p.networkProblem();
    if (problem && !pod.spec?.hostNetwork) {
      recorder.event(pod, 'Warning', 'NetworkNotReady', `network is not ready: ${problem}`);
      throw new SyncPodError(`network is not ready: ${problem}`, { networkNotReady: true });
    }
    await volumes.waitForAttachAndMount(pod, context);
    if (pod.spec?.imagePullSecrets?.length) await this.#p.getPullSecrets(pod);
    prober.addPod(pod);
    await containerRuntime.syncPod(pod, state);
    return false;
  }

  /** pkg/kubelet/kubelet.go SyncTerminatingPod */
  async syncTerminatingPod(asked: Pod, kill: KillPodOptions, state: PodRuntimeState): Promise<void> {
    const { status, prober, containerRuntime, allocation } = this.#p;
    const pod = allocation.updatePodFromAllocation(asked);
    const uid = pod.metadata.uid ?? '';
    const override = kill.status;
    status.setPodStatus(pod, this.#generate(pod, state, { podIsTerminal: false, override }));
    this.#deadlines.get(uid)?.cancel();
    prober.stopLivenessAndStartup(pod);
    const current = await this.#podStatus(uid);
    await containerRuntime.killPod(pod, current, kill.gracePeriodOverride);
    prober.removePod(pod);
    const stopped = await this.#podStatus(uid);
    if (this.#p.podConfig.get(uid)) status.setPodStatus(pod, this.#generate(pod, stopped, { podIsTerminal: true, override }));
    this.#p.admission.release(uid);
  }

  /** pkg/kubelet/kubelet.go SyncTerminatedPod */
  async syncTerminatedPod(pod: Pod, state: PodRuntimeState): Promise<void> {
    const { status, volumes } = this.#p;
    const uid = pod.metadata.uid ?? '';
    if (this.#p.podConfig.get(uid)) status.setPodStatus(pod, this.#generate(pod, state, { podIsTerminal: true }));
    await volumes.waitForUnmount(pod);
    if (this.#p.podConfig.get(uid)) status.terminatePod(pod);
    this.#p.gc.note(uid);
  }

  #generate(pod: Pod, state: PodRuntimeState, options: { podIsTerminal: boolean; override?: PodStatusOverride | undefined }): PodStatus {
    const uid = pod.metadata.uid ?? '';
    const override = options.override ?? (this.#pastDeadline(pod) ? DEADLINE : undefined);
    const oldStatus = this.#p.status.getPodStatus(uid) ?? pod.status ?? {};
    return generateAPIPodStatus(this.#p.generate, { pod, state, oldStatus, podIsTerminal: options.podIsTerminal, override });
  }

  async #podStatus(uid: string): Promise<PodRuntimeState> {
    const [state] = await this.#p.runtime.listPods([uid]);
    return state ? this.#p.enrich(state) : { uid, sandboxes: [], containers: [] };
  }

  #readinessChanged(pod: Pod): boolean {
    const held = this.#p.status.getPodStatus(pod.metadata.uid ?? '');
    const computed = this.#generate(pod, this.#p.pleg.get(pod.metadata.uid ?? ''), { podIsTerminal: false });
    const ready = (status: PodStatus | undefined): string | undefined => status?.conditions?.find(({ type }) => type === 'Ready')?.status;
    return ready(held) !== ready(computed);
  }

  /** pkg/kubelet/active_deadline.go */
  #pastDeadline(pod: Pod): boolean {
    const uid = pod.metadata.uid ?? '';
    if (this.#deadlineExceeded.has(uid)) return true;
    const seconds = pod.spec?.activeDeadlineSeconds;
    const started = parseTime((this.#p.status.getPodStatus(uid) ?? pod.status)?.startTime);
    if (seconds === undefined || started === undefined || this.#p.actor.wallTime - started < seconds * 1000) return false;
    this.#deadlineExceeded.add(uid);
    this.#p.recorder.event(pod, 'Normal', DEADLINE.reason, DEADLINE.message);
    return true;
  }

  #watchDeadline(pod: Pod, status: PodStatus): void {
    const uid = pod.metadata.uid ?? '';
    const seconds = pod.spec?.activeDeadlineSeconds;
    if (seconds === undefined || isTerminalPhase(status.phase)) return;
    this.#deadlines.get(uid)?.cancel();
    const held = this.#p.status.getPodStatus(uid)?.startTime;
    const due = (parseTime(held) ?? this.#p.actor.wallTime) + seconds * 1000;
    const label = `${this.#p.actor.name} deadline of ${pod.metadata.name}`;
    this.#deadlines.set(
      uid,
      this.#p.actor.schedule(due - this.#p.actor.wallTime, () => this.handleProbeSync(uid), { label }),
    );
  }

  #cleanUp(uid: string): void {
    this.#deadlines.get(uid)?.cancel();
    this.#deadlines.delete(uid);
    this.#deadlineExceeded.delete(uid);
    this.#p.workers.forget(uid);
    this.#p.status.forget(uid);
    this.#p.forget(uid);
    this.#p.gc.note(uid);
  }
}
