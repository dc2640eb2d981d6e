import type { Pod, Service } from '../../../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../../../src/api/object.ts';

export const LAST_CHANGE_TRIGGER_TIME = 'endpoints.kubernetes.io/last-change-trigger-time';

interface ServiceState {
  readonly service: string;
  readonly pods: ReadonlyMap<string, string>;
}

/**
 * Finds out which change of a pod or a Service led to a change of endpoints: the earliest one that was not seen before.
 * Times are RFC 3339 texts of one form, so they compare as texts. endpointslice util/trigger_time_tracker.go TriggerTimeTracker
 */
export class TriggerTimeTracker {
  readonly #states = new Map<string, ServiceState>();

  /** The value of the annotation; undefined when nothing newer than last time is seen. */
  computeEndpointLastChangeTriggerTime(service: Service, pods: readonly Pod[]): string | undefined {
    const key = keyOf(service);
    const before = this.#states.get(key);
    const times = new Map<string, string>();
    let earliest: string | undefined;
    const consider = (time: string, last: string | undefined): void => {
      if ((last === undefined || time > last) && (earliest === undefined || time < earliest)) earliest = time;
    };
    for (const pod of pods) {
      const time = readyTransition(pod);
      if (!time) continue;
      const name = pod.metadata.name ?? '';
      times.set(name, time);
      consider(time, before?.pods.get(name));
    }
    const created = service.metadata.creationTimestamp ?? '';
    consider(created, before?.service);
    this.#states.set(key, { service: created, pods: times });
    return before ? earliest : created;
  }

  deleteService(key: string): void {
    this.#states.delete(key);
  }
}

function readyTransition(pod: Pod): string | undefined {
  for (const condition of pod.status?.conditions ?? []) if (condition.type === 'Ready') return condition.lastTransitionTime;
  return undefined;
}
