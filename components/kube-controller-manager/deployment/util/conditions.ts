import { getCondition } from '../../../../src/api/conditions.ts';
import type {
  Deployment,
  DeploymentCondition,
  DeploymentStatus,
  ReplicaSet,
  ReplicaSetCondition,
} from '../../../../src/api/kinds/apps-v1.ts';
import { formatTime, parseTime } from '../../../../src/api/time.ts';
import { invariant } from '../../../../src/sim/invariant.ts';
import { hasProgressDeadline } from './deployment-util.ts';

/** pkg/controller/deployment/util/deployment_util.go: the reasons of conditions. */
export const REASONS = {
  newReplicaSet: 'NewReplicaSetCreated',
  foundNewReplicaSet: 'FoundNewReplicaSet',
  replicaSetUpdated: 'ReplicaSetUpdated',
  failedReplicaSetCreate: 'ReplicaSetCreateError',
  newReplicaSetAvailable: 'NewReplicaSetAvailable',
  timedOut: 'ProgressDeadlineExceeded',
  paused: 'DeploymentPaused',
  resumed: 'DeploymentResumed',
  minimumReplicasAvailable: 'MinimumReplicasAvailable',
  minimumReplicasUnavailable: 'MinimumReplicasUnavailable',
} as const;

const SECOND = 1000;

/** pkg/controller/deployment/util/deployment_util.go GetDeploymentCondition */
export function getDeploymentCondition(status: DeploymentStatus | undefined, type: string): DeploymentCondition | undefined {
  return getCondition(status?.conditions, type);
}

/** A condition as of `now` (milliseconds since 1970): pkg/controller/deployment/util/deployment_util.go NewDeploymentCondition */
export function newDeploymentCondition(
  now: number,
  condition: Omit<DeploymentCondition, 'lastUpdateTime' | 'lastTransitionTime'>,
): DeploymentCondition {
  const time = formatTime(now);
  return { ...condition, lastUpdateTime: time, lastTransitionTime: time };
}

/**
 * The status with the condition at the end of the list, unless one with that status and reason is there.
 * pkg/controller/deployment/util/deployment_util.go SetDeploymentCondition
 */
export function setDeploymentCondition(status: DeploymentStatus, condition: DeploymentCondition): DeploymentStatus {
  const current = getDeploymentCondition(status, condition.type);
  if (current?.status === condition.status && current.reason === condition.reason) return status;
  const keepsTransition = current?.status === condition.status && current.lastTransitionTime !== undefined;
  const added = keepsTransition ? { ...condition, lastTransitionTime: current.lastTransitionTime } : condition;
  const others = (status.conditions ?? []).filter((other) => other.type !== condition.type);
  return { ...status, conditions: [...others, added as DeploymentCondition] };
}

/** pkg/controller/deployment/util/deployment_util.go RemoveDeploymentCondition */
export function removeDeploymentCondition(status: DeploymentStatus, type: string): DeploymentStatus {
  if (!getDeploymentCondition(status, type)) return status;
  const { conditions, ...rest } = status;
  const others = (conditions ?? []).filter((condition) => condition.type !== type);
  return others.length ? { ...rest, conditions: others } : rest;
}

/** pkg/controller/deployment/util/deployment_util.go ReplicaSetToDeploymentCondition */
export function replicaSetToDeploymentCondition({ lastTransitionTime, ...condition }: ReplicaSetCondition): DeploymentCondition {
  return { ...condition, ...(lastTransitionTime ? { lastUpdateTime: lastTransitionTime, lastTransitionTime } : {}) };
}

/** What keeps pods of the new set from being made, else of any set: pkg/controller/deployment/progress.go getReplicaFailures */
export function getReplicaFailures(sets: readonly ReplicaSet[], newRS: ReplicaSet | undefined): DeploymentCondition[] {
  const failuresOf = (rs: ReplicaSet): DeploymentCondition[] =>
    (rs.status?.conditions ?? []).filter(({ type }) => type === 'ReplicaFailure').map(replicaSetToDeploymentCondition);
  const ofNew = newRS ? failuresOf(newRS) : [];
  return ofNew.length ? ofNew : sets.flatMap(failuresOf);
}

/** Milliseconds until the deadline passes, counted from the last progress; negative when it has: pkg/controller/deployment/progress.go */
export function timeToProgressDeadline(d: Deployment, condition: DeploymentCondition, now: number): number {
  invariant(hasProgressDeadline(d), 'the Deployment has a progress deadline');
  return (parseTime(condition.lastUpdateTime) ?? 0) + (d.spec?.progressDeadlineSeconds ?? 0) * SECOND - now;
}

/** pkg/controller/deployment/util/deployment_util.go DeploymentTimedOut */
export function deploymentTimedOut(d: Deployment, newStatus: DeploymentStatus, now: number): boolean {
  if (!hasProgressDeadline(d)) return false;
  const condition = getDeploymentCondition(newStatus, 'Progressing');
  if (!condition || condition.reason === REASONS.newReplicaSetAvailable) return false;
  return condition.reason === REASONS.timedOut || timeToProgressDeadline(d, condition, now) < 0;
}
