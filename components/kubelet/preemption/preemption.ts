import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { InsufficientResource, Refusal } from '../lifecycle/admission.ts';
import type { KillPodOptions } from '../pod-workers.ts';
import { disruptionTargetCondition } from '../status/generate.ts';
import { type AllocatedPod, PreemptionError, podsToPreempt } from './pods-to-preempt.ts';

interface PreemptionParts {
  readonly recorder: EventRecorder;
  /** The pods that have a share of the node. */
  readonly pods: () => readonly AllocatedPod[];
  /** Resolves when the pod has ended, or when that takes too long. */
  readonly killPodNow: (pod: Pod, options: KillPodOptions) => Promise<void>;
}

const REASON = 'Preempting';
const MESSAGE = 'Preempted in order to admit critical pod';
const DISRUPTION = 'Pod was preempted by Kubelet to accommodate a critical pod.';

/** pkg/kubelet/preemption CriticalPodAdmissionHandler: a critical pod is not refused for resources; lesser pods end for it. */
export class CriticalPodAdmissionHandler {
  readonly #parts: PreemptionParts;

  constructor(parts: PreemptionParts) {
    this.#parts = parts;
  }

  /** pkg/kubelet/preemption HandleAdmissionFailure, where only resources are missing. Resolves with why the pod cannot run here all the same. */
  async evictPodsToFreeRequests(preemptor: Pod, insufficient: readonly InsufficientResource[]): Promise<Refusal | undefined> {
    let victims: readonly AllocatedPod[];
    try {
      victims = podsToPreempt(preemptor, this.#parts.pods(), insufficient);
    } catch (error) {
      if (!(error instanceof PreemptionError)) throw error;
      return {
        reason: 'UnexpectedAdmissionError',
        message: `Unexpected error while attempting to recover from admission failure: preemption: error finding a set of pods to preempt: ${error.message}`,
      };
    }
    for (const { pod } of victims) {
      this.#parts.recorder.event(pod, 'Warning', REASON, MESSAGE);
      await this.#parts.killPodNow(pod, {
        status: { reason: REASON, message: MESSAGE, disruption: disruptionTargetCondition(pod, DISRUPTION) },
      });
    }
    return undefined;
  }
}
