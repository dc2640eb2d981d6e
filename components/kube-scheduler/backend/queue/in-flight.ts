import type { KubernetesObject } from '../../../../src/api/object.ts';
import type { ClusterEvent } from '../../framework/events.ts';

/** Something that happened while pods were being scheduled. */
export interface InFlightEvent {
  readonly event: ClusterEvent;
  readonly oldObject: KubernetesObject | undefined;
  readonly newObject: KubernetesObject | undefined;
  /** The trace entry of it. */
  readonly cause: number;
}

/** Pods that left the queue and are not decided yet, and what happens meanwhile: activeQueue's inFlightPods and inFlightEvents. */
export class InFlight {
  /** Per pod, the number of the first event that it has not seen; in order of popping. */
  readonly #pods = new Map<string, number>();
  #events: InFlightEvent[] = [];
  /** The number of the first event that is kept. */
  #first = 0;

  get size(): number {
    return this.#pods.size;
  }

  has(uid: string): boolean {
    return this.#pods.has(uid);
  }

  add(uid: string): void {
    this.#pods.set(uid, this.#first + this.#events.length);
  }

  note(event: InFlightEvent): void {
    if (this.#pods.size > 0) this.#events.push(event);
  }

  /** What the pod may have missed; absent when it is not in flight. */
  eventsFor(uid: string): readonly InFlightEvent[] | undefined {
    const from = this.#pods.get(uid);
    return from === undefined ? undefined : this.#events.slice(from - this.#first);
  }

  /** The pod is decided; events that nobody else needs are dropped. */
  done(uid: string): void {
    if (!this.#pods.delete(uid)) return;
    const oldest: number | undefined = this.#pods.values().next().value;
    const keepFrom = oldest ?? this.#first + this.#events.length;
    if (keepFrom === this.#first) return;
    this.#events = this.#events.slice(keepFrom - this.#first);
    this.#first = keepFrom;
  }
}
