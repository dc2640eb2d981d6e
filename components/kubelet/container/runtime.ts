import type { ContainerRuntimeStatus, PodRuntimeState, PodSandboxStatus } from '../../../src/api/cri.ts';
import type { Container, EphemeralContainer, Pod } from '../../../src/api/kinds/core-v1.ts';

/** Annotations by which the kubelet finds its containers again: pkg/kubelet/kuberuntime/labels.go */
export const HASH_ANNOTATION = 'io.kubernetes.container.hash';
export const RESTART_COUNT_ANNOTATION = 'io.kubernetes.container.restartCount';
export const TERMINATION_PATH_ANNOTATION = 'io.kubernetes.container.terminationMessagePath';
export const TERMINATION_POLICY_ANNOTATION = 'io.kubernetes.container.terminationMessagePolicy';

/** A pod that the runtime knows nothing of. */
export function emptyPodState(uid: string): PodRuntimeState {
  return { uid, sandboxes: [], containers: [] };
}

/** pkg/kubelet/container FindContainerStatusByName: the newest instance. */
export function findContainerStatusByName(state: PodRuntimeState, name: string): ContainerRuntimeStatus | undefined {
  return state.containers.find((container) => container.name === name);
}

/** pkg/kubelet/container IPs of a pod: those of its newest sandbox, when that is ready. */
export function podIps(state: PodRuntimeState): readonly string[] {
  const latest = state.sandboxes[0];
  return latest?.state === 'SANDBOX_READY' ? latest.ips : [];
}

export function runningSandboxes(state: PodRuntimeState): readonly PodSandboxStatus[] {
  return state.sandboxes.filter((sandbox) => sandbox.state === 'SANDBOX_READY');
}

export function restartCountOf(status: ContainerRuntimeStatus): number {
  return Number(status.annotations[RESTART_COUNT_ANNOTATION] ?? 0);
}

export type ContainerKind = 'init' | 'regular' | 'ephemeral';

const hashes = new WeakMap<object, string>();

/** pkg/kubelet/container HashContainer: of name and image alone, so that other changes of a spec do not restart a container. */
export function hashContainer(container: Pick<Container, 'name' | 'image'>): string {
  const known = hashes.get(container);
  if (known !== undefined) return known;
  let hash = 2166136261;
  for (const character of `${container.name}\n${container.image ?? ''}`)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619) >>> 0;
  const text = hash.toString(16);
  hashes.set(container, text);
  return text;
}

/** pkg/apis/core/v1 helper: an init container that goes on running beside the others. */
export function isSidecar(container: Container): boolean {
  return container.restartPolicy === 'Always';
}

/** pkg/kubelet/util/format Pod with UID, as messages for users have it. */
export function formatPod(pod: Pod): string {
  return `${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid})`;
}

/** pkg/kubelet/container GenerateContainerRef: the part of the pod that an event is about. */
export function fieldPathOf(pod: Pod, name: string): string {
  if (pod.spec?.containers.some((container) => container.name === name)) return `spec.containers{${name}}`;
  if (pod.spec?.initContainers?.some((container) => container.name === name)) return `spec.initContainers{${name}}`;
  return `spec.ephemeralContainers{${name}}`;
}

/** The container of that name, of whichever kind. */
export function findContainer(pod: Pod, name: string): Container | undefined {
  const inSpec =
    pod.spec?.containers.find((container) => container.name === name) ??
    pod.spec?.initContainers?.find((container) => container.name === name);
  return inSpec ?? (pod.spec?.ephemeralContainers?.find((container) => container.name === name) as EphemeralContainer | undefined);
}

/** pkg/kubelet/container ShouldContainerBeRestarted */
export function shouldContainerBeRestarted(container: Pick<Container, 'name'>, pod: Pod, state: PodRuntimeState): boolean {
  if (pod.metadata.deletionTimestamp) return false;
  const status = findContainerStatusByName(state, container.name);
  if (!status) return true;
  if (status.state === 'CONTAINER_RUNNING') return false;
  if (status.state !== 'CONTAINER_EXITED') return true;
  const policy = pod.spec?.restartPolicy ?? 'Always';
  if (policy === 'Never') return false;
  return policy === 'Always' || status.exitCode !== 0;
}

/** Whether a phase is final. */
export function isTerminalPhase(phase: string | undefined): boolean {
  return phase === 'Failed' || phase === 'Succeeded';
}
