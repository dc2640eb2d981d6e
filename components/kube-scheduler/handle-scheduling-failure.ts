import type { Pod, PodCondition } from '../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../src/api/object.ts';
import { pods } from '../../src/api/resources.ts';
import { ApiStatusError } from '../../src/api/status-error.ts';
import { formatTime } from '../../src/api/time.ts';
import { ActorUnavailable } from '../../src/sim/actor-unavailable.ts';
import type { QueuedPodInfo } from './backend/queue/queued-pod-info.ts';
import { FitError } from './framework/fit-error.ts';
import type { PostFilterResult } from './framework/interface.ts';
import type { Status } from './framework/status.ts';
import type { Scheduler } from './scheduler.ts';

/** Notes of events hold no more: schedule_one.go truncateMessage. */
const NOTE_LENGTH_LIMIT = 1024;

interface SchedulingFailure {
  readonly queued: QueuedPodInfo;
  /** As the attempt saw it. */
  readonly pod: Pod;
  readonly failure: FitError | Status;
  readonly nominating: PostFilterResult;
}

/** schedule_one.go handleSchedulingFailure: back to the queue, an event, and the pod's status. Resolves when the latter is written. */
export function handleSchedulingFailure(
  scheduler: Scheduler,
  { queued, pod, failure, nominating }: SchedulingFailure,
): Promise<void> | undefined {
  if (failure instanceof FitError) {
    queued.unschedulablePlugins = new Set(failure.diagnosis.unschedulablePlugins);
    queued.pendingPlugins = new Set(failure.diagnosis.pendingPlugins);
  }
  const cached = scheduler.listers.pods.get(keyOf(pod));
  if (cached && !cached.spec?.nodeName) {
    queued.update(cached);
    scheduler.queue.addUnschedulableIfNotPresent(queued);
  }
  scheduler.queue.done(queued.key);
  if (cached && !cached.spec?.nodeName) {
    scheduler.queue.nominator.addNominatedPod(queued.podInfo, nominating.nominatedNodeName ?? cached.status?.nominatedNodeName ?? '');
  }
  const { message } = failure;
  scheduler
    .recorderFor(pod)
    ?.event(pod, { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', note: truncateMessage(message) });
  const rejected = failure instanceof FitError || failure.isRejected;
  return updatePod(scheduler, pod, { reason: rejected ? 'Unschedulable' : 'SchedulerError', message, nominating });
}

function truncateMessage(message: string): string {
  const suffix = ' ...';
  return message.length <= NOTE_LENGTH_LIMIT ? message : message.slice(0, NOTE_LENGTH_LIMIT - suffix.length) + suffix;
}

/** schedule_one.go updatePod: patches the condition PodScheduled and the nominated node, if either changed. */
function updatePod(
  scheduler: Scheduler,
  pod: Pod,
  { nominating, ...why }: { readonly reason: string; readonly message: string; readonly nominating: PostFilterResult },
): Promise<void> | undefined {
  const condition = conditionChange(pod, why, formatTime(scheduler.actor.simulation.wallTime));
  const nominated = nominating.nominatedNodeName;
  const nominationChanged = nominated !== undefined && nominated !== (pod.status?.nominatedNodeName ?? '');
  if (!condition && !nominationChanged) return undefined;
  const status = {
    ...(condition ? { '$setElementOrder/conditions': [...conditionOrder(pod)], conditions: [condition] } : {}),
    ...(nominationChanged ? { nominatedNodeName: nominated || null } : {}),
  };
  return patchPodStatus(scheduler, pod, status);
}

async function patchPodStatus(scheduler: Scheduler, pod: Pod, status: object): Promise<void> {
  const { namespace, name = '' } = pod.metadata;
  try {
    await scheduler.client.resource(pods).patch({ namespace, name }, { status }, { type: 'strategic', subresource: 'status' });
  } catch (error) {
    // As the real scheduler, which logs it and goes on: the next attempt writes the status again.
    if (!(error instanceof ApiStatusError) && !(error instanceof ActorUnavailable)) throw error;
  }
}

/** pkg/api/v1/pod UpdatePodCondition: the fields of the condition that change, as a patch of the list by its key; absent when none does. */
function conditionChange(
  pod: Pod,
  why: { readonly reason: string; readonly message: string },
  now: string,
): Record<string, unknown> | undefined {
  const before: PodCondition | undefined = pod.status?.conditions?.find((one) => one.type === 'PodScheduled');
  const observedGeneration = pod.metadata.generation;
  const generation = observedGeneration === undefined ? {} : { observedGeneration };
  if (!before) {
    return { type: 'PodScheduled', ...generation, status: 'False', lastProbeTime: null, lastTransitionTime: now, ...why };
  }
  if (before.status === 'False' && before.reason === why.reason && before.message === why.message) return undefined;
  return {
    type: 'PodScheduled',
    ...(before.observedGeneration === observedGeneration ? {} : generation),
    ...(before.status === 'False' ? {} : { status: 'False', lastTransitionTime: now }),
    ...(before.reason === why.reason ? {} : { reason: why.reason }),
    ...(before.message === why.message ? {} : { message: why.message }),
  };
}

/** The order of the conditions after the patch, as strategic merge patches carry it. */
function conditionOrder(pod: Pod): readonly { readonly type: string }[] {
  const types = (pod.status?.conditions ?? []).map(({ type }) => ({ type }));
  return types.some(({ type }) => type === 'PodScheduled') ? types : [...types, { type: 'PodScheduled' }];
}
