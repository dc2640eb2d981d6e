import type { PodRuntimeState } from '../../src/api/cri.ts';
import type { Pod, PodCondition, PodStatus } from '../../src/api/kinds/core-v1.ts';
import { isTerminalPhase, podIps } from './container/runtime.ts';
import { type ConvertParts, convertContainerStatuses } from './convert-container-statuses.ts';
import { getPhase } from './get-phase.ts';
import {
  generateContainersReadyCondition,
  generatePodInitializedCondition,
  generatePodReadyCondition,
  generatePodReadyToStartContainersCondition,
  isKubeletCondition,
  podScheduledCondition,
} from './status/generate.ts';

/** The kubelet ends a pod for a reason of its own (deadline, eviction): what its status shall say. */
export interface PodStatusOverride {
  readonly reason: string;
  readonly message: string;
  /** DisruptionTarget is set together with the terminal phase. */
  readonly disruption?: PodCondition;
}

export interface GenerateParts extends ConvertParts {
  readonly nodeIp: string;
  /** Conditions of a resize. */
  readonly resizeConditions: (pod: Pod) => PodCondition[];
  /** Sets `ready` and `started` as the probes say: pkg/kubelet/prober UpdatePodStatus. */
  readonly updatePodStatus: (pod: Pod, status: PodStatus) => PodStatus;
}

export interface GenerateRequest {
  readonly pod: Pod;
  readonly state: PodRuntimeState;
  /** The status the kubelet holds, else the API's. */
  readonly oldStatus: PodStatus;
  /** No container can run any more. */
  readonly podIsTerminal: boolean;
  readonly override?: PodStatusOverride | undefined;
}

/** pkg/kubelet/kubelet_pods.go generateAPIPodStatus */
export function generateAPIPodStatus(parts: GenerateParts, request: GenerateRequest): PodStatus {
  const { pod, state, oldStatus, override } = request;
  const containers = convertContainerStatuses(parts, request);
  const all = [...(containers.containerStatuses ?? []), ...(containers.initContainerStatuses ?? [])];
  // A pod that has ended stays so, also when it is somebody else who says that it has.
  const before = !isTerminalPhase(oldStatus.phase) && pod.status && isTerminalPhase(pod.status.phase) ? pod.status : oldStatus;
  let phase = isTerminalPhase(before.phase) ? (before.phase ?? '') : getPhase(pod, all, request.podIsTerminal);
  const carried: { reason?: string; message?: string } = {};
  if (phase === before.phase) {
    if (before.reason) carried.reason = before.reason;
    if (before.message) carried.message = before.message;
  }
  if (override && oldStatus.phase !== 'Succeeded') {
    phase = 'Failed';
    carried.reason = override.reason;
    carried.message = override.message;
  }
  const base: PodStatus = {
    ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
    phase,
    ...carried,
    ...addressesOf(parts, request),
    ...containers,
    ...(pod.status?.qosClass ? { qosClass: pod.status.qosClass } : {}),
    ...(oldStatus.startTime ? { startTime: oldStatus.startTime } : {}),
  };
  const status = parts.updatePodStatus(pod, base);
  return {
    ...status,
    conditions: generateConditions({ pod, state, status, others: foreignConditions(pod, override), resize: parts.resizeConditions(pod) }),
  };
}

/** Conditions that others own, as the API has them. */
function foreignConditions(pod: Pod, override: PodStatusOverride | undefined): PodCondition[] {
  const kept = (pod.status?.conditions ?? []).filter(
    ({ type }) => !isKubeletCondition(type) && !(override?.disruption && type === 'DisruptionTarget'),
  );
  return override?.disruption ? [...kept, override.disruption] : kept;
}

interface Conditioned {
  readonly pod: Pod;
  readonly state: PodRuntimeState;
  readonly status: PodStatus;
  readonly others: readonly PodCondition[];
  readonly resize: readonly PodCondition[];
}

function generateConditions({ pod, state, status, others, resize }: Conditioned): PodCondition[] {
  return [
    ...others,
    ...resize,
    generatePodReadyToStartContainersCondition(pod, state),
    generatePodInitializedCondition(pod, status),
    generatePodReadyCondition(pod, status, others),
    generateContainersReadyCondition(pod, status),
    podScheduledCondition(pod),
  ];
}

/** Host and pod addresses. Those of a pod are kept when its sandbox is gone. */
function addressesOf(parts: GenerateParts, { pod, state, oldStatus }: GenerateRequest): Partial<PodStatus> {
  const { nodeIp } = parts;
  const ips = pod.spec?.hostNetwork ? [nodeIp] : podIps(state);
  const kept = ips.length > 0 ? ips : (oldStatus.podIPs ?? []).flatMap(({ ip }) => (ip ? [ip] : []));
  return {
    hostIP: nodeIp,
    hostIPs: [{ ip: nodeIp }],
    ...(kept[0] ? { podIP: kept[0], podIPs: kept.map((ip) => ({ ip })) } : {}),
  };
}

/** The status of a pod that the kubelet will not run: pkg/kubelet/kubelet.go rejectPod. */
export function rejectedStatus(pod: Pod, reason: string, message: string): PodStatus {
  return {
    ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
    phase: 'Failed',
    reason,
    message: `Pod was rejected: ${message}`,
    ...(pod.status?.qosClass ? { qosClass: pod.status.qosClass } : {}),
  };
}
