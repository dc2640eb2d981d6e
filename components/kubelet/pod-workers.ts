import type { PodRuntimeState } from '../../src/api/cri.ts';
import type { Pod } from '../../src/api/kinds/core-v1.ts';
import { ApiStatusError } from '../../src/api/status-error.ts';
import type { Actor, Priority, Timer } from '../../src/sim/actor.ts';
import { ActorUnavailable } from '../../src/sim/actor-unavailable.ts';
import type { Random } from '../../src/sim/random.ts';
import {
  BACK_OFF_PERIOD_MS,
  NETWORK_BACK_OFF_PERIOD_MS,
  SYNC_TICK_MS,
  WORK_RETRIES,
  WORKER_BACK_OFF_PERIOD_JITTER_FACTOR,
} from './constants.ts';
import { isTerminalPhase } from './container/runtime.ts';
import type { PodStatusOverride } from './kubelet-pods.ts';
import { SyncPodError } from './kuberuntime/start-error.ts';
import { SyncCanceled, SyncContext } from './sync-context.ts';

export type UpdateType = 'create' | 'update' | 'sync' | 'kill';

export interface KillPodOptions {
  readonly gracePeriodOverride?: number;
  readonly status?: PodStatusOverride;
  /** Called when no container of the pod is left: pkg/kubelet/pod_workers.go CompletedCh. */
  readonly onTerminated?: () => void;
}

export interface UpdatePodOptions {
  readonly type: UpdateType;
  readonly pod: Pod;
  readonly kill?: KillPodOptions;
}

/** What a worker does to its pod: pkg/kubelet/pod_workers.go podSyncer. */
export interface PodSyncer {
  /** Resolves with whether the pod has come to its end by itself. */
  syncPod(pod: Pod, state: PodRuntimeState, context: SyncContext): Promise<boolean>;
  syncTerminatingPod(pod: Pod, kill: KillPodOptions, state: PodRuntimeState): Promise<void>;
  syncTerminatedPod(pod: Pod, state: PodRuntimeState): Promise<void>;
}

interface PodWorkersParts {
  readonly actor: Actor;
  readonly random: Random;
  readonly syncer: PodSyncer;
  readonly getNewerThan: (uid: string, time: number) => PodRuntimeState | Promise<PodRuntimeState>;
  readonly onFinished: (uid: string) => void;
  readonly onError: (pod: Pod, message: string) => void;
}

type WorkType = 'sync' | 'terminating' | 'terminated';

/** One worker per pod: pkg/kubelet/pod_workers.go podSyncStatus. */
class Worker {
  pod: Pod;
  work: WorkType = 'sync';
  pending = false;
  running = false;
  finished = false;
  /** The pod's object is gone from the API. */
  deleted = false;
  startedTerminating = false;
  gracePeriod: number | undefined;
  statusOverride: PodStatusOverride | undefined;
  /** Who waits for its containers to end. */
  readonly waiting: (() => void)[] = [];
  context: SyncContext | undefined;
  lastSync: number | undefined;
  failures = 0;
  timer: Timer | undefined;
  cause = 0;
  /** Names its events in reports. */
  readonly label: string;

  constructor(pod: Pod, actorName: string) {
    this.pod = pod;
    this.label = `${actorName} ${pod.metadata.name}`;
  }
}

/** pkg/kubelet/pod_workers.go podWorkers: for each pod one sync at a time, from running to terminating to terminated, and never back. */
export class PodWorkers {
  readonly #parts: PodWorkersParts;
  readonly #workers = new Map<string, Worker>();
  readonly #startedAt: number;

  constructor(parts: PodWorkersParts) {
    this.#parts = parts;
    this.#startedAt = parts.actor.simulation.now;
  }

