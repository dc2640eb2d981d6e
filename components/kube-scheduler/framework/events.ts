import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';

/** framework.EventResource: what changed. */
export type EventResource =
  | 'Pod'
  | 'AssignedPod'
  | 'UnschedulablePod'
  | 'Node'
  | 'PersistentVolume'
  | 'PersistentVolumeClaim'
  | 'CSINode'
  | 'CSIDriver'
  | 'VolumeAttachment'
  | 'CSIStorageCapacity'
  | 'StorageClass'
  | 'ResourceClaim'
  | 'ResourceSlice'
  | 'DeviceClass'
  | '*';

/** framework.ActionType: how it changed, as bits. */
export const ActionType = {
  Add: 1,
  Delete: 1 << 1,
  UpdateNodeAllocatable: 1 << 2,
  UpdateNodeLabel: 1 << 3,
  UpdateNodeTaint: 1 << 4,
  UpdateNodeCondition: 1 << 5,
  UpdateNodeAnnotation: 1 << 6,
  UpdatePodLabel: 1 << 7,
  UpdatePodScaleDown: 1 << 8,
  UpdatePodToleration: 1 << 9,
  UpdatePodSchedulingGatesEliminated: 1 << 10,
  UpdatePodGeneratedResourceClaim: 1 << 11,
  UpdateOther: 1 << 12,
  /** Any update. */
  Update: ((1 << 13) - 1) & ~3,
  All: (1 << 13) - 1,
} as const;

/** framework.ClusterEvent: something happened that may make a pending pod schedulable. */
export interface ClusterEvent {
  readonly resource: EventResource;
  readonly actionType: number;
  /** How people call it, e.g. `NodeAdd`. */
  readonly label: string;
}

/** framework.QueueingHintFn: may the event make `pod` schedulable? Of the objects one may be absent (added, deleted). */
type QueueingHintFn = (pod: Pod, oldObject: KubernetesObject | undefined, newObject: KubernetesObject | undefined) => boolean;

/** framework.ClusterEventWithHint. Without a hint the pod is always tried again. */
export interface ClusterEventWithHint {
  readonly event: Pick<ClusterEvent, 'resource' | 'actionType'>;
  readonly hint?: QueueingHintFn;
}

/** framework.EventUnscheduledPodAdd and its neighbours (pkg/scheduler/framework/events.go). */
export const EventUnscheduledPodAdd: ClusterEvent = {
  resource: 'UnschedulablePod',
  actionType: ActionType.Add,
  label: 'UnscheduledPodAdd',
};
export const EventAssignedPodAdd: ClusterEvent = { resource: 'AssignedPod', actionType: ActionType.Add, label: 'AssignedPodAdd' };
export const EventAssignedPodDelete: ClusterEvent = { resource: 'AssignedPod', actionType: ActionType.Delete, label: 'AssignedPodDelete' };
export const EventUnschedulableTimeout: ClusterEvent = { resource: '*', actionType: ActionType.All, label: 'UnschedulableTimeout' };
export const EventForceActivate: ClusterEvent = { resource: '*', actionType: ActionType.All, label: 'ForceActivate' };

/** framework.ClusterEvent.IsWildCard */
export function isWildCard(event: ClusterEvent): boolean {
  return event.resource === '*' && event.actionType === ActionType.All;
}

/** framework.MatchClusterEvents: does what a plugin registered for cover what happened? */
export function matchClusterEvent(registered: Pick<ClusterEvent, 'resource' | 'actionType'>, incoming: ClusterEvent): boolean {
  return (
    isWildCard(incoming) || (matchesResource(registered.resource, incoming.resource) && (registered.actionType & incoming.actionType) !== 0)
  );
}

function matchesResource(registered: EventResource, incoming: EventResource): boolean {
  if (registered === '*' || registered === incoming) return true;
  return registered === 'Pod' && (incoming === 'AssignedPod' || incoming === 'UnschedulablePod');
}
