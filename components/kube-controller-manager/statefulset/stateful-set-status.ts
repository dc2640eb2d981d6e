import type { ControllerRevision, StatefulSet, StatefulSetStatus } from '../../../src/api/kinds/apps-v1.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../../src/api/object.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import { retryOnConflict } from '../../../src/client/retry.ts';
import {
  getPodRevision,
  isCreated,
  isRunningAndAvailable,
  isRunningAndReady,
  isTerminating,
  minReadySecondsOf,
  type Revisions,
  replicasOf,
} from './stateful-set-utils.ts';

/** The numbers of a status that is being put together; zeros are left out when it is written. */
export interface StatusDraft {
  observedGeneration: number;
  currentRevision: string;
  readonly updateRevision: string;
  readonly collisionCount: number;
  replicas: number;
  readyReplicas: number;
  availableReplicas: number;
  currentReplicas: number;
  updatedReplicas: number;
}

export function newStatusDraft(set: StatefulSet, { currentRevision, updateRevision, collisionCount }: Revisions): StatusDraft {
  return {
    observedGeneration: set.metadata.generation ?? 0,
    currentRevision: nameOf(currentRevision),
    updateRevision: nameOf(updateRevision),
    collisionCount,
    replicas: 0,
    readyReplicas: 0,
    availableReplicas: 0,
    currentReplicas: 0,
    updatedReplicas: 0,
  };
}

function nameOf(revision: ControllerRevision): string {
  return revision.metadata.name ?? '';
}

/** Counts the pods anew: pkg/controller/statefulset/stateful_set_control.go updateStatus */
export function updateStatus(status: StatusDraft, { set, pods, now }: { set: StatefulSet; pods: readonly Pod[]; now: number }): void {
  const minReadySeconds = minReadySecondsOf(set);
  const counts = { replicas: 0, readyReplicas: 0, availableReplicas: 0, currentReplicas: 0, updatedReplicas: 0 };
  for (const pod of pods) {
    if (!isCreated(pod)) continue;
    counts.replicas++;
    if (isRunningAndReady(pod)) {
      counts.readyReplicas++;
      if (isRunningAndAvailable(pod, minReadySeconds, now)) counts.availableReplicas++;
    }
    if (isTerminating(pod)) continue;
    const revision = getPodRevision(pod);
    if (revision === status.currentRevision) counts.currentReplicas++;
    if (revision === status.updateRevision) counts.updatedReplicas++;
  }
  Object.assign(status, counts);
}

/** When all pods are updated and ready, the update revision becomes the current one: pkg/controller/statefulset/stateful_set_utils.go completeRollingUpdate */
function completeRollingUpdate(set: StatefulSet, status: StatusDraft): void {
  if (set.spec?.updateStrategy?.type !== 'RollingUpdate') return;
  const { updatedReplicas, readyReplicas, replicas } = status;
  if ([updatedReplicas, readyReplicas, replicas].some((number) => number !== replicasOf(set))) return;
  status.currentReplicas = updatedReplicas;
  status.currentRevision = status.updateRevision;
}

/** pkg/controller/statefulset/stateful_set_utils.go inconsistentStatus */
function inconsistentStatus({ status: old }: StatefulSet, status: StatusDraft): boolean {
  return (
    status.observedGeneration > (old?.observedGeneration ?? 0) ||
    status.replicas !== (old?.replicas ?? 0) ||
    status.currentReplicas !== (old?.currentReplicas ?? 0) ||
    status.readyReplicas !== (old?.readyReplicas ?? 0) ||
    status.updatedReplicas !== (old?.updatedReplicas ?? 0) ||
    status.availableReplicas !== (old?.availableReplicas ?? 0) ||
    status.currentRevision !== (old?.currentRevision ?? '') ||
    status.updateRevision !== (old?.updateRevision ?? '')
  );
}

/** Writes the status if it says something new: pkg/controller/statefulset/stateful_set_control.go updateStatefulSetStatus */
export async function updateStatefulSetStatus(
  sets: { readonly client: ResourceClient<StatefulSet>; readonly lister: Indexer<StatefulSet> },
  set: StatefulSet,
  status: StatusDraft,
): Promise<void> {
  completeRollingUpdate(set, status);
  if (!inconsistentStatus(set, status)) return;
  let current = set;
  await retryOnConflict({ actor: sets.client.actor }, async () => {
    try {
      await sets.client.updateStatus({ ...current, status: toStatus(status) });
    } catch (error) {
      current = sets.lister.get(keyOf(set)) ?? current;
      throw error;
    }
  });
}

/** A status of its own: conditions that somebody else has written go, as upstream has none. */
function toStatus(status: StatusDraft): StatefulSetStatus {
  const { currentReplicas, readyReplicas, updatedReplicas, observedGeneration, ...always } = status;
  return {
    ...always,
    ...(observedGeneration ? { observedGeneration } : {}),
    ...(currentReplicas ? { currentReplicas } : {}),
    ...(readyReplicas ? { readyReplicas } : {}),
    ...(updatedReplicas ? { updatedReplicas } : {}),
  };
}
