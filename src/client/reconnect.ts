import type { Actor, Timer } from '../sim/actor.ts';
import type { Client } from './client.ts';

/** Why a try is made later, and so whether anybody waits for it. */
export type Delay =
  /** Somebody waits: the simulation is not settled before. */
  | 'work'
  /** Nobody does. */
  | 'background'
  /** kube-apiserver cannot be reached: background until it can be, then work. */
  | 'unreachable';

/**
 * Makes the tries of something that goes on for ever and needs kube-apiserver. While it is away the simulation counts as settled; when it is back, the try that was
 * due anyway is work again, so that what follows from it is waited for.
 */
export class Reconnect {
  readonly #actor: Actor;
  readonly #label: string;
  readonly #run: () => Promise<void>;
  /** kube-apiserver became reachable since the present try began. */
  #wasReachable = false;
  #waiting: Timer | undefined;

  constructor(options: { readonly client: Client; readonly label: string; readonly run: () => Promise<void> }) {
    const { client } = options;
    this.#actor = client.actor;
    this.#label = options.label;
    this.#run = options.run;
    const { incarnation } = client.actor;
    const forget = client.onReachable(() => {
      if (client.actor.incarnation === incarnation) this.#reachable();
      else forget();
    });
  }

  tryLater(delayMs: number, delay: Delay = 'work'): void {
    const unreachable = delay === 'unreachable' && !this.#wasReachable;
    const timer = this.#schedule(delayMs, unreachable || delay === 'background' ? 'background' : 'work');
    this.#waiting = unreachable ? timer : undefined;
  }

  #reachable(): void {
    this.#wasReachable = true;
    const timer = this.#waiting;
    this.#waiting = undefined;
    if (!timer) return;
    timer.cancel();
    this.#schedule(timer.due - this.#actor.simulation.now, 'work');
  }

  #schedule(delayMs: number, priority: 'work' | 'background'): Timer {
    const run = (): Promise<void> => {
      this.#wasReachable = false;
      this.#waiting = undefined;
      return this.#run();
    };
    return this.#actor.schedule(delayMs, run, { priority, label: this.#label });
  }
}
