import type { Pod, PodCondition, PodStatus } from '../../../src/api/kinds/core-v1.ts';
import { formatTime } from '../../../src/api/time.ts';
import type { ResourceClient } from '../../../src/client/client.ts';

const DISRUPTION_TARGET = 'DisruptionTarget';

/**
 * Writes the condition DisruptionTarget=True into a pod's status, with other changes of the status if given; nothing when there is nothing to change.
 * pkg/util/pod PatchPodStatus with pkg/api/v1/pod UpdatePodCondition
 */
export async function patchPodDisruptionTarget(
  client: ResourceClient<Pod>,
  pod: Pod,
  why: { reason: string; message: string },
  more: Partial<PodStatus> = {},
): Promise<void> {
  const before = pod.status?.conditions?.find(({ type }) => type === DISRUPTION_TARGET);
  const isSame = before?.status === 'True' && before.reason === why.reason && before.message === why.message;
  const condition: PodCondition = {
    type: DISRUPTION_TARGET,
    status: 'True',
    ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
    lastTransitionTime: before?.status === 'True' ? (before.lastTransitionTime ?? '') : formatTime(client.actor.simulation.wallTime),
    ...why,
  };
  await patchPodStatus(client, pod, isSame ? more : { ...more, conditions: [condition] });
}

/** pkg/util/pod PatchPodStatus: the pod's UID makes sure that it is still the same pod. */
export async function patchPodStatus(client: ResourceClient<Pod>, pod: Pod, status: Partial<PodStatus>): Promise<void> {
  if (Object.keys(status).length === 0) return;
  const { namespace, name = '', uid = '' } = pod.metadata;
  await client.patch({ namespace, name }, { metadata: { uid }, status }, { type: 'strategic', subresource: 'status' });
}
