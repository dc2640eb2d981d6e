import type { ContainerRuntimeStatus, PodRuntimeState } from '../../../src/api/cri.ts';
import type { Container, Pod } from '../../../src/api/kinds/core-v1.ts';
import { findContainerStatusByName, HASH_ANNOTATION, hashContainer, isSidecar } from '../container/runtime.ts';
import type { PodActions, Verdicts } from './compute-pod-actions.ts';

interface Into {
  readonly actions: PodActions;
  readonly probes: Verdicts;
}

/** pkg/kubelet/kuberuntime hasAnyRegularContainerCreated */
export function hasAnyRegularContainerCreated(pod: Pod, state: PodRuntimeState): boolean {
  return (pod.spec?.containers ?? []).some((container) => {
    const status = findContainerStatusByName(state, container.name);
    return status?.state === 'CONTAINER_CREATED' || status?.state === 'CONTAINER_RUNNING';
  });
}

/** pkg/kubelet/kuberuntime computeInitContainerActions. Returns whether the pod is initialized. */
export function computeInitContainerActions(pod: Pod, state: PodRuntimeState, into: Into): boolean {
  const containers = pod.spec?.initContainers ?? [];
  if (containers.length === 0) return true;
  const initialized = hasAnyRegularContainerCreated(pod, state);
  const scan = new InitScan({ pod, state, into, initialized });
  for (let index = containers.length - 1; index >= 0; index--) {
    const container = containers[index];
    if (container && scan.visit(container, containers[index + 1])) break;
  }
  if (initialized) return true;
  if (!scan.anyKnown && containers[0]) into.actions.initContainersToStart.unshift(containers[0]);
  return scan.isInitialized;
}

/** Goes through the init containers from the last to the first. */
class InitScan {
  anyKnown = false;
  isInitialized = false;
  readonly #pod: Pod;
  readonly #state: PodRuntimeState;
  readonly #into: Into;
  /** A regular container was created: only sidecars matter now. */
  readonly #podInitialized: boolean;
  /** The newest init container with a status has been judged. */
  #decided = false;

  constructor(parts: { pod: Pod; state: PodRuntimeState; into: Into; initialized: boolean }) {
    this.#pod = parts.pod;
    this.#state = parts.state;
    this.#into = parts.into;
    this.#podInitialized = parts.initialized;
    this.#decided = parts.initialized;
  }

  /** @returns whether the scan ends here */
  visit(container: Container, next: Container | undefined): boolean {
    const status = findContainerStatusByName(this.#state, container.name);
    if (!status) {
      if (this.#podInitialized && isSidecar(container)) this.#start(container);
      return false;
    }
    this.anyKnown = true;
    if (isSidecar(container)) this.#visitSidecar(container, status, next);
    else if (!this.#podInitialized) return this.#visitRegular(container, status, next);
    return this.#into.actions.killPod;
  }

  #visitSidecar(container: Container, status: ContainerRuntimeStatus, next: Container | undefined): void {
    const first = !this.#decided;
    this.#decided = true;
    if (status.state === 'CONTAINER_RUNNING') {
      const problem = this.#problemOf(container, status);
      if (problem) {
        this.#into.actions.containersToKill.push({ status, container, ...problem });
        this.#start(container);
      } else if (first && (!container.startupProbe || this.#into.probes.startupSucceeded(status.id))) {
        this.#goOn(next);
      }
      return;
    }
    this.#start(container);
    if (status.state === 'CONTAINER_UNKNOWN') this.#killUnknown(container, status);
  }

  #visitRegular(container: Container, status: ContainerRuntimeStatus, next: Container | undefined): boolean {
    if (this.#decided) return false;
    this.#decided = true;
    if (status.state === 'CONTAINER_CREATED') this.#start(container);
    else if (status.state === 'CONTAINER_EXITED') this.#visitExited(container, status, next);
    else if (status.state === 'CONTAINER_UNKNOWN') {
      this.#killUnknown(container, status);
      this.#start(container);
    }
    return this.#into.actions.killPod;
  }

  #visitExited(container: Container, status: ContainerRuntimeStatus, next: Container | undefined): void {
    if (status.exitCode === 0 && status.reason !== 'OOMKilled') this.#goOn(next);
    else if (this.#pod.spec?.restartPolicy === 'Never') {
      this.#into.actions.killPod = true;
      this.#into.actions.initContainersToStart.length = 0;
    } else this.#start(container);
  }

  #goOn(next: Container | undefined): void {
    if (next) this.#start(next);
    else this.isInitialized = true;
  }

  #start(container: Container): void {
    this.#into.actions.initContainersToStart.unshift(container);
  }

  #killUnknown(container: Container, status: ContainerRuntimeStatus): void {
    const message = `Init container is in "${status.state}" state, try killing it before restart`;
    this.#into.actions.containersToKill.push({ status, container, message, reason: 'Unknown' });
  }

  #problemOf(
    container: Container,
    status: ContainerRuntimeStatus,
  ): { message: string; reason: 'Unknown' | 'LivenessProbe' | 'StartupProbe' } | undefined {
    const { probes } = this.#into;
    if (probes.startupFailed(status.id))
      return { message: `Init container ${container.name} failed startup probe, will be restarted`, reason: 'StartupProbe' };
    if (probes.livenessFailed(status.id))
      return { message: `Init container ${container.name} failed liveness probe, will be restarted`, reason: 'LivenessProbe' };
    if (status.annotations[HASH_ANNOTATION] !== hashContainer(container))
      return { message: `Init container ${container.name} definition changed, will be restarted`, reason: 'Unknown' };
    if (probes.resizeRequiresRestart(this.#pod, container))
      return { message: `Container ${container.name} resize requires restart`, reason: 'Unknown' };
    return undefined;
  }
}
