import { Heap } from '../heap/heap.ts';
import type { QueuedPodInfo } from './queued-pod-info.ts';

/** Expiry times are rounded down to this, so that pods of one second come out by importance. */
const ORDERING_WINDOW_MS = 1000;
/** After so many errors in a row the wait does not grow any more. */
const HOPEFUL_ERRORS = 5;

/**
 * Pods that wait before they are tried again: pkg/scheduler/backend/queue/backoff_queue.go backoffQueue. Pods that plugins refused and pods that met an
 * error wait apart, since only the former may be taken early.
 */
export class BackoffQueue {
  readonly #afterRejection: Heap<QueuedPodInfo>;
  readonly #afterError: Heap<QueuedPodInfo>;
  readonly #initialMs: number;
  readonly #maxMs: number;
  readonly #wallTime: () => number;

  constructor(options: {
    initialMs: number;
    maxMs: number;
    less: (a: QueuedPodInfo, b: QueuedPodInfo) => boolean;
    wallTime: () => number;
  }) {
    this.#initialMs = options.initialMs;
    this.#maxMs = options.maxMs;
    this.#wallTime = options.wallTime;
    const less = (a: QueuedPodInfo, b: QueuedPodInfo): boolean => {
      const difference = this.#backoffTime(a) - this.#backoffTime(b);
      return difference === 0 ? options.less(a, b) : difference < 0;
    };
    const keyOf = (pod: QueuedPodInfo): string => pod.key;
    this.#afterRejection = new Heap({ keyOf, less });
    this.#afterError = new Heap({ keyOf, less });
  }

  get size(): number {
    return this.#afterRejection.size + this.#afterError.size;
  }

  /** Pods that may be taken before their time. */
  get poppable(): number {
    return this.#afterRejection.size;
  }

  /** All that wait have failed so often that nobody counts on the next try. */
  get isHopeless(): boolean {
    return this.#afterError.list().every((pod) => pod.consecutiveErrorsCount > HOPEFUL_ERRORS);
  }

  add(pod: QueuedPodInfo): void {
    (pod.unschedulablePlugins.size + pod.pendingPlugins.size > 0 ? this.#afterRejection : this.#afterError).addOrUpdate(pod);
  }

  get(key: string): QueuedPodInfo | undefined {
    return this.#afterRejection.get(key) ?? this.#afterError.get(key);
  }

  delete(key: string): QueuedPodInfo | undefined {
    return this.#afterRejection.delete(key) ?? this.#afterError.delete(key);
  }

  /** Takes a refused pod although its time has not come. */
  popBackoff(): QueuedPodInfo | undefined {
    return this.#afterRejection.pop();
  }

  /** Takes out the pods whose time has come. */
  popAllBackoffCompleted(): QueuedPodInfo[] {
    const completed: QueuedPodInfo[] = [];
    for (const heap of [this.#afterRejection, this.#afterError]) {
      for (let pod = heap.peek(); pod && !this.isPodBackingOff(pod); pod = heap.peek()) {
        heap.pop();
        completed.push(pod);
      }
    }
    return completed;
  }

  isPodBackingOff(pod: QueuedPodInfo): boolean {
    return this.#backoffTime(pod) >= align(this.#wallTime());
  }

  #backoffTime(pod: QueuedPodInfo): number {
    if (pod.attempts === 0) return Number.NEGATIVE_INFINITY;
    pod.backoffExpiration ??= align(pod.timestamp + this.#duration(pod));
    return pod.backoffExpiration;
  }

  /** Doubles with each attempt in a row: calculateBackoffDuration. */
  #duration(pod: QueuedPodInfo): number {
    const count = pod.consecutiveErrorsCount > 0 ? pod.consecutiveErrorsCount : pod.unschedulableCount;
    return count === 0 ? 0 : Math.min(this.#initialMs * 2 ** (count - 1), this.#maxMs);
  }
}

function align(time: number): number {
  return time - (time % ORDERING_WINDOW_MS);
}
