import { semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { Deployment, DeploymentStatus, ReplicaSet } from '../../../src/api/kinds/apps-v1.ts';
import { isNotFound } from '../../../src/api/status-error.ts';
import { aggregate } from '../controller/sync-error.ts';
import type { DeploymentSync } from './deployment-sync.ts';
import { getNewReplicaSet } from './new-replica-set.ts';
import { getRollbackTo } from './rollback.ts';
import { scale } from './scale.ts';
import { getDesiredReplicasAnnotation, revisionOf } from './util/annotations.ts';
import { getDeploymentCondition, newDeploymentCondition, REASONS, setDeploymentCondition } from './util/conditions.ts';
import {
  allReplicaSets,
  compareByCreation,
  filterActiveReplicaSets,
  findOldReplicaSets,
  getActualReplicaCountForReplicaSets,
  getAvailableReplicaCountForReplicaSets,
  getReadyReplicaCountForReplicaSets,
  getReplicaCountForReplicaSets,
  hasProgressDeadline,
  hasRevisionHistoryLimit,
  maxUnavailable,
  replicasOf,
} from './util/deployment-util.ts';

/** The ReplicaSets of a Deployment: the one with its template, if there is one, and all others. */
export interface RolloutSets {
  readonly newRS: ReplicaSet | undefined;
  readonly oldRSs: readonly ReplicaSet[];
}

/** Updates nothing but the status: pkg/controller/deployment/sync.go syncStatusOnly */
export async function syncStatusOnly(sync: DeploymentSync): Promise<void> {
  await syncDeploymentStatus(sync, await getAllReplicaSetsAndSyncRevision(sync, false));
}

/** Scales, for a Deployment that is paused or was scaled: pkg/controller/deployment/sync.go sync */
export async function syncScale(sync: DeploymentSync): Promise<void> {
  const sets = await getAllReplicaSetsAndSyncRevision(sync, false);
  await scale(sync, sets);
  if (sync.d.spec?.paused && getRollbackTo(sync.d) === undefined) await cleanupDeployment(sync, sets.oldRSs);
  await syncDeploymentStatus(sync, sets);
}

/**
 * Keeps in the Progressing condition that the rollout is paused, or goes on again: pausing must not count against the progress deadline.
 * pkg/controller/deployment/sync.go checkPausedConditions
 */
export async function checkPausedConditions(sync: DeploymentSync): Promise<void> {
  const { d } = sync;
  if (!hasProgressDeadline(d)) return;
  const reason = getDeploymentCondition(d.status, 'Progressing')?.reason;
  if (reason === REASONS.timedOut) return;
  const saysPaused = reason === REASONS.paused;
  const isPaused = d.spec?.paused === true;
  if (isPaused === saysPaused) return;
  const change = isPaused
    ? { reason: REASONS.paused, message: 'Deployment is paused' }
    : { reason: REASONS.resumed, message: 'Deployment is resumed' };
  sync.setStatus(
    setDeploymentCondition(sync.status, newDeploymentCondition(sync.now, { type: 'Progressing', status: 'Unknown', ...change })),
  );
  await sync.updateStatus();
}

/** pkg/controller/deployment/sync.go getAllReplicaSetsAndSyncRevision */
export async function getAllReplicaSetsAndSyncRevision(sync: DeploymentSync, createIfNotExisted: boolean): Promise<RolloutSets> {
  const oldRSs = findOldReplicaSets(sync.d, sync.rsList);
  return { newRS: await getNewReplicaSet(sync, oldRSs, createIfNotExisted), oldRSs };
}

/** Whether the number of replicas changed since the sets were last scaled: pkg/controller/deployment/sync.go isScalingEvent */
export async function isScalingEvent(sync: DeploymentSync): Promise<boolean> {
  const { newRS, oldRSs } = await getAllReplicaSetsAndSyncRevision(sync, false);
  return filterActiveReplicaSets(allReplicaSets(oldRSs, newRS)).some((rs) => {
    const desired = getDesiredReplicasAnnotation(rs);
    return desired !== undefined && desired !== replicasOf(sync.d);
  });
}

/** Deletes the oldest of the old sets without pods: pkg/controller/deployment/sync.go cleanupDeployment */
export async function cleanupDeployment(sync: DeploymentSync, oldRSs: readonly ReplicaSet[]): Promise<void> {
  const limit = sync.d.spec?.revisionHistoryLimit;
  if (!hasRevisionHistoryLimit(sync.d) || limit === undefined) return;
  const cleanable = oldRSs.filter((rs) => rs.metadata.deletionTimestamp === undefined);
  const surplus = cleanable.length - limit;
  if (surplus <= 0) return;
  cleanable.sort((a, b) => (revisionOf(a) ?? 0) - (revisionOf(b) ?? 0) || compareByCreation(a, b));
  const errors: unknown[] = [];
  for (const rs of cleanable.slice(0, surplus).filter(isWithoutPods)) {
    const { namespace, name = '' } = rs.metadata;
    sync.decide(`${cleanable.length} old ReplicaSets, revisionHistoryLimit is ${limit}: delete ${name}`);
    try {
      await sync.services.replicaSets.delete({ namespace, name });
    } catch (error) {
      if (!isNotFound(error)) errors.push(error);
    }
  }
  if (errors.length) throw aggregate(errors);
}

function isWithoutPods(rs: ReplicaSet): boolean {
  const isObserved = (rs.metadata.generation ?? 0) <= (rs.status?.observedGeneration ?? 0);
  return (rs.status?.replicas ?? 0) === 0 && replicasOf(rs) === 0 && isObserved;
}

/** Writes the counts and the Available condition, if they changed: pkg/controller/deployment/sync.go syncDeploymentStatus */
async function syncDeploymentStatus(sync: DeploymentSync, { newRS, oldRSs }: RolloutSets): Promise<void> {
  const newStatus = calculateStatus(sync, allReplicaSets(oldRSs, newRS), newRS);
  if (semanticDeepEqual(sync.status, newStatus)) return;
  sync.setStatus(newStatus);
  await sync.updateStatus();
}

/** pkg/controller/deployment/sync.go calculateStatus */
export function calculateStatus(sync: DeploymentSync, sets: readonly ReplicaSet[], newRS: ReplicaSet | undefined): DeploymentStatus {
  const { d } = sync;
  const available = getAvailableReplicaCountForReplicaSets(sets);
  const counts = {
    observedGeneration: d.metadata.generation ?? 0,
    replicas: getActualReplicaCountForReplicaSets(sets),
    updatedReplicas: getActualReplicaCountForReplicaSets(newRS ? [newRS] : []),
    readyReplicas: getReadyReplicaCountForReplicaSets(sets),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, getReplicaCountForReplicaSets(sets) - available),
  };
  const { collisionCount, conditions } = sync.status;
  const status: DeploymentStatus = {
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)),
    ...(collisionCount === undefined ? {} : { collisionCount }),
    ...(conditions ? { conditions } : {}),
  };
  return setDeploymentCondition(status, newDeploymentCondition(sync.now, availability(d, available)));
}

function availability(d: Deployment, available: number): { type: string; status: string; reason: string; message: string } {
  const type = 'Available';
  return available >= replicasOf(d) - maxUnavailable(d)
    ? { type, status: 'True', reason: REASONS.minimumReplicasAvailable, message: 'Deployment has minimum availability.' }
    : { type, status: 'False', reason: REASONS.minimumReplicasUnavailable, message: 'Deployment does not have minimum availability.' };
}