  /** pkg/kubelet/pod_workers.go UpdatePod */
  updatePod(options: UpdatePodOptions): void {
    const { pod, type, kill } = options;
    const uid = pod.metadata.uid ?? '';
    let worker = this.#workers.get(uid);
    if (!worker) {
      if (type === 'sync' || type === 'kill') {
        kill?.onTerminated?.();
        return;
      }
      worker = new Worker(pod, this.#parts.actor.name);
      this.#workers.set(uid, worker);
    }
    if (kill?.onTerminated) {
      if (worker.work === 'terminated') kill.onTerminated();
      else worker.waiting.push(kill.onTerminated);
    }
    if (worker.finished) return;
    worker.pod = pod;
    worker.cause = this.#parts.actor.simulation.cause;
    if (this.#becomesTerminating(worker, options)) worker.context?.cancel();
    if (kill?.status) worker.statusOverride = kill.status;
    worker.pending = true;
    worker.timer?.cancel();
    worker.timer = undefined;
    this.#wake(worker);
  }

  /** The worker's state allows containers of the pod: pkg/kubelet/pod_workers.go CouldHaveRunningContainers. */
  couldHaveRunningContainers(uid: string): boolean {
    const worker = this.#workers.get(uid);
    return worker !== undefined && worker.work !== 'terminated';
  }

  isTerminating(uid: string): boolean {
    const worker = this.#workers.get(uid);
    return worker !== undefined && worker.work !== 'sync';
  }

  isFinished(uid: string): boolean {
    return this.#workers.get(uid)?.finished ?? false;
  }

  has(uid: string): boolean {
    return this.#workers.has(uid);
  }

  /** The pod is gone from the API and from the node: pkg/kubelet/pod_workers.go SyncKnownPods. */
  forget(uid: string): void {
    this.#workers.get(uid)?.timer?.cancel();
    this.#workers.delete(uid);
  }

  /**
   * Notes that the pod is to be stopped, and how long it has. Who waits for its volumes stops waiting; what has been begun in the runtime is finished first,
   * so less time that is given to a pod whose containers are being stopped counts only if that has to be tried again.
   */
  #becomesTerminating(worker: Worker, { pod, type, kill }: UpdatePodOptions): boolean {
    const ends = pod.metadata.deletionTimestamp !== undefined || isTerminalPhase(pod.status?.phase) || type === 'kill';
    if (worker.work === 'terminated' || (worker.work === 'sync' && !ends)) return false;
    const first = worker.work === 'sync';
    worker.work = 'terminating';
    worker.gracePeriod = effectiveGracePeriod(pod, kill, worker.gracePeriod);
    return first;
  }

  #wake(worker: Worker): void {
    if (worker.running) return;
    worker.running = true;
    const { actor } = this.#parts;
    actor.simulation.withCause(worker.cause, () => actor.schedule(0, () => this.#podWorkerLoop(worker), { label: worker.label }));
  }

  /** pkg/kubelet/pod_workers.go podWorkerLoop, for one update. */
  async #podWorkerLoop(worker: Worker): Promise<void> {
    const uid = worker.pod.metadata.uid ?? '';
    const { simulation } = this.#parts.actor;
    // What comes from here on, also while the state of the runtime is waited for, leads to one more sync.
    worker.pending = false;
    const { pod, work } = worker;
    const context = new SyncContext(simulation);
    worker.context = context;
    const state = worker.lastSync === undefined ? this.#parts.getNewerThan(uid, -1) : this.#parts.getNewerThan(uid, worker.lastSync);
    const known = state instanceof Promise ? await state : state;
    let error: unknown;
    let advanced = false;
    try {
      advanced = await this.#sync(worker, { pod, work, context }, known);
    } catch (thrown) {
      if (!isOperatingError(thrown)) throw thrown;
      error = thrown;
    }
    worker.context = undefined;
    worker.lastSync = simulation.now;
    worker.running = false;
    if (worker.finished) return this.#parts.onFinished(uid);
    this.#completeWork(worker, { advanced, error });
  }

  async #sync(
    worker: Worker,
    { pod, work, context }: { pod: Pod; work: WorkType; context: SyncContext },
    state: PodRuntimeState,
  ): Promise<boolean> {
    const { syncer } = this.#parts;
    if (work === 'sync') {
      const terminal = await syncer.syncPod(pod, state, context);
      if (!terminal || worker.work !== 'sync') return false;
      worker.work = 'terminating';
      worker.gracePeriod = effectiveGracePeriod(pod, undefined, undefined);
      return true;
    }
    if (work === 'terminating') {
      worker.startedTerminating = true;
      const kill: KillPodOptions = {
        ...(worker.gracePeriod === undefined ? {} : { gracePeriodOverride: worker.gracePeriod }),
        ...(worker.statusOverride ? { status: worker.statusOverride } : {}),
      };
      await syncer.syncTerminatingPod(pod, kill, state);
      worker.work = 'terminated';
      for (const tell of worker.waiting.splice(0)) tell();
      return true;
    }
    await syncer.syncTerminatedPod(pod, state);
    worker.finished = true;
    return true;
  }

  /** pkg/kubelet/pod_workers.go completeWork: when the pod comes again. */
  #completeWork(worker: Worker, { advanced, error }: { advanced: boolean; error: unknown }): void {
    if (error === undefined) worker.failures = 0;
    else if (!(error instanceof SyncCanceled)) this.#noteError(worker, error);
    if (worker.pending || advanced) {
      worker.pending = true;
      this.#wake(worker);
    } else if (error !== undefined) {
      this.#requeue(worker, error);
    }
  }

  #noteError(worker: Worker, error: unknown): void {
    worker.failures++;
    if (error instanceof Error) this.#parts.onError(worker.pod, error.message);
  }

  /** A failed sync comes again after 10 to 15 s, at the next tick of the sync loop. */
  #requeue(worker: Worker, error: unknown): void {
    const { actor, random } = this.#parts;
    const { now } = actor.simulation;
    const period = error instanceof SyncPodError && error.networkNotReady ? NETWORK_BACK_OFF_PERIOD_MS : BACK_OFF_PERIOD_MS;
    const due = now + random.jitter(period, WORKER_BACK_OFF_PERIOD_JITTER_FACTOR);
    const tick = this.#startedAt + Math.ceil((due - this.#startedAt) / SYNC_TICK_MS) * SYNC_TICK_MS;
    const slow = worker.failures > WORK_RETRIES || (error instanceof SyncPodError && error.slow);
    const priority: Priority = slow ? 'background' : 'work';
    const run = (): void => {
      worker.timer = undefined;
      worker.pending = true;
      this.#wake(worker);
    };
    worker.timer = actor.schedule(tick - now, run, { priority, label: worker.label });
  }
}

function isOperatingError(error: unknown): boolean {
  return (
    error instanceof SyncPodError || error instanceof SyncCanceled || error instanceof ActorUnavailable || error instanceof ApiStatusError
  );
}

/** pkg/kubelet/pod_workers.go calculateEffectiveGracePeriod: it can only get shorter, and is at least one second. */
function effectiveGracePeriod(pod: Pod, kill: KillPodOptions | undefined, before: number | undefined): number {
  const own = pod.metadata.deletionTimestamp === undefined ? undefined : pod.metadata.deletionGracePeriodSeconds;
  const wanted = [before, own, kill?.gracePeriodOverride].filter((seconds) => seconds !== undefined);
  const grace = wanted.length > 0 ? Math.min(...wanted) : (pod.spec?.terminationGracePeriodSeconds ?? 1);
  return Math.max(1, grace);
}
