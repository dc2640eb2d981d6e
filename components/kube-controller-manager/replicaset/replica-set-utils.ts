import { getCondition } from '../../../src/api/conditions.ts';
import { semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { ReplicaSet, ReplicaSetCondition, ReplicaSetStatus } from '../../../src/api/kinds/apps-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { formatTime } from '../../../src/api/time.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import { isClusterError, messageOf } from '../controller/sync-error.ts';
import type { PodCounts } from './owned-pods.ts';
import type { ReplicaSetKind } from './replica-set-kind.ts';

const REPLICA_FAILURE = 'ReplicaFailure';
/** pkg/controller/replicaset/replica_set.go statusUpdateRetries */
const STATUS_UPDATE_RETRIES = 1;

/** What a sync saw of the pods before it created or deleted some. */
export interface Observation {
  readonly counts: PodCounts;
  readonly available: number;
  /** Why pods could not be created or deleted. */
  readonly manageError: unknown;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The wanted number of pods; the API defaults it to 1. */
export function wantedReplicas(rs: ReplicaSet): number {
  return rs.spec?.replicas ?? 1;
}

/** pkg/controller/replicaset/replica_set_utils.go calculateStatus */
export function calculateStatus(rs: ReplicaSet, { counts, available, manageError, now }: Observation): ReplicaSetStatus {
  const old = rs.status?.conditions ?? [];
  const failure = getCondition(old, REPLICA_FAILURE);
  let conditions = old;
  if (manageError !== undefined && !failure) {
    const reason = failureReason(counts.replicas - wantedReplicas(rs));
    const added: ReplicaSetCondition = {
      type: REPLICA_FAILURE,
      status: 'True',
      lastTransitionTime: formatTime(now),
      reason,
      message: messageOf(manageError),
    };
    conditions = [...old, added];
  } else if (manageError === undefined && failure) {
    conditions = old.filter(({ type }) => type !== REPLICA_FAILURE);
  }
  return {
    replicas: counts.replicas,
    ...(counts.fullyLabeled ? { fullyLabeledReplicas: counts.fullyLabeled } : {}),
    ...(counts.ready ? { readyReplicas: counts.ready } : {}),
    ...(available ? { availableReplicas: available } : {}),
    ...(rs.metadata.generation ? { observedGeneration: rs.metadata.generation } : {}),
    ...(conditions.length ? { conditions } : {}),
  };
}

function failureReason(surplus: number): string {
  if (surplus < 0) return 'FailedCreate';
  return surplus > 0 ? 'FailedDelete' : '';
}

/**
 * Writes the status if it changed, and once more on the live object if that fails; returns the object as it is then.
 * pkg/controller/replicaset/replica_set_utils.go updateReplicaSetStatus
 */
export async function updateReplicaSetStatus<T extends KubernetesObject>(
  sets: { readonly kind: ReplicaSetKind<T>; readonly client: ResourceClient<T> },
  rs: ReplicaSet,
  status: ReplicaSetStatus,
): Promise<ReplicaSet> {
  if (semanticDeepEqual(rs.status ?? { replicas: 0 }, status)) return rs;
  const { kind, client } = sets;
  let current = rs;
  for (let retries = 0; ; retries++) {
    try {
      return kind.asReplicaSet(await client.updateStatus(kind.fromReplicaSet({ ...current, status })));
    } catch (error) {
      if (retries >= STATUS_UPDATE_RETRIES || !isClusterError(error)) throw error;
    }
    const { namespace, name = '' } = rs.metadata;
    current = kind.asReplicaSet(await client.get({ namespace, name }));
  }
}
