import type { ReplicaSet } from '../../../src/api/kinds/apps-v1.ts';
import { invariant } from '../../../src/sim/invariant.ts';
import { listControlledBy } from '../controller/controller-index.ts';
import { isPodTerminal } from '../controller/controller-utils.ts';
import type { DeploymentSync } from './deployment-sync.ts';
import { syncRolloutStatus } from './progress.ts';
import { scaleReplicaSetAndRecordEvent } from './scale.ts';
import { cleanupDeployment, getAllReplicaSetsAndSyncRevision, type RolloutSets } from './sync.ts';
import { deploymentComplete, filterActiveReplicaSets, getActualReplicaCountForReplicaSets, replicasOf } from './util/deployment-util.ts';

/** All old pods go before new ones come: pkg/controller/deployment/recreate.go rolloutRecreate */
export async function rolloutRecreate(sync: DeploymentSync): Promise<void> {
  let sets = await getAllReplicaSetsAndSyncRevision(sync, false);
  if (await scaleDownOldReplicaSetsForRecreate(sync, filterActiveReplicaSets(sets.oldRSs))) return syncRolloutStatus(sync, sets);
  if (oldPodsRunning(sync, sets)) {
    sync.decide('old pods are still there: wait until they are gone');
    return syncRolloutStatus(sync, sets);
  }
  if (!sets.newRS) sets = await getAllReplicaSetsAndSyncRevision(sync, true);
  invariant(sets.newRS, 'a rollout has a new ReplicaSet');
  await scaleReplicaSetAndRecordEvent(sync, sets.newRS, replicasOf(sync.d));
  if (deploymentComplete(sync.d, sync.d.status)) await cleanupDeployment(sync, sets.oldRSs);
  return syncRolloutStatus(sync, sets);
}

/** pkg/controller/deployment/recreate.go scaleDownOldReplicaSetsForRecreate */
async function scaleDownOldReplicaSetsForRecreate(sync: DeploymentSync, active: readonly ReplicaSet[]): Promise<boolean> {
  let scaled = false;
  for (const rs of active) scaled = (await scaleReplicaSetAndRecordEvent(sync, rs, 0)).scaled || scaled;
  return scaled;
}

/** Pods that are being deleted count, those that have ended do not: pkg/controller/deployment/recreate.go oldPodsRunning */
function oldPodsRunning(sync: DeploymentSync, { newRS, oldRSs }: RolloutSets): boolean {
  if (getActualReplicaCountForReplicaSets(oldRSs) > 0) return true;
  const others = sync.rsList.filter((rs) => rs.metadata.uid !== newRS?.metadata.uid);
  return others.some((rs) => listControlledBy(sync.services.podLister, rs.metadata.uid ?? '').some((pod) => !isPodTerminal(pod)));
}
