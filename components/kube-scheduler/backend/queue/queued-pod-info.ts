import type { Pod } from '../../../../src/api/kinds/core-v1.ts';
import type { QueuedPod } from '../../framework/interface.ts';
import { type PodInfo, podInfoOf } from '../../framework/pod-info.ts';

/** A pod's way through the queue, for explaining decisions. */
export interface QueueStep {
  /** Virtual milliseconds since the start. */
  readonly time: number;
  readonly queue: 'active' | 'backoff' | 'unschedulable' | 'gated' | 'popped';
  /** What moved it, e.g. `NodeAdd`. */
  readonly event: string;
}

/** Only the last steps are kept. */
const MAX_STEPS = 12;

/** A pod in the queue and how it fared so far: framework.QueuedPodInfo. */
export class QueuedPodInfo implements QueuedPod {
  podInfo: PodInfo;
  /** Milliseconds of the wall clock. */
  timestamp: number;
  attempts = 0;
  unschedulableCount = 0;
  consecutiveErrorsCount = 0;
  unschedulablePlugins = new Set<string>();
  pendingPlugins = new Set<string>();
  /** The PreEnqueue plugin that keeps the pod out. */
  gatingPlugin = '';
  backoffExpiration: number | undefined;
  /** The trace entry that last moved the pod. */
  cause = 0;
  readonly steps: QueueStep[] = [];

  constructor(pod: Pod, timestamp: number) {
    this.podInfo = podInfoOf(pod);
    this.timestamp = timestamp;
  }

  get pod(): Pod {
    return this.podInfo.pod;
  }

  get key(): string {
    return this.podInfo.pod.metadata.uid ?? '';
  }

  get gated(): boolean {
    return this.gatingPlugin !== '';
  }

  isRejectedByAnyOf(plugins: ReadonlySet<string>): boolean {
    for (const plugin of this.unschedulablePlugins) if (plugins.has(plugin)) return true;
    for (const plugin of this.pendingPlugins) if (plugins.has(plugin)) return true;
    return false;
  }

  update(pod: Pod): void {
    this.podInfo = podInfoOf(pod);
  }

  noteStep(step: QueueStep): void {
    if (this.steps.length === MAX_STEPS) this.steps.shift();
    this.steps.push(step);
  }
}
