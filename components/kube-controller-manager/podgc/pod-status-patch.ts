import type { Pod, PodCondition, PodStatus } from '../../../src/api/kinds/core-v1.ts';
import { schemaOfKind } from '../../../src/api/schema.ts';
import { formatTime } from '../../../src/api/time.ts';
import { createTwoWayMergePatch } from '../../../src/api/two-way-merge-patch.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import { invariant } from '../../../src/sim/invariant.ts';

const DISRUPTION_TARGET = 'DisruptionTarget';

/**
 * Writes the condition DisruptionTarget=True into a pod's status, with other changes of the status if given; nothing when there is nothing to change.
 * pkg/util/pod PatchPodStatus with pkg/api/v1/pod UpdatePodCondition
 */
export async function patchPodDisruptionTarget(
  client: ResourceClient<Pod>,
  pod: Pod,
  { reason, message, more = {} }: { reason: string; message: string; more?: Partial<PodStatus> },
): Promise<void> {
  const before = pod.status?.conditions ?? [];
  const index = before.findIndex(({ type }) => type === DISRUPTION_TARGET);
  const old = before[index];
  const { generation } = pod.metadata;
  const condition: PodCondition = {
    type: DISRUPTION_TARGET,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    status: 'True',
    lastTransitionTime: old?.status === 'True' ? (old.lastTransitionTime ?? '') : formatTime(client.actor.simulation.wallTime),
    reason,
    message,
  };
  const conditions = index < 0 ? [...before, condition] : before.with(index, condition);
  await patchPodStatus(client, pod, { ...more, conditions });
}

/** pkg/util/pod PatchPodStatus: the pod's UID makes sure that it is still the same pod. */
export async function patchPodStatus(client: ResourceClient<Pod>, pod: Pod, changes: Partial<PodStatus>): Promise<void> {
  const schema = schemaOfKind('v1', 'Pod');
  invariant(schema, 'pods have a schema');
  const patch = createTwoWayMergePatch({ status: pod.status ?? {} }, { status: { ...pod.status, ...changes } }, schema);
  if (!patch) return;
  const { namespace, name = '', uid = '' } = pod.metadata;
  await client.patch({ namespace, name }, { metadata: { uid }, ...patch }, { type: 'strategic', subresource: 'status' });
}
