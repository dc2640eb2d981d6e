import type { Plugin, QueuedPod } from '../framework/interface.ts';

/** The more important pod first, then the one that came first: pkg/scheduler/framework/plugins/queuesort PrioritySort. */
export class PrioritySort implements Plugin {
  readonly name = 'PrioritySort';

  less(a: QueuedPod, b: QueuedPod): boolean {
    const difference = (a.podInfo.pod.spec?.priority ?? 0) - (b.podInfo.pod.spec?.priority ?? 0);
    return difference === 0 ? a.timestamp < b.timestamp : difference > 0;
  }
}
