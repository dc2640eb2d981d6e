import { type Outbound, type OutboundAnswer, OutboundError, type OutboundRequest } from '../api/outbound.ts';
import type { Actor } from '../sim/actor.ts';

/** Hears of a request that leaves the cluster; whoever does answers it by its number with `Cluster.answerOutbound`. */
export type OutboundListener = (call: number, request: OutboundRequest) => void;

/** What became of a request outside: an answer, or why there is none. */
export type OutboundOutcome = OutboundAnswer | { readonly error: string };

interface Waiting {
  readonly resolve: (answer: OutboundAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** The requests that have left the cluster. What comes back is an input of the simulation, so that a replay needs nobody outside. */
export class OutboundCalls {
  readonly #actor: Actor;
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;
  listener: OutboundListener | undefined;

  constructor(actor: Actor) {
    this.#actor = actor;
  }

  send(request: OutboundRequest): Promise<OutboundAnswer> {
    const call = ++this.#calls;
    return new Promise((resolve, reject) => {
      this.#waiting.set(call, { resolve, reject });
      this.listener?.(call, request);
    });
  }

  /** From an input. */
  receive(call: number, outcome: OutboundOutcome): void {
    const waiting = this.#waiting.get(call);
    this.#waiting.delete(call);
    if (!waiting) return;
    const { simulation } = this.#actor;
    this.#actor.schedule(0, () => {
      if ('error' in outcome) simulation.resolve(waiting.reject, new OutboundError(outcome.error));
      else simulation.resolve(waiting.resolve, outcome);
    });
  }
}

/** Lets a request that is answered inside the process take no more virtual time than it may. */
export function withinVirtualTime(actor: Actor, outbound: Outbound): Outbound {
  return (request) =>
    new Promise((resolve, reject) => {
      const { simulation } = actor;
      const timer = actor.schedule(request.timeoutMs, () =>
        simulation.resolve<unknown>(reject, new OutboundError('context deadline exceeded')),
      );
      outbound(request).then(
        (answer) => {
          timer.cancel();
          resolve(answer);
        },
        (error: unknown) => {
          timer.cancel();
          reject(error);
        },
      );
    });
}
