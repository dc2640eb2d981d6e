import type { PodRuntimeState } from '../../../src/api/cri.ts';
import type { Container, ContainerStatus, Pod, PodCondition, PodStatus } from '../../../src/api/kinds/core-v1.ts';
import { isSidecar } from '../container/runtime.ts';

/** Conditions that the kubelet owns: pkg/kubelet/types PodConditionByKubelet */
const KUBELET_CONDITIONS = new Set([
  'PodScheduled',
  'Ready',
  'Initialized',
  'ContainersReady',
  'PodReadyToStartContainers',
  'PodResizePending',
  'PodResizeInProgress',
]);

export function isKubeletCondition(type: string): boolean {
  return KUBELET_CONDITIONS.has(type);
}

interface Incomplete {
  readonly unknown: string[];
  readonly unready: string[];
}

/** A condition as of the pod's generation; without `reason` and `message` where they are empty. */
function condition(
  pod: Pod,
  { type, status, reason, message }: { type: string; status: 'True' | 'False'; reason?: string; message?: string },
): PodCondition {
  const { generation } = pod.metadata;
  return {
    type,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    status,
    ...(reason ? { reason } : {}),
    ...(message ? { message } : {}),
  };
}

/** pkg/kubelet/status GeneratePodReadyToStartContainersCondition */
export function generatePodReadyToStartContainersCondition(pod: Pod, state: PodRuntimeState): PodCondition {
  const [latest] = state.sandboxes;
  const ready = latest?.state === 'SANDBOX_READY' && (latest.hostNetwork || latest.ips.length > 0);
  return condition(pod, { type: 'PodReadyToStartContainers', status: ready ? 'True' : 'False' });
}

/** pkg/kubelet/status GeneratePodInitializedCondition */
export function generatePodInitializedCondition(pod: Pod, status: PodStatus): PodCondition {
  const all = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  if (all.length === 0 && (pod.spec?.containers.length ?? 0) > 0)
    return condition(pod, { type: 'Initialized', status: 'False', reason: 'UnknownContainerStatuses' });
  const missing: Incomplete = { unknown: [], unready: [] };
  for (const container of pod.spec?.initContainers ?? []) {
    const found = status.initContainerStatuses?.find(({ name }) => name === container.name);
    if (!found) missing.unknown.push(container.name);
    else if (!isInitialized(container, found)) missing.unready.push(container.name);
  }
  if (status.phase === 'Succeeded' && missing.unknown.length === 0)
    return condition(pod, { type: 'Initialized', status: 'True', reason: 'PodCompleted' });
  if (hasAnyRegularContainerStarted(status)) return condition(pod, { type: 'Initialized', status: 'True' });
  if (missing.unknown.length === 0 && missing.unready.length === 0) return condition(pod, { type: 'Initialized', status: 'True' });
  return condition(pod, {
    type: 'Initialized',
    status: 'False',
    reason: 'ContainersNotInitialized',
    message: listIncomplete(missing, 'incomplete'),
  });
}

function isInitialized(container: Container, status: ContainerStatus): boolean {
  return isSidecar(container) ? status.started === true : status.ready;
}

/** pkg/kubelet/status kubecontainer.HasAnyRegularContainerStarted */
function hasAnyRegularContainerStarted(status: PodStatus): boolean {
  return (status.containerStatuses ?? []).some(
    ({ state, lastState }) => state?.running || state?.terminated || (state?.waiting && lastState?.terminated),
  );
}

/** pkg/kubelet/status GenerateContainersReadyCondition */
export function generateContainersReadyCondition(pod: Pod, status: PodStatus): PodCondition {
  if (!status.containerStatuses) return condition(pod, { type: 'ContainersReady', status: 'False', reason: 'UnknownContainerStatuses' });
  const missing: Incomplete = { unknown: [], unready: [] };
  for (const container of (pod.spec?.initContainers ?? []).filter(isSidecar)) note(missing, container, status.initContainerStatuses);
  for (const container of pod.spec?.containers ?? []) note(missing, container, status.containerStatuses);
  if (status.phase === 'Succeeded' && missing.unknown.length === 0)
    return condition(pod, { type: 'ContainersReady', status: 'False', reason: 'PodCompleted' });
  if (status.phase === 'Failed') return condition(pod, { type: 'ContainersReady', status: 'False', reason: 'PodFailed' });
  if (missing.unknown.length === 0 && missing.unready.length === 0) return condition(pod, { type: 'ContainersReady', status: 'True' });
  return condition(pod, {
    type: 'ContainersReady',
    status: 'False',
    reason: 'ContainersNotReady',
    message: listIncomplete(missing, 'unready'),
  });
}

function note(missing: Incomplete, { name }: Container, statuses: readonly ContainerStatus[] | undefined): void {
  const found = statuses?.find((status) => status.name === name);
  if (!found) missing.unknown.push(name);
  else if (!found.ready) missing.unready.push(name);
}

function listIncomplete(missing: Incomplete, word: 'incomplete' | 'unready'): string {
  const parts: string[] = [];
  if (missing.unknown.length > 0) parts.push(`containers with unknown status: [${missing.unknown.join(' ')}]`);
  if (missing.unready.length > 0) parts.push(`containers with ${word} status: [${missing.unready.join(' ')}]`);
  return parts.join(', ');
}

/** pkg/kubelet/status GeneratePodReadyCondition: containers ready, and all readiness gates. */
export function generatePodReadyCondition(pod: Pod, status: PodStatus, others: readonly PodCondition[]): PodCondition {
  const containers = generateContainersReadyCondition(pod, status);
  if (containers.status !== 'True') return { ...containers, type: 'Ready' };
  const messages: string[] = [];
  for (const { conditionType } of pod.spec?.readinessGates ?? []) {
    const found = others.find(({ type }) => type === conditionType);
    if (!found) messages.push(`corresponding condition of pod readiness gate "${conditionType}" does not exist.`);
    else if (found.status !== 'True')
      messages.push(`the status of pod readiness gate "${conditionType}" is not "True", but ${found.status}`);
  }
  if (messages.length === 0) return condition(pod, { type: 'Ready', status: 'True' });
  return condition(pod, { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady', message: messages.join(', ') });
}

/** The scheduler's condition, restated by the kubelet. */
export function podScheduledCondition(pod: Pod): PodCondition {
  return condition(pod, { type: 'PodScheduled', status: 'True' });
}

/** The kubelet ends the pod: pkg/kubelet/status, condition DisruptionTarget. */
export function disruptionTargetCondition(pod: Pod, message: string): PodCondition {
  return condition(pod, { type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet', message });
}
