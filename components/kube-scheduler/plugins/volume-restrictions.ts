import type { Pod, Volume } from '../../../src/api/kinds/core-v1.ts';
import type { Snapshot } from '../backend/cache/snapshot.ts';
import { type CycleState, type StateData, StateKey } from '../framework/cycle-state.ts';
import { ActionType, type ClusterEventWithHint } from '../framework/events.ts';
import type { Handle, Plugin } from '../framework/interface.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { type PodInfo, podInfoOf } from '../framework/pod-info.ts';
import { Status } from '../framework/status.ts';
import { notFound } from './helper/claims.ts';

const NAME = 'VolumeRestrictions';
const SKIP = new Status('Skip');
const DISK_CONFLICT = new Status('Unschedulable', ['node(s) had no available disk'], NAME);
const CLAIM_IN_USE = new Status(
  'Unschedulable',
  ['node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod'],
  NAME,
);

class PreFilterState implements StateData {
  /** Claims of the pod that only one pod may use, by key. */
  readonly exclusive: ReadonlySet<string>;
  /** How often they are in use. */
  conflicts: number;

  constructor(exclusive: ReadonlySet<string>, conflicts: number) {
    this.exclusive = exclusive;
    this.conflicts = conflicts;
  }

  update(other: PodInfo, amount: 1 | -1): void {
    for (const claim of other.claims) if (this.exclusive.has(claim)) this.conflicts += amount;
  }

  clone(): PreFilterState {
    return new PreFilterState(this.exclusive, this.conflicts);
  }
}

const PRE_FILTER = new StateKey<PreFilterState>(`PreFilter${NAME}`);

/** Disks and claims that cannot be shared: pkg/scheduler/framework/plugins/volumerestrictions VolumeRestrictions. */
export class VolumeRestrictions implements Plugin {
  readonly name = NAME;
  readonly #handle: Pick<Handle, 'listers'>;

  constructor(handle: Pick<Handle, 'listers'>) {
    this.#handle = handle;
  }

  preFilter(state: CycleState, pod: Pod, snapshot: Snapshot): { status?: Status } {
    const volumes = pod.spec?.volumes ?? [];
    const exclusive = new Set<string>();
    for (const { persistentVolumeClaim } of volumes) {
      if (!persistentVolumeClaim) continue;
      const key = `${pod.metadata.namespace}/${persistentVolumeClaim.claimName}`;
      const claim = this.#handle.listers.persistentVolumeClaims.get(key);
      if (!claim) return { status: new Status('UnschedulableAndUnresolvable', [notFound(persistentVolumeClaim.claimName)], NAME) };
      if (claim.spec?.accessModes?.includes('ReadWriteOncePod')) exclusive.add(key);
    }
    let conflicts = 0;
    for (const key of exclusive) if (snapshot.isPVCUsedByPods(key)) conflicts++;
    if (!volumes.some(isDisk) && conflicts === 0) return { status: SKIP };
    state.write(PRE_FILTER, new PreFilterState(exclusive, conflicts));
    return {};
  }

  addPod(state: CycleState, _pod: Pod, { pod }: { readonly pod: PodInfo }): undefined {
    state.read(PRE_FILTER)?.update(pod, 1);
  }

  removePod(state: CycleState, _pod: Pod, { pod }: { readonly pod: PodInfo }): undefined {
    state.read(PRE_FILTER)?.update(pod, -1);
  }

  filter(state: CycleState, pod: Pod, nodeInfo: NodeInfo): Status | undefined {
    if (hasDiskConflict(pod, nodeInfo.pods)) return DISK_CONFLICT;
    return (state.read(PRE_FILTER)?.conflicts ?? 0) > 0 ? CLAIM_IN_USE : undefined;
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    return [
      {
        event: { resource: 'Pod', actionType: ActionType.Delete },
        hint: (pod, before) => isSchedulableAfterPodDeleted(pod, before as Pod | undefined),
      },
      { event: { resource: 'Node', actionType: ActionType.Add } },
      {
        event: { resource: 'PersistentVolumeClaim', actionType: ActionType.Add | ActionType.Update },
        hint: (pod, _before, after) => podInfoOf(pod).claims.includes(`${after?.metadata.namespace}/${after?.metadata.name}`),
      },
    ];
  }
}

function isSchedulableAfterPodDeleted(pod: Pod, deleted: Pod | undefined): boolean {
  if (!deleted || deleted.metadata.namespace !== pod.metadata.namespace) return false;
  if (hasDiskConflict(pod, [podInfoOf(deleted)])) return true;
  const { claims } = podInfoOf(pod);
  return podInfoOf(deleted).claims.some((claim) => claims.includes(claim));
}

function isDisk(volume: Volume): boolean {
  return Boolean(volume.gcePersistentDisk ?? volume.awsElasticBlockStore ?? volume.rbd ?? volume.iscsi);
}

function hasDiskConflict(pod: Pod, others: readonly PodInfo[]): boolean {
  for (const volume of pod.spec?.volumes ?? []) {
    if (!isDisk(volume)) continue;
    if (others.some((other) => other.pod.spec?.volumes?.some((existing) => isVolumeConflict(volume, existing)))) return true;
  }
  return false;
}

/** volumerestrictions isVolumeConflict: the same disk, unless both only read (which EBS does not allow). */
function isVolumeConflict(a: Volume, b: Volume): boolean {
  if (a.gcePersistentDisk && b.gcePersistentDisk && a.gcePersistentDisk.pdName === b.gcePersistentDisk.pdName) {
    return !(a.gcePersistentDisk.readOnly && b.gcePersistentDisk.readOnly);
  }
  if (a.awsElasticBlockStore && b.awsElasticBlockStore) return a.awsElasticBlockStore.volumeID === b.awsElasticBlockStore.volumeID;
  if (a.iscsi && b.iscsi && a.iscsi.iqn === b.iscsi.iqn) return !(a.iscsi.readOnly && b.iscsi.readOnly);
  if (!a.rbd || !b.rbd) return false;
  const { monitors, pool = 'rbd', image } = a.rbd;
  const same = (b.rbd.pool ?? 'rbd') === pool && b.rbd.image === image && b.rbd.monitors.some((monitor) => monitors.includes(monitor));
  return same && !(a.rbd.readOnly && b.rbd.readOnly);
}
