import type { Container, ContainerStatus, Pod, Probe } from '../../../src/api/kinds/core-v1.ts';
import { parseTime } from '../../../src/api/time.ts';
import type { Priority, Timer } from '../../../src/sim/actor.ts';
import { ActorUnavailable } from '../../../src/sim/actor-unavailable.ts';
import { MAX_PROBE_RETRIES, WORK_PROBE_MS } from '../constants.ts';
import { fieldPathOf, isSidecar } from '../container/runtime.ts';
import { type ProbeOutcome, runProbe } from './prober.ts';
import type { ProberParts } from './prober-manager.ts';

export type ProbeKind = 'Readiness' | 'Liveness' | 'Startup';
export type ProbeResult = 'Unknown' | 'Success' | 'Failure';

const INITIAL: Record<ProbeKind, ProbeResult> = { Readiness: 'Failure', Liveness: 'Success', Startup: 'Unknown' };

interface WorkerOptions {
  readonly kind: ProbeKind;
  readonly uid: string;
  readonly container: Container;
  readonly probe: Probe;
  readonly onEnd: () => void;
  /** The result for this container does not count any more. */
  readonly onForget: (containerId: string) => void;
}

/** pkg/kubelet/prober worker: one probe of one container, round after round. */
export class ProbeWorker {
  readonly options: WorkerOptions;
  readonly #parts: ProberParts;
  #timer: Timer | undefined;
  #containerId = '';
  #result: ProbeResult | undefined;
  #lastResult: ProbeResult | undefined;
  #resultRun = 0;
  #onHold = false;
  #probing = false;
  #stopped = false;
  #firstRoundAt: number;

  constructor(parts: ProberParts, options: WorkerOptions) {
    this.#parts = parts;
    this.options = options;
    this.#firstRoundAt = parts.actor.simulation.now;
    this.#schedule(0);
  }

  /** Probes once out of turn. */
  trigger(): void {
    if (this.#stopped || this.#probing || this.#onHold) return;
    this.#parts.actor.schedule(0, () => this.#round(), { priority: 'background', label: this.#label });
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    this.options.onForget(this.#containerId);
    this.options.onEnd();
  }

  get #label(): string {
    return `${this.#parts.actor.name} ${this.options.kind.toLowerCase()} probe of ${this.options.container.name}`;
  }

  get #periodMs(): number {
    return (this.options.probe.periodSeconds ?? 10) * 1000;
  }

  #schedule(delayMs: number): void {
    if (this.#stopped) return;
    const run = async (): Promise<void> => {
      this.#schedule(this.#periodMs);
      await this.#round();
    };
    this.#timer = this.#parts.actor.schedule(delayMs, run, { priority: this.#priority(), label: this.#label });
  }

