import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { parseDuration } from '../../../src/api/time.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import type { KubeletConfiguration } from '../apis/config/kubelet-configuration.ts';
import type { Refusal } from '../lifecycle/admission.ts';
import { SYSTEM_CRITICAL_PRIORITY } from '../pod-priority.ts';
import type { KillPodOptions } from '../pod-workers.ts';
import { disruptionTargetCondition } from '../status/generate.ts';
import { within } from '../within.ts';

/** pkg/kubelet/apis/config ShutdownGracePeriodByPodPriority: pods of this priority or more, up to the next group's. */
interface ShutdownGroup {
  readonly priority: number;
  readonly shutdownGracePeriodSeconds: number;
}

interface NodeShutdownParts {
  readonly actor: Actor;
  readonly groups: readonly ShutdownGroup[];
  readonly activePods: () => Iterable<Pod>;
  /** Resolves when the pod has ended, or when that takes too long. */
  readonly killPodNow: (pod: Pod, options: KillPodOptions) => Promise<void>;
  readonly syncNodeStatus: () => Promise<void>;
}

/** pkg/kubelet/nodeshutdown nodeShutdownReason, nodeShutdownMessage, nodeShutdownNotAdmittedReason, nodeShutdownNotAdmittedMessage */
const REASON = 'Terminated';
const MESSAGE = 'Pod was terminated in response to imminent node shutdown.';
const NOT_ADMITTED: Refusal = { reason: 'NodeShutdown', message: 'Pod was rejected as the node is shutting down.' };

/** pkg/kubelet/nodeshutdown managerImpl: before its machine goes off, the pods of a node are ended group by group, the most important ones last. */
export class NodeShutdownManager {
  readonly #parts: NodeShutdownParts;
  #shuttingDown = false;

  constructor(parts: NodeShutdownParts) {
    this.#parts = parts;
  }

  /** A configuration asks for time. */
  get enabled(): boolean {
    return this.#parts.groups.length > 0;
  }

  /** Why the node is not ready. */
  get problem(): string | undefined {
    return this.#shuttingDown ? 'node is shutting down' : undefined;
  }

  /** pkg/kubelet/nodeshutdown Admit */
  admit(): Refusal | undefined {
    return this.#shuttingDown ? NOT_ADMITTED : undefined;
  }

  /** pkg/kubelet/nodeshutdown ProcessShutdownEvent. Resolves when the machine may go off. */
  async processShutdownEvent(): Promise<void> {
    const { groups, actor, syncNodeStatus } = this.#parts;
    this.#shuttingDown = true;
    actor.schedule(0, () => syncNodeStatus());
    const pods = [...this.#parts.activePods()];
    for (const [index, group] of groups.entries()) {
      const next = groups[index + 1]?.priority ?? Number.POSITIVE_INFINITY;
      const lowest = index === 0 ? Number.NEGATIVE_INFINITY : group.priority;
      await this.#endGroup(
        pods.filter(({ spec }) => (spec?.priority ?? 0) >= lowest && (spec?.priority ?? 0) < next),
        group.shutdownGracePeriodSeconds,
      );
    }
  }

  async #endGroup(pods: readonly Pod[], seconds: number): Promise<void> {
    const { actor, killPodNow } = this.#parts;
    const ended = pods.map((pod) => {
      const gracePeriodOverride = Math.min(seconds, pod.spec?.terminationGracePeriodSeconds ?? seconds);
      return killPodNow(pod, {
        gracePeriodOverride,
        status: { reason: REASON, message: MESSAGE, disruption: disruptionTargetCondition(pod, MESSAGE) },
      });
    });
    await within(actor, Promise.all(ended), seconds * 1000);
  }
}

/** pkg/kubelet/nodeshutdown migrateConfig: from the lowest priority on; none when nothing is waited for. */
export function shutdownGroups(config: KubeletConfiguration): ShutdownGroup[] {
  const { shutdownGracePeriodByPodPriority: groups, shutdownGracePeriod, shutdownGracePeriodCriticalPods } = config;
  if (groups) return [...groups].sort((a, b) => a.priority - b.priority);
  const whole = Math.floor((parseDuration(shutdownGracePeriod ?? '0s') ?? 0) / 1000);
  const critical = Math.floor((parseDuration(shutdownGracePeriodCriticalPods ?? '0s') ?? 0) / 1000);
  if (whole === 0) return [];
  const usual = { priority: 0, shutdownGracePeriodSeconds: whole - critical };
  return critical === 0 ? [usual] : [usual, { priority: SYSTEM_CRITICAL_PRIORITY, shutdownGracePeriodSeconds: critical }];
}
