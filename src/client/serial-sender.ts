import { ApiStatusError } from '../api/status-error.ts';
import type { Actor } from '../sim/actor.ts';
import { ActorUnavailable } from '../sim/actor-unavailable.ts';

interface Item<T> {
  readonly item: T;
  readonly cause: number;
}

/**
 * Sends things one after another, in order, without making the caller wait: the goroutine of an event broadcaster. What comes while `limit` wait is dropped.
 */
export class SerialSender<T> {
  readonly #actor: Actor;
  readonly #label: string;
  readonly #limit: number;
  readonly #send: (item: T) => Promise<void> | void;
  #queue: Item<T>[] = [];
  /** How many of the queue are sent. */
  #sent = 0;
  #busy = false;

  constructor(options: {
    readonly actor: Actor;
    readonly label: string;
    readonly limit: number;
    readonly send: (item: T) => Promise<void> | void;
  }) {
    this.#actor = options.actor;
    this.#label = options.label;
    this.#limit = options.limit;
    this.#send = options.send;
  }

  push(item: T): void {
    if (this.#queue.length - this.#sent >= this.#limit) return;
    this.#queue.push({ item, cause: this.#actor.simulation.cause });
    if (this.#busy) return;
    this.#busy = true;
    this.#actor.schedule(0, () => this.#drain(), { label: this.#label });
  }

  async #drain(): Promise<void> {
    const { simulation } = this.#actor;
    for (let next = this.#queue[0]; next; next = this.#queue[this.#sent]) {
      const { item, cause } = next;
      if (++this.#sent === this.#limit) this.#forgetSent();
      const sent = simulation.withCause(cause, () => this.#send(item));
      if (sent) await sent;
    }
    this.#forgetSent();
    this.#busy = false;
  }

  #forgetSent(): void {
    this.#queue = this.#queue.slice(this.#sent);
    this.#sent = 0;
  }
}

const MAX_TRIES = 12;
const RETRY_MS = 10_000;

/**
 * Tries again while kube-apiserver cannot be reached, as long as client-go does (tools/record recordToSink). Whatever kube-apiserver refuses is dropped.
 * @param firstDelay part of the usual delay before the second try
 */
export async function sendWithRetries(actor: Actor, send: () => Promise<void>, firstDelay: number): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (error) {
      if (error instanceof ApiStatusError) return;
      if (!(error instanceof ActorUnavailable)) throw error;
      if (tries >= MAX_TRIES) return;
      await actor.sleep(tries === 1 ? Math.round(RETRY_MS * firstDelay) : RETRY_MS);
    }
  }
}
