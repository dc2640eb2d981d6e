import type { ReplicaSet } from '../../../src/api/kinds/apps-v1.ts';
import { keyOf } from '../../../src/api/object.ts';
import { invariant } from '../../../src/sim/invariant.ts';
import { rethrowPanic, SyncError } from '../controller/sync-error.ts';
import type { DeploymentSync } from './deployment-sync.ts';
import { syncRolloutStatus } from './progress.ts';
import { scaleReplicaSetAndRecordEvent } from './scale.ts';
import { cleanupDeployment, getAllReplicaSetsAndSyncRevision } from './sync.ts';
import {
  compareByCreation,
  deploymentComplete,
  filterActiveReplicaSets,
  getAvailableReplicaCountForReplicaSets,
  getReplicaCountForReplicaSets,
  maxUnavailable,
  minAvailable,
  newRSNewReplicas,
  replicasOf,
} from './util/deployment-util.ts';

/** One step of a rolling update: pkg/controller/deployment/rolling.go rolloutRolling */
export async function rolloutRolling(sync: DeploymentSync): Promise<void> {
  const { newRS, oldRSs } = await getAllReplicaSetsAndSyncRevision(sync, true);
  invariant(newRS, 'a rollout has a new ReplicaSet');
  const sets = { newRS, oldRSs };
  if (await reconcileNewReplicaSet(sync, [...oldRSs, newRS], newRS)) return syncRolloutStatus(sync, sets);
  if (await reconcileOldReplicaSets(sync, [...oldRSs, newRS], newRS)) return syncRolloutStatus(sync, sets);
  if (deploymentComplete(sync.d, sync.d.status)) await cleanupDeployment(sync, oldRSs);
  return syncRolloutStatus(sync, sets);
}

/** Scales the new set towards the wanted size, within maxSurge: pkg/controller/deployment/rolling.go reconcileNewReplicaSet */
async function reconcileNewReplicaSet(sync: DeploymentSync, allRSs: readonly ReplicaSet[], newRS: ReplicaSet): Promise<boolean> {
  const wanted = replicasOf(sync.d);
  const size = replicasOf(newRS);
  if (size === wanted) return false;
  const newScale = size > wanted ? wanted : newRSNewReplicas(sync.d, allRSs, newRS);
  if (newScale !== size)
    sync.decide(`${wanted} pods wanted, ${getReplicaCountForReplicaSets(allRSs)} in all: new ReplicaSet from ${size} to ${newScale}`);
  return (await scaleReplicaSetAndRecordEvent(sync, newRS, newScale)).scaled;
}

/** Scales old sets down as far as enough pods stay available: pkg/controller/deployment/rolling.go reconcileOldReplicaSets */
async function reconcileOldReplicaSets(sync: DeploymentSync, allRSs: readonly ReplicaSet[], newRS: ReplicaSet): Promise<boolean> {
  const activeOldRSs = filterActiveReplicaSets(allRSs.filter((rs) => rs !== newRS));
  if (activeOldRSs.length === 0) return false;
  const least = replicasOf(sync.d) - maxUnavailable(sync.d);
  const newUnavailable = replicasOf(newRS) - (newRS.status?.availableReplicas ?? 0);
  const maxScaledDown = getReplicaCountForReplicaSets(allRSs) - least - newUnavailable;
  if (maxScaledDown <= 0) {
    sync.decide(`at least ${least} pods have to stay, ${newUnavailable} new pods are not available yet: old pods stay`);
    return false;
  }
  try {
    const { sets, count } = await cleanupUnhealthyReplicas(sync, activeOldRSs, maxScaledDown);
    return count + (await scaleDownOldReplicaSetsForRollingUpdate(sync, sets, newRS)) > 0;
  } catch (error) {
    // Upstream goes on as if nothing had been scaled; the next event of a ReplicaSet tries again.
    rethrowPanic(error);
    return false;
  }
}

/**
 * Takes pods that are not available first: they are no loss. Oldest set first.
 * pkg/controller/deployment/rolling.go cleanupUnhealthyReplicas
 */
async function cleanupUnhealthyReplicas(
  sync: DeploymentSync,
  oldRSs: readonly ReplicaSet[],
  maxCleanupCount: number,
): Promise<{ sets: ReplicaSet[]; count: number }> {
  const sets = [...oldRSs].sort(compareByCreation);
  let count = 0;
  for (const [index, rs] of sets.entries()) {
    const unhealthy = replicasOf(rs) - (rs.status?.availableReplicas ?? 0);
    if (count >= maxCleanupCount) break;
    if (unhealthy === 0) continue;
    // The ReplicaSet controller has not yet followed the last scale-down: another one would be based on pods that are about to go.
    if (unhealthy < 0) throw new SyncError(invalidScaleDown(rs, replicasOf(rs) - unhealthy));
    const surplus = Math.min(maxCleanupCount - count, unhealthy);
    sync.decide(`${unhealthy} pods of old ReplicaSet ${rs.metadata.name} are not available: remove ${surplus}`);
    sets[index] = (await scaleReplicaSetAndRecordEvent(sync, rs, replicasOf(rs) - surplus)).rs;
    count += surplus;
  }
  return { sets, count };
}

function invalidScaleDown(rs: ReplicaSet, size: number): string {
  return `when cleaning up unhealthy replicas, got invalid request to scale down ${keyOf(rs)} ${replicasOf(rs)} -> ${size}`;
}

/** pkg/controller/deployment/rolling.go scaleDownOldReplicaSetsForRollingUpdate */
async function scaleDownOldReplicaSetsForRollingUpdate(
  sync: DeploymentSync,
  oldRSs: readonly ReplicaSet[],
  newRS: ReplicaSet,
): Promise<number> {
  const least = minAvailable(sync.d);
  const available = getAvailableReplicaCountForReplicaSets([...oldRSs, newRS]);
  const surplus = available - least;
  if (surplus <= 0) return 0;
  let count = 0;
  for (const rs of [...oldRSs].sort(compareByCreation)) {
    const step = Math.min(replicasOf(rs), surplus - count);
    if (step <= 0) continue;
    sync.decide(`${available} pods are available, at least ${least} have to be: remove ${step} of old ReplicaSet ${rs.metadata.name}`);
    await scaleReplicaSetAndRecordEvent(sync, rs, replicasOf(rs) - step);
    count += step;
  }
  return count;
}
