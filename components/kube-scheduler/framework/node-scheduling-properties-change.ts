import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { Node } from '../../../src/api/kinds/core-v1.ts';
import { ActionType, type ClusterEvent } from './events.ts';

export const EventNodeAdd: ClusterEvent = { resource: 'Node', actionType: ActionType.Add, label: 'NodeAdd' };
export const EventNodeDelete: ClusterEvent = { resource: 'Node', actionType: ActionType.Delete, label: 'NodeDelete' };

/** pkg/scheduler/framework/events.go NodeSchedulingPropertiesChange: what of a node changed that matters, one event for each aspect; heartbeats give none. */
export function nodeSchedulingPropertiesChange(newNode: Node, oldNode: Node): readonly ClusterEvent[] {
  const events: ClusterEvent[] = [];
  const note = (changed: boolean, actionType: number, label: string): void => {
    if (changed) events.push({ resource: 'Node', actionType, label });
  };
  const { spec = {}, status = {}, metadata } = newNode;
  const { spec: oldSpec = {}, status: oldStatus = {}, metadata: oldMetadata } = oldNode;
  note(!deepEqual(status.allocatable ?? {}, oldStatus.allocatable ?? {}), ActionType.UpdateNodeAllocatable, 'NodeAllocatableChange');
  note(!deepEqual(metadata.labels ?? {}, oldMetadata.labels ?? {}), ActionType.UpdateNodeLabel, 'NodeLabelChange');
  const uncordoned = Boolean(oldSpec.unschedulable) && !spec.unschedulable;
  note(uncordoned || !deepEqual(spec.taints ?? [], oldSpec.taints ?? []), ActionType.UpdateNodeTaint, 'NodeTaintChange');
  note(!deepEqual(conditionsOf(newNode), conditionsOf(oldNode)), ActionType.UpdateNodeCondition, 'NodeConditionChange');
  note(!deepEqual(metadata.annotations ?? {}, oldMetadata.annotations ?? {}), ActionType.UpdateNodeAnnotation, 'NodeAnnotationChange');
  return events;
}

function conditionsOf(node: Node): Record<string, string> {
  return Object.fromEntries((node.status?.conditions ?? []).map(({ type, status }) => [type, status]));
}
