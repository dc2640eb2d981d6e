import type { ContainerRuntimeInterface } from '../../../src/api/cri.ts';
import type { Container, ContainerStatus, Pod, PodStatus, Probe } from '../../../src/api/kinds/core-v1.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import { isSidecar } from '../container/runtime.ts';
import type { ProbeResults } from '../kuberuntime/compute-pod-actions.ts';
import { type ProbeKind, type ProbeResult, ProbeWorker } from './worker.ts';

export interface ProbeUpdate {
  readonly kind: ProbeKind;
  readonly pod: Pod;
  readonly containerId: string;
  readonly result: ProbeResult;
}

export interface ProberParts {
  readonly actor: Actor;
  readonly runtime: ContainerRuntimeInterface;
  readonly recorder: EventRecorder;
  readonly podByUid: (uid: string) => Pod | undefined;
  readonly podStatus: (uid: string) => PodStatus | undefined;
  readonly onResult: (update: ProbeUpdate) => void;
}

/** pkg/kubelet/prober manager: a worker for each probe of each container. */
export class ProberManager implements ProbeResults {
  readonly #parts: ProberParts;
  /** Pod uid, then container and kind. */
  readonly #workers = new Map<string, Map<string, ProbeWorker>>();
  /** By kind and container: pkg/kubelet/prober/results. */
  readonly #results = new Map<string, ProbeResult>();

  constructor(parts: ProberParts) {
    this.#parts = parts;
  }

  /** pkg/kubelet/prober AddPod */
  addPod(pod: Pod): void {
    const containers = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? []).filter(isSidecar)];
    for (const container of containers) {
      if (container.startupProbe) this.#add(pod, container, { kind: 'Startup', probe: container.startupProbe });
      if (container.readinessProbe) this.#add(pod, container, { kind: 'Readiness', probe: container.readinessProbe });
      if (container.livenessProbe) this.#add(pod, container, { kind: 'Liveness', probe: container.livenessProbe });
    }
  }

  /** pkg/kubelet/prober StopLivenessAndStartup */
  stopLivenessAndStartup(pod: Pod): void {
    for (const worker of [...(this.#workers.get(pod.metadata.uid ?? '')?.values() ?? [])]) {
      if (worker.options.kind !== 'Readiness' && !isSidecar(worker.options.container)) worker.stop();
    }
  }

  removePod(pod: Pod): void {
    for (const worker of [...(this.#workers.get(pod.metadata.uid ?? '')?.values() ?? [])]) worker.stop();
  }

  forget(uid: string): void {
    for (const worker of [...(this.#workers.get(uid)?.values() ?? [])]) worker.stop();
  }

  livenessFailed(containerId: string): boolean {
    return this.#is('Liveness', containerId, 'Failure');
  }

  startupFailed(containerId: string): boolean {
    return this.#is('Startup', containerId, 'Failure');
  }

  startupSucceeded(containerId: string): boolean {
    return this.#is('Startup', containerId, 'Success');
  }

  /** pkg/kubelet/prober UpdatePodStatus: `started` and `ready` of each container. */
  updatePodStatus(pod: Pod, status: PodStatus): PodStatus {
    const uid = pod.metadata.uid ?? '';
    const { initContainerStatuses } = status;
    return {
      ...status,
      ...(status.containerStatuses
        ? { containerStatuses: status.containerStatuses.map((container) => this.#updateOne(uid, container)) }
        : {}),
      ...(initContainerStatuses
        ? { initContainerStatuses: initContainerStatuses.map((container) => this.#updateInit(pod, container)) }
        : {}),
    };
  }

  #updateOne(uid: string, status: ContainerStatus): ContainerStatus {
    if (!status.state?.running) return status;
    const passed = (kind: ProbeKind): boolean => {
      const result = this.#results.get(`${kind}/${status.containerID}`);
      if (result !== undefined) return result === 'Success';
      return !this.#workers.get(uid)?.has(`${status.name}/${kind}`);
    };
    const started = passed('Startup');
    if (!started) return status;
    const ready = passed('Readiness');
    if (!ready) this.#workers.get(uid)?.get(`${status.name}/Readiness`)?.trigger();
    return { ...status, started, ready };
  }

  #updateInit(pod: Pod, status: ContainerStatus): ContainerStatus {
    const container = pod.spec?.initContainers?.find(({ name }) => name === status.name);
    if (container && isSidecar(container)) return this.#updateOne(pod.metadata.uid ?? '', status);
    if (status.state?.running) return { ...status, started: true };
    return status.state?.terminated?.exitCode === 0 ? { ...status, ready: true } : status;
  }

  #is(kind: ProbeKind, id: string, result: ProbeResult): boolean {
    return this.#results.get(`${kind}/containerd://${id}`) === result;
  }

  #add(pod: Pod, container: Container, what: { kind: ProbeKind; probe: Probe }): void {
    const uid = pod.metadata.uid ?? '';
    const key = `${container.name}/${what.kind}`;
    const workers = this.#workers.get(uid) ?? new Map<string, ProbeWorker>();
    if (workers.has(key)) return;
    this.#workers.set(uid, workers);
    const onEnd = (): void => {
      workers.delete(key);
      if (workers.size === 0) this.#workers.delete(uid);
    };
    const onForget = (containerId: string): void => void this.#results.delete(`${what.kind}/${containerId}`);
    const parts: ProberParts = { ...this.#parts, onResult: (update) => this.#take(update) };
    workers.set(key, new ProbeWorker(parts, { ...what, uid, container, onEnd, onForget }));
  }

  #take(update: ProbeUpdate): void {
    this.#results.set(`${update.kind}/${update.containerId}`, update.result);
    this.#parts.onResult(update);
  }
}
