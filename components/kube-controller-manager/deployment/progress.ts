import { semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { DeploymentStatus, ReplicaSet } from '../../../src/api/kinds/apps-v1.ts';
import { keyOf } from '../../../src/api/object.ts';
import type { DeploymentSync } from './deployment-sync.ts';
import { calculateStatus, type RolloutSets } from './sync.ts';
import {
  deploymentTimedOut,
  getDeploymentCondition,
  getReplicaFailures,
  newDeploymentCondition,
  REASONS,
  removeDeploymentCondition,
  setDeploymentCondition,
  timeToProgressDeadline,
} from './util/conditions.ts';
import { allReplicaSets, deploymentComplete, deploymentProgressing, hasProgressDeadline } from './util/deployment-util.ts';

const SECOND = 1000;

/** Writes counts and conditions, and looks again when the progress deadline is over: pkg/controller/deployment/progress.go syncRolloutStatus */
export async function syncRolloutStatus(sync: DeploymentSync, { newRS, oldRSs }: RolloutSets): Promise<void> {
  const sets = allReplicaSets(oldRSs, newRS);
  let newStatus = calculateStatus(sync, sets, newRS);
  newStatus = hasProgressDeadline(sync.d) ? withProgress(sync, newStatus, newRS) : removeDeploymentCondition(newStatus, 'Progressing');
  const failures = getReplicaFailures(sets, newRS);
  newStatus = failures.length ? failures.reduce(setDeploymentCondition, newStatus) : removeDeploymentCondition(newStatus, 'ReplicaFailure');
  if (semanticDeepEqual(sync.status, newStatus)) return requeueStuckDeployment(sync, newStatus);
  sync.setStatus(newStatus);
  await sync.updateStatus();
}

function withProgress(sync: DeploymentSync, newStatus: DeploymentStatus, newRS: ReplicaSet | undefined): DeploymentStatus {
  const { d, now } = sync;
  const current = getDeploymentCondition(d.status, 'Progressing');
  const isDone = (newStatus.replicas ?? 0) === (newStatus.updatedReplicas ?? 0) && current?.reason === REASONS.newReplicaSetAvailable;
  if (isDone) return newStatus;
  const subject = newRS ? `ReplicaSet "${newRS.metadata.name}"` : `Deployment "${d.metadata.name}"`;
  const condition = (status: string, reason: string, what: string) =>
    newDeploymentCondition(now, { type: 'Progressing', status, reason, message: `${subject} ${what}` });
  if (deploymentComplete(d, newStatus)) {
    return setDeploymentCondition(newStatus, condition('True', REASONS.newReplicaSetAvailable, 'has successfully progressed.'));
  }
  if (deploymentProgressing(d, newStatus)) {
    const progressing = condition('True', REASONS.replicaSetUpdated, 'is progressing.');
    const since = current?.status === 'True' && current.lastTransitionTime ? { lastTransitionTime: current.lastTransitionTime } : {};
    // Removed first, so that it is replaced even when its reason stays: the deadline counts from the last progress.
    return setDeploymentCondition(removeDeploymentCondition(newStatus, 'Progressing'), { ...progressing, ...since });
  }
  if (deploymentTimedOut(d, newStatus, now)) {
    return setDeploymentCondition(newStatus, condition('False', REASONS.timedOut, 'has timed out progressing.'));
  }
  return newStatus;
}

/** Nothing else may happen to a rollout that is stuck, so the deadline needs a look of its own: pkg/controller/deployment/progress.go requeueStuckDeployment */
function requeueStuckDeployment(sync: DeploymentSync, newStatus: DeploymentStatus): void {
  const { d, now } = sync;
  const condition = getDeploymentCondition(d.status, 'Progressing');
  if (!hasProgressDeadline(d) || !condition) return;
  if (deploymentComplete(d, newStatus) || condition.reason === REASONS.timedOut) return;
  const after = timeToProgressDeadline(d, condition, now);
  const { queue } = sync.services;
  if (after < SECOND) queue.addRateLimited(keyOf(d));
  // In the background: a deadline that is ten minutes away is no work that a settled cluster waits for.
  else queue.addAfter(keyOf(d), after + SECOND, 'background');
}
