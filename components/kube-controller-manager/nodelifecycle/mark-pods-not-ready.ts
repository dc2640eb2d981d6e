import type { Pod, PodCondition } from '../../../src/api/kinds/core-v1.ts';
import { isNotFound } from '../../../src/api/status-error.ts';
import { formatTime } from '../../../src/api/time.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';

/**
 * Writes Ready=False into the pods of a node that is not ready, so that Services stop using them.
 * pkg/controller/util/node/controller_utils.go MarkPodsNotReady
 */
export async function markPodsNotReady(client: ResourceClient<Pod>, recorder: EventRecorder, pods: readonly Pod[]): Promise<void> {
  let failure: unknown;
  for (const pod of pods) {
    const conditions = withReadyFalse(pod, formatTime(client.actor.simulation.wallTime));
    if (!conditions) continue;
    try {
      await client.updateStatus({ ...pod, status: { ...pod.status, conditions } });
    } catch (error) {
      if (isNotFound(error)) continue;
      failure ??= error;
    }
    recorder.event(pod, 'Warning', 'NodeNotReady', 'Node is not ready');
  }
  if (failure !== undefined) throw failure;
}

function withReadyFalse({ status }: Pod, now: string): PodCondition[] | undefined {
  const conditions = status?.conditions ?? [];
  const index = conditions.findIndex(({ type }) => type === 'Ready');
  const ready = conditions[index];
  if (!ready || ready.status === 'False') return undefined;
  return conditions.with(index, { ...ready, status: 'False', lastTransitionTime: now });
}
