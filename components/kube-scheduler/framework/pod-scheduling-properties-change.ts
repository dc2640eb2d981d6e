import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { ActionType, type ClusterEvent, type EventResource } from './events.ts';
import { asksForTheSame, podInfoOf } from './pod-info.ts';

/** pkg/scheduler/framework/events.go PodSchedulingPropertiesChange: what of a pod changed that matters, one event for each aspect. */
export function podSchedulingPropertiesChange(newPod: Pod, oldPod: Pod): readonly ClusterEvent[] {
  const resource: EventResource = newPod.spec?.nodeName ? 'AssignedPod' : 'UnschedulablePod';
  const events: ClusterEvent[] = [];
  const note = (changed: boolean, actionType: number, label: string): void => {
    if (changed) events.push({ resource, actionType, label: `${resource}${label}` });
  };
  note(!deepEqual(newPod.metadata.labels ?? {}, oldPod.metadata.labels ?? {}), ActionType.UpdatePodLabel, 'LabelChange');
  note(isScaledDown(newPod, oldPod), ActionType.UpdatePodScaleDown, 'ScaleDown');
  const gatesGone = !newPod.spec?.schedulingGates?.length && (oldPod.spec?.schedulingGates?.length ?? 0) > 0;
  note(gatesGone, ActionType.UpdatePodSchedulingGatesEliminated, 'SchedulingGatesEliminated');
  const tolerations = (pod: Pod): number => pod.spec?.tolerations?.length ?? 0;
  note(tolerations(newPod) !== tolerations(oldPod), ActionType.UpdatePodToleration, 'TolerationChange');
  const claims = (pod: Pod): unknown => pod.status?.resourceClaimStatuses ?? [];
  note(!deepEqual(claims(newPod), claims(oldPod)), ActionType.UpdatePodGeneratedResourceClaim, 'GeneratedResourceClaimChange');
  if (events.length === 0) note(true, ActionType.UpdateOther, 'Update');
  return events;
}

function isScaledDown(newPod: Pod, oldPod: Pod): boolean {
  if (asksForTheSame(oldPod, newPod)) return false;
  const now = podInfoOf(newPod).requests;
  for (const [name, amount] of podInfoOf(oldPod).requests) if ((now.get(name) ?? 0) < amount) return true;
  return false;
}
