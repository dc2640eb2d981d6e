import type { Pod, PodCondition, PodStatus } from '../../../src/api/kinds/core-v1.ts';
import { isTerminalPhase } from '../container/runtime.ts';
import { isKubeletCondition } from './generate.ts';

/** pkg/kubelet/status mergePodStatus: the API's status with what the kubelet owns put in. A terminal phase is held back while containers may still run. */
export function mergePodStatus(what: {
  readonly pod: Pod;
  readonly next: PodStatus;
  readonly couldHaveRunningContainers: boolean;
}): PodStatus {
  const old = what.pod.status ?? {};
  const { next } = what;
  const foreign = (old.conditions ?? []).filter(({ type }) => !isKubeletCondition(type));
  const withheld = isTerminalPhase(next.phase) && what.couldHaveRunningContainers;
  const ending = !isTerminalPhase(old.phase) && isTerminalPhase(next.phase) && !withheld;
  const shared = (next.conditions ?? []).filter(({ type }) => type === 'DisruptionTarget');
  const others = ending && shared.length > 0 ? [...foreign.filter(({ type }) => type !== 'DisruptionTarget'), ...shared] : foreign;
  const own = (next.conditions ?? []).filter(({ type }) => isKubeletCondition(type));
  const conditions = [...others, ...own];
  const { phase, reason, message, ...rest } = next;
  const kept = withheld ? old : { phase, reason, message };
  return {
    ...rest,
    ...(kept.phase ? { phase: kept.phase } : {}),
    ...(kept.reason ? { reason: kept.reason } : {}),
    ...(kept.message ? { message: kept.message } : {}),
    ...(old.nominatedNodeName ? { nominatedNodeName: old.nominatedNodeName } : {}),
    ...(old.resourceClaimStatuses ? { resourceClaimStatuses: old.resourceClaimStatuses } : {}),
    ...(old.extendedResourceClaimStatus ? { extendedResourceClaimStatus: old.extendedResourceClaimStatus } : {}),
    conditions: isTerminalPhase(next.phase) ? unready(conditions, next.phase ?? '') : conditions,
  };
}

/** A terminal phase forces the readiness conditions to False. */
function unready(conditions: readonly PodCondition[], phase: string): PodCondition[] {
  const reason = phase === 'Succeeded' ? 'PodCompleted' : 'PodFailed';
  return conditions.map((condition) => {
    if ((condition.type !== 'Ready' && condition.type !== 'ContainersReady') || condition.status !== 'True') return condition;
    const { message: _, ...rest } = condition;
    return { ...rest, status: 'False', reason };
  });
}
