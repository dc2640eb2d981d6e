import type { Deployment, ReplicaSet } from '../../../src/api/kinds/apps-v1.ts';
import type { DeploymentSync } from './deployment-sync.ts';
import type { RolloutSets } from './sync.ts';
import { getDesiredReplicasAnnotation, getMaxReplicasAnnotation, withReplicasAnnotations } from './util/annotations.ts';
import {
  allReplicaSets,
  compareBySizeNewer,
  compareBySizeOlder,
  filterActiveReplicaSets,
  findActiveOrLatest,
  getReplicaCountForReplicaSets,
  isRollingUpdate,
  maxSurge,
  replicasOf,
} from './util/deployment-util.ts';

export interface ScaleResult {
  readonly scaled: boolean;
  readonly rs: ReplicaSet;
}

/** Brings the sets to the Deployment's size without going on with a rollout: pkg/controller/deployment/sync.go scale */
export async function scale(sync: DeploymentSync, { newRS, oldRSs }: RolloutSets): Promise<void> {
  const { d } = sync;
  const only = findActiveOrLatest(newRS, oldRSs);
  if (only) {
    await scaleReplicaSetAndRecordEvent(sync, only, replicasOf(d));
    return;
  }
  if (newRS && isSaturated(d, newRS)) {
    for (const old of filterActiveReplicaSets(oldRSs)) await scaleReplicaSetAndRecordEvent(sync, old, 0);
    return;
  }
  if (isRollingUpdate(d)) await scaleProportionally(sync, filterActiveReplicaSets(allReplicaSets(oldRSs, newRS)));
}

/** In the middle of a rollout old and new sets grow or shrink in proportion, so that the risk stays as it was. */
async function scaleProportionally(sync: DeploymentSync, active: readonly ReplicaSet[]): Promise<void> {
  const { d } = sync;
  const allowedSize = replicasOf(d) > 0 ? replicasOf(d) + maxSurge(d) : 0;
  const toAdd = allowedSize - getReplicaCountForReplicaSets(active);
  const sorted = [...active];
  if (toAdd !== 0) sorted.sort(toAdd > 0 ? compareBySizeNewer : compareBySizeOlder);
  let added = 0;
  const sizes = sorted.map((rs) => {
    const proportion = getReplicaSetProportion(d, rs, { toAdd, added });
    added += proportion;
    return replicasOf(rs) + proportion;
  });
  if (toAdd !== 0) sizes[0] = Math.max(0, (sizes[0] ?? 0) + toAdd - added);
  sync.decide(
    `${d.metadata.name} was scaled to ${replicasOf(d)} during a rollout: ${sorted.map((rs, i) => `${rs.metadata.name} to ${sizes[i]}`).join(', ')}`,
  );
  for (const [index, rs] of sorted.entries()) await scaleReplicaSet(sync, rs, sizes[index] ?? 0);
}

/** pkg/controller/deployment/util/deployment_util.go GetReplicaSetProportion */
function getReplicaSetProportion(d: Deployment, rs: ReplicaSet, { toAdd, added }: { toAdd: number; added: number }): number {
  if (replicasOf(rs) === 0 || toAdd === 0 || toAdd === added) return 0;
  const fraction = getReplicaSetFraction(d, rs);
  return toAdd > 0 ? Math.min(fraction, toAdd - added) : Math.max(fraction, toAdd - added);
}

/** pkg/controller/deployment/util/deployment_util.go getReplicaSetFraction */
function getReplicaSetFraction(d: Deployment, rs: ReplicaSet): number {
  if (replicasOf(d) === 0) return -replicasOf(rs);
  const maxBefore = getMaxReplicasAnnotation(rs) || (d.status?.replicas ?? 0);
  if (maxBefore === 0) return 0;
  return Math.round((replicasOf(rs) * (replicasOf(d) + maxSurge(d))) / maxBefore) - replicasOf(rs);
}

/** pkg/controller/deployment/util/deployment_util.go IsSaturated */
function isSaturated(d: Deployment, rs: ReplicaSet): boolean {
  const wanted = replicasOf(d);
  return replicasOf(rs) === wanted && getDesiredReplicasAnnotation(rs) === wanted && (rs.status?.availableReplicas ?? 0) === wanted;
}

/** Does nothing when the size is right, whatever the annotations say: pkg/controller/deployment/sync.go scaleReplicaSetAndRecordEvent */
export async function scaleReplicaSetAndRecordEvent(sync: DeploymentSync, rs: ReplicaSet, newScale: number): Promise<ScaleResult> {
  return replicasOf(rs) === newScale ? { scaled: false, rs } : scaleReplicaSet(sync, rs, newScale);
}

/** pkg/controller/deployment/sync.go scaleReplicaSet */
async function scaleReplicaSet(sync: DeploymentSync, rs: ReplicaSet, newScale: number): Promise<ScaleResult> {
  const present = rs.metadata.annotations ?? {};
  const annotations = withReplicasAnnotations(present, sync.d);
  const oldScale = replicasOf(rs);
  if (oldScale === newScale && annotations === present) return { scaled: false, rs };
  const updated = await sync.services.replicaSets.update({
    ...rs,
    metadata: { ...rs.metadata, annotations: { ...annotations } },
    spec: { selector: {}, ...rs.spec, replicas: newScale },
  });
  if (oldScale === newScale) return { scaled: false, rs: updated };
  const direction = oldScale < newScale ? 'up' : 'down';
  sync.event('Normal', 'ScalingReplicaSet', `Scaled ${direction} replica set ${updated.metadata.name} from ${oldScale} to ${newScale}`);
  return { scaled: true, rs: updated };
}