  /** Rounds that may soon change something are work; those of a container that is well, or will not get well, are background. */
  #priority(): Priority {
    const { kind, probe } = this.options;
    const age = this.#parts.actor.simulation.now - this.#firstRoundAt;
    const settled =
      kind === 'Liveness' ? this.#resultRun === 0 || this.#lastResult === 'Success' || this.#onHold : this.#result === 'Success';
    const waiting = age < (probe.initialDelaySeconds ?? 0) * 1000 + WORK_PROBE_MS;
    const failing = kind !== 'Liveness' && this.#result === 'Success' && this.#lastResult === 'Failure';
    return (!settled && waiting) || failing ? 'work' : 'background';
  }

  async #round(): Promise<void> {
    if (this.#stopped || this.#probing) return;
    this.#probing = true;
    try {
      if (!(await this.#doProbe())) this.stop();
    } finally {
      this.#probing = false;
    }
  }

  /** pkg/kubelet/prober doProbe. Returns whether the worker goes on. */
  async #doProbe(): Promise<boolean> {
    const { kind, uid, container, probe } = this.options;
    const pod = this.#parts.podByUid(uid);
    const status = this.#parts.podStatus(uid);
    if (!pod || !status) return true;
    if (status.phase === 'Failed' || status.phase === 'Succeeded') return false;
    const found = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])].find(
      ({ name }) => name === container.name,
    );
    if (!found?.containerID) return true;
    if (found.containerID !== this.#containerId) this.#takeContainer(found.containerID, pod);
    if (this.#onHold) return true;
    if (!found.state?.running) {
      this.#set('Failure', pod);
      return !found.state?.terminated || pod.spec?.restartPolicy !== 'Never' || isSidecar(container);
    }
    if (pod.metadata.deletionTimestamp && kind !== 'Readiness') {
      this.#set('Success', pod);
      return false;
    }
    const startedAt = parseTime(found.state.running.startedAt) ?? 0;
    if (Math.floor((this.#parts.actor.wallTime - startedAt) / 1000) < (probe.initialDelaySeconds ?? 0)) return true;
    if ((found.started === true) === (kind === 'Startup')) return true;
    await this.#probeOnce(pod, found);
    return true;
  }

  /** A new instance: it has not passed yet, also when this kubelet finds it running after a restart. */
  #takeContainer(containerId: string, pod: Pod): void {
    this.options.onForget(this.#containerId);
    this.#containerId = containerId;
    this.#result = INITIAL[this.options.kind];
    this.#lastResult = undefined;
    this.#resultRun = 0;
    this.#onHold = false;
    this.#firstRoundAt = this.#parts.actor.simulation.now;
    this.#parts.onResult({ kind: this.options.kind, pod, containerId, result: this.#result });
  }

  async #probeOnce(pod: Pod, status: ContainerStatus): Promise<void> {
    const { kind, probe } = this.options;
    const containerId = this.#containerId;
    const outcome = await this.#tryProbe(status, pod);
    if (this.#stopped || containerId !== this.#containerId || outcome.result === 'error') return;
    const result: ProbeResult = outcome.result === 'success' ? 'Success' : 'Failure';
    this.#resultRun = this.#lastResult === result ? this.#resultRun + 1 : 1;
    this.#lastResult = result;
    const threshold = result === 'Failure' ? (probe.failureThreshold ?? 3) : (probe.successThreshold ?? 1);
    if (this.#resultRun < threshold) return;
    this.#set(result, pod);
    if ((kind === 'Liveness' && result === 'Failure') || kind === 'Startup') {
      this.#onHold = true;
      this.#resultRun = 0;
    }
  }

  /** pkg/kubelet/prober probe: the outcome, with its event. */
  async #tryProbe(status: ContainerStatus, pod: Pod): Promise<ProbeOutcome> {
    const { kind, container, probe } = this.options;
    const target = {
      probe,
      container,
      containerId: (status.containerID ?? '').replace('containerd://', ''),
      podIp: this.#parts.podStatus(this.options.uid)?.podIP ?? '',
    };
    let outcome: ProbeOutcome = { result: 'error', message: '' };
    for (let tried = 0; tried < MAX_PROBE_RETRIES && outcome.result === 'error'; tried++) {
      try {
        outcome = await runProbe(this.#parts.runtime, target);
      } catch (error) {
        if (!(error instanceof ActorUnavailable)) throw error;
        outcome = { result: 'error', message: 'rpc error: code = Unavailable desc = connection error' };
      }
    }
    const fieldPath = fieldPathOf(pod, container.name);
    if (this.#stopped) return outcome;
    if (outcome.result === 'failure')
      this.#parts.recorder.event(pod, 'Warning', 'Unhealthy', `${kind} probe failed: ${outcome.output}`, { fieldPath });
    else if (outcome.result === 'error')
      this.#parts.recorder.event(pod, 'Warning', 'Unhealthy', `${kind} probe errored and resulted in unknown state: ${outcome.message}`, {
        fieldPath,
      });
    return outcome;
  }

  #set(result: ProbeResult, pod: Pod): void {
    if (this.#result === result) return;
    this.#result = result;
    const { kind, container } = this.options;
    const { name = '', namespace = '', uid = '' } = pod.metadata;
    this.#parts.actor.simulation.recordCause({
      kind: 'runtime',
      what: 'probed',
      object: { group: '', resource: 'pods', kind: 'Pod', namespace, name, uid },
      container: container.name,
      message: `${kind.toLowerCase()} probe of ${container.name}: ${result}`,
    });
    this.#parts.onResult({ kind, pod, containerId: this.#containerId, result });
  }
}
