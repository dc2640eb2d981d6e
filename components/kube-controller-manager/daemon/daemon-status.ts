import type { DaemonSet, DaemonSetStatus } from '../../../src/api/kinds/apps-v1.ts';
import type { Node, Pod } from '../../../src/api/kinds/core-v1.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import { isPodAvailable, isPodReady } from '../controller/controller-utils.ts';
import { isClusterError } from '../controller/sync-error.ts';
import { isPodUpdated, nodeShouldRunDaemonPod, sortDaemonPods } from './daemonset-util.ts';

/** pkg/controller/daemon/daemon_controller.go StatusUpdateRetries */
const STATUS_UPDATE_RETRIES = 1;

export interface StatusCounts {
  desired: number;
  current: number;
  misscheduled: number;
  ready: number;
  updated: number;
  available: number;
}

export interface StatusObservation {
  readonly nodes: readonly Node[];
  readonly podsByNode: ReadonlyMap<string, readonly Pod[]>;
  /** Of the template as it is now. */
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** pkg/controller/daemon/daemon_controller.go updateDaemonSetStatus */
export function countDaemonPods(ds: DaemonSet, { nodes, podsByNode, hash, now }: StatusObservation): StatusCounts {
  const counts = { desired: 0, current: 0, misscheduled: 0, ready: 0, updated: 0, available: 0 };
  for (const node of nodes) {
    const pods = podsByNode.get(node.metadata.name ?? '') ?? [];
    if (!nodeShouldRunDaemonPod(node, ds).shouldRun) {
      if (pods.length > 0) counts.misscheduled++;
      continue;
    }
    counts.desired++;
    const [pod] = sortDaemonPods(pods);
    if (!pod) continue;
    counts.current++;
    if (isPodReady(pod)) counts.ready++;
    if (isPodAvailable(pod, ds.spec?.minReadySeconds ?? 0, now)) counts.available++;
    if (isPodUpdated(pod, hash, ds)) counts.updated++;
  }
  return counts;
}

/** Writes the status if it says something new, and once more on the live object if that fails: pkg/controller/daemon/daemon_controller.go storeDaemonSetStatus */
export async function storeDaemonSetStatus(
  client: ResourceClient<DaemonSet>,
  ds: DaemonSet,
  { counts, updateObservedGeneration }: { counts: StatusCounts; updateObservedGeneration: boolean },
): Promise<void> {
  const generation = ds.metadata.generation ?? 0;
  if (isUnchanged(ds.status, counts) && (ds.status?.observedGeneration ?? 0) >= generation) return;
  let current = ds;
  for (let retries = 0; ; retries++) {
    const observedGeneration = updateObservedGeneration ? generation : (current.status?.observedGeneration ?? 0);
    try {
      await client.updateStatus({ ...current, status: toStatus(current.status, counts, observedGeneration) });
      return;
    } catch (error) {
      if (retries >= STATUS_UPDATE_RETRIES || !isClusterError(error)) throw error;
    }
    const { namespace, name = '' } = ds.metadata;
    current = await client.get({ namespace, name });
  }
}

function isUnchanged(old: DaemonSetStatus | undefined, counts: StatusCounts): boolean {
  return (
    (old?.desiredNumberScheduled ?? 0) === counts.desired &&
    (old?.currentNumberScheduled ?? 0) === counts.current &&
    (old?.numberMisscheduled ?? 0) === counts.misscheduled &&
    (old?.numberReady ?? 0) === counts.ready &&
    (old?.updatedNumberScheduled ?? 0) === counts.updated &&
    (old?.numberAvailable ?? 0) === counts.available &&
    (old?.numberUnavailable ?? 0) === counts.desired - counts.available
  );
}

function toStatus(old: DaemonSetStatus | undefined, counts: StatusCounts, observedGeneration: number): DaemonSetStatus {
  const { updated, available } = counts;
  const unavailable = counts.desired - available;
  return {
    currentNumberScheduled: counts.current,
    numberMisscheduled: counts.misscheduled,
    desiredNumberScheduled: counts.desired,
    numberReady: counts.ready,
    ...(observedGeneration ? { observedGeneration } : {}),
    ...(updated ? { updatedNumberScheduled: updated } : {}),
    ...(available ? { numberAvailable: available } : {}),
    ...(unavailable ? { numberUnavailable: unavailable } : {}),
    ...(old?.collisionCount === undefined ? {} : { collisionCount: old.collisionCount }),
    ...(old?.conditions?.length ? { conditions: old.conditions } : {}),
  };
}
