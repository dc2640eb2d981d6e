import { getCondition } from '../../../../src/api/conditions.ts';
import type { Pod, PodCondition } from '../../../../src/api/kinds/core-v1.ts';
import { pods } from '../../../../src/api/resources.ts';
import { ApiStatusError, isNotFound } from '../../../../src/api/status-error.ts';
import { formatTime } from '../../../../src/api/time.ts';
import { ActorUnavailable } from '../../../../src/sim/actor-unavailable.ts';
import { inBackground } from '../in-background.ts';
import type { Handle } from '../interface.ts';
import type { Candidate } from './candidate.ts';

/** Makes room on a node while scheduling goes on: framework/preemption Evaluator.prepareCandidateAsync. */
export class PreemptionExecutor {
  readonly #handle: Handle;
  /** Pods whose victims are being deleted. */
  readonly #preempting = new Set<string>();

  constructor(handle: Handle) {
    this.#handle = handle;
  }

  /** Evaluator.IsPodRunningPreemption */
  isPodRunningPreemption(pod: Pod): boolean {
    return this.#preempting.has(pod.metadata.uid ?? '');
  }

  /** Begins to delete the victims; an error lets the pod try again at once. */
  prepareCandidate(candidate: Candidate, pod: Pod): void {
    this.#preempting.add(pod.metadata.uid ?? '');
    const prepared = this.#prepare(candidate, pod).then((succeeded) => {
      this.#preempting.delete(pod.metadata.uid ?? '');
      if (!succeeded) this.#handle.activate([pod]);
    });
    inBackground(this.#handle.actor, prepared);
  }

  async #prepare(candidate: Candidate, pod: Pod): Promise<boolean> {
    try {
      await this.#clearNominations(candidate, pod);
      const last = candidate.victims.at(-1);
      await Promise.all(candidate.victims.slice(0, -1).map((victim) => this.#preemptPod(candidate, pod, victim)));
      // Before the last one goes: its deletion is what lets the pod be tried again.
      this.#preempting.delete(pod.metadata.uid ?? '');
      if (last) await this.#preemptPod(candidate, pod, last);
      return true;
    } catch (error) {
      if (error instanceof ApiStatusError || error instanceof ActorUnavailable) return false;
      throw error;
    }
  }

  /** Less important pods that were promised this node no longer are. */
  async #clearNominations({ nodeName }: Candidate, pod: Pod): Promise<void> {
    const priority = pod.spec?.priority ?? 0;
    for (const { pod: other } of [...this.#handle.nominator.nominatedPodsForNode(nodeName)]) {
      if ((other.spec?.priority ?? 0) >= priority) continue;
      await this.#patchStatus(other, { nominatedNodeName: null });
    }
  }

  /** Evaluator.PreemptPod: says why on the pod, deletes it, and tells of it. */
  async #preemptPod({ nodeName }: Candidate, preemptor: Pod, victim: Pod): Promise<void> {
    const { framework, client, recorder } = this.#handle;
    const { namespace, name = '', uid = '' } = victim.metadata;
    if (!framework.rejectWaitingPod(uid)) {
      const condition = this.#disruptionTarget(preemptor, victim);
      if (condition) await this.#patchStatus(victim, { conditions: [condition] });
      try {
        await client.resource(pods).delete({ namespace, name });
      } catch (error) {
        if (!isNotFound(error)) throw error;
        return;
      }
    }
    const note = `Preempted by pod ${preemptor.metadata.uid} on node ${nodeName}`;
    recorder.event(victim, { type: 'Normal', reason: 'Preempted', action: 'Preempting', note, related: preemptor });
  }

  /** Absent where the victim says so already, as one that had to go for another pod. */
  #disruptionTarget({ spec }: Pod, { metadata, status }: Pod): PodCondition | undefined {
    const { generation } = metadata;
    const reason = 'PreemptionByScheduler';
    const message = `${spec?.schedulerName}: preempting to accommodate a higher priority pod`;
    const before = getCondition(status?.conditions, 'DisruptionTarget');
    const wasTarget = before?.status === 'True';
    if (wasTarget && before.reason === reason && before.message === message) return undefined;
    const now = formatTime(this.#handle.actor.simulation.wallTime);
    return {
      type: 'DisruptionTarget',
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      status: 'True',
      lastProbeTime: null as unknown as string,
      lastTransitionTime: wasTarget ? (before.lastTransitionTime ?? now) : now,
      reason,
      message,
    };
  }

  async #patchStatus(pod: Pod, status: object): Promise<void> {
    const { namespace, name = '' } = pod.metadata;
    try {
      await this.#handle.client.resource(pods).patch({ namespace, name }, { status }, { type: 'strategic', subresource: 'status' });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}
