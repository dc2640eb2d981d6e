import type { Actor, Timer } from '../../../../src/sim/actor.ts';

export interface FlushTimersOptions {
  readonly actor: Actor;
  /** No pod can be scheduled whatever is tried, so that nobody waits for the next try. */
  readonly isHopeless: () => boolean;
  readonly flushBackoff: () => void;
  readonly flushUnschedulable: () => void;
}

const BACKOFF_MS = 1000;
const UNSCHEDULABLE_MS = 30_000;

/** When the queue looks after pods that wait: PriorityQueue.Run. Nothing ticks while none does. */
export class FlushTimers {
  readonly #options: FlushTimersOptions;
  #backoff: { readonly timer: Timer; readonly background: boolean } | undefined;
  #unschedulable = false;

  constructor(options: FlushTimersOptions) {
    this.#options = options;
  }

  /** At the next full second: flushBackoffQCompleted. */
  armBackoff(): void {
    if (this.#backoff) return;
    const { actor, isHopeless, flushBackoff } = this.#options;
    const background = isHopeless();
    const run = (): void => {
      this.#backoff = undefined;
      flushBackoff();
    };
    const delay = BACKOFF_MS - (actor.simulation.wallTime % BACKOFF_MS);
    const timer = actor.schedule(delay, run, { priority: background ? 'background' : 'work', label: 'kube-scheduler backoff' });
    this.#backoff = { timer, background };
  }

  /** There is hope again: what was background is work now. */
  rearm(): void {
    if (!this.#backoff?.background || this.#options.isHopeless()) return;
    this.#backoff.timer.cancel();
    this.#backoff = undefined;
    this.armBackoff();
  }

  /** Each half minute, for as long as pods are there: flushUnschedulablePodsLeftover. */
  armUnschedulable(): void {
    if (this.#unschedulable) return;
    this.#unschedulable = true;
    const { actor, flushUnschedulable } = this.#options;
    const run = (): void => {
      this.#unschedulable = false;
      flushUnschedulable();
    };
    const delay = UNSCHEDULABLE_MS - (actor.simulation.now % UNSCHEDULABLE_MS);
    actor.schedule(delay, run, { priority: 'background', label: 'kube-scheduler unschedulable pods' });
  }
}
