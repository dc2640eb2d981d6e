import type { ContainerRuntimeStatus, PodRuntimeState } from '../../../src/api/cri.ts';
import type { Container, EphemeralContainer, Pod } from '../../../src/api/kinds/core-v1.ts';
import {
  findContainerStatusByName,
  HASH_ANNOTATION,
  hashContainer,
  runningSandboxes,
  shouldContainerBeRestarted,
} from '../container/runtime.ts';
import { computeInitContainerActions } from './compute-init-container-actions.ts';

/** What the prober says of a container: pkg/kubelet/prober/results. */
export interface ProbeResults {
  livenessFailed(containerId: string): boolean;
  startupFailed(containerId: string): boolean;
  startupSucceeded(containerId: string): boolean;
}

/** What decides about running containers. */
export interface Verdicts extends ProbeResults {
  /** The container was resized, and asks to be restarted for that. */
  resizeRequiresRestart(pod: Pod, container: Container): boolean;
}

export type KillReason = 'Unknown' | 'StartupProbe' | 'LivenessProbe' | 'FailedPostStartHook';

export interface ContainerToKill {
  readonly status: ContainerRuntimeStatus;
  readonly container: Container;
  readonly message: string;
  readonly reason: KillReason;
}

/** pkg/kubelet/kuberuntime podActions: what one sync has to do. */
export interface PodActions {
  killPod: boolean;
  createSandbox: boolean;
  sandboxId: string;
  attempt: number;
  readonly initContainersToStart: Container[];
  readonly containersToStart: Container[];
  readonly ephemeralContainersToStart: EphemeralContainer[];
  readonly containersToKill: ContainerToKill[];
}

/** pkg/kubelet/kuberuntime computePodActions */
export function computePodActions(pod: Pod, state: PodRuntimeState, probes: Verdicts): PodActions {
  const { changed, attempt, sandboxId } = podSandboxChanged(pod, state);
  const actions: PodActions = {
    killPod: changed,
    createSandbox: changed,
    sandboxId,
    attempt,
    initContainersToStart: [],
    containersToStart: [],
    ephemeralContainersToStart: [],
    containersToKill: [],
  };
  if (changed) return actionsForNewSandbox(pod, state, actions);
  for (const container of pod.spec?.ephemeralContainers ?? []) {
    if (!findContainerStatusByName(state, container.name)) actions.ephemeralContainersToStart.push(container);
  }
  const initialized = computeInitContainerActions(pod, state, { actions, probes });
  if (!initialized) return actions;
  const kept = computeRegularContainers(pod, state, { actions, probes });
  if (kept === 0 && actions.containersToStart.length === 0) {
    actions.killPod = true;
    if (hasSidecars(pod)) actions.initContainersToStart.length = 0;
  }
  return actions;
}

const hasSidecars = (pod: Pod): boolean => (pod.spec?.initContainers ?? []).some((container) => container.restartPolicy === 'Always');

/** pkg/kubelet/kuberuntime util.PodSandboxChanged */
export function podSandboxChanged(pod: Pod, state: PodRuntimeState): { changed: boolean; attempt: number; sandboxId: string } {
  const [latest] = state.sandboxes;
  if (!latest) return { changed: true, attempt: 0, sandboxId: '' };
  const { attempt } = latest.metadata;
  if (runningSandboxes(state).length > 1) return { changed: true, attempt: attempt + 1, sandboxId: latest.id };
  if (latest.state !== 'SANDBOX_READY') return { changed: true, attempt: attempt + 1, sandboxId: latest.id };
  const hostNetwork = pod.spec?.hostNetwork ?? false;
  if (latest.hostNetwork !== hostNetwork) return { changed: true, attempt: attempt + 1, sandboxId: '' };
  if (!hostNetwork && latest.ips.length === 0) return { changed: true, attempt: attempt + 1, sandboxId: latest.id };
  return { changed: false, attempt, sandboxId: latest.id };
}

function actionsForNewSandbox(pod: Pod, state: PodRuntimeState, actions: PodActions): PodActions {
  const policy = pod.spec?.restartPolicy ?? 'Always';
  const known = state.containers.length > 0;
  if (policy === 'Never' && actions.attempt !== 0 && known) {
    actions.createSandbox = false;
    return actions;
  }
  const toStart = (pod.spec?.containers ?? []).filter((container) => policy !== 'OnFailure' || !succeeded(state, container.name));
  if (toStart.length === 0 && known) {
    actions.createSandbox = false;
    return actions;
  }
  const [firstInit] = pod.spec?.initContainers ?? [];
  if (firstInit) actions.initContainersToStart.push(firstInit);
  else actions.containersToStart.push(...toStart);
  return actions;
}

function succeeded(state: PodRuntimeState, name: string): boolean {
  const status = findContainerStatusByName(state, name);
  return status?.state === 'CONTAINER_EXITED' && status.exitCode === 0;
}

/** The loop over regular containers. Returns how many are kept. */
function computeRegularContainers(pod: Pod, state: PodRuntimeState, into: { actions: PodActions; probes: Verdicts }): number {
  let kept = 0;
  for (const container of pod.spec?.containers ?? []) {
    const status = findContainerStatusByName(state, container.name);
    if (status?.state !== 'CONTAINER_RUNNING') {
      if (!shouldContainerBeRestarted(container, pod, state)) continue;
      into.actions.containersToStart.push(container);
      if (status?.state === 'CONTAINER_UNKNOWN')
        into.actions.containersToKill.push({
          status,
          container,
          message: `Container is in "unknown" state, try killing it before restart`,
          reason: 'Unknown',
        });
      continue;
    }
    const problem = findProblem({ pod, container, status, probes: into.probes });
    if (!problem) {
      kept++;
      continue;
    }
    const message = problem.restart && !problem.silent ? `${problem.message}, will be restarted` : problem.message;
    into.actions.containersToKill.push({ status, container, message, reason: problem.reason });
    if (problem.restart) into.actions.containersToStart.push(container);
  }
  return kept;
}

/** Why a running container is to be killed. */
export function findProblem(parts: {
  readonly pod: Pod;
  readonly container: Container;
  readonly status: ContainerRuntimeStatus;
  readonly probes: Verdicts;
}): { message: string; reason: KillReason; restart: boolean; silent?: boolean } | undefined {
  const { pod, container, status, probes } = parts;
  const restart = pod.spec?.restartPolicy !== 'Never';
  if (status.annotations[HASH_ANNOTATION] !== hashContainer(container))
    return { message: `Container ${container.name} definition changed`, reason: 'Unknown', restart: true };
  if (probes.livenessFailed(status.id))
    return { message: `Container ${container.name} failed liveness probe`, reason: 'LivenessProbe', restart };
  if (probes.startupFailed(status.id))
    return { message: `Container ${container.name} failed startup probe`, reason: 'StartupProbe', restart };
  if (probes.resizeRequiresRestart(pod, container))
    return { message: `Container ${container.name} resize requires restart`, reason: 'Unknown', restart: true, silent: true };
  return undefined;
}
