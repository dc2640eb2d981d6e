import type { Actor, CallOptions } from './actor.ts';
import { ActorUnavailable } from './actor-unavailable.ts';

interface CallParts<T> {
  readonly target: Actor;
  readonly request: () => T | Promise<T>;
  readonly options: CallOptions;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/** One request of an actor to another, on its way there and back. */
export class Call<T> {
  readonly #caller: Actor;
  readonly #parts: CallParts<T>;
  readonly #incarnation: number;
  /** Why the caller asked. */
  readonly #cause: number;

  constructor(caller: Actor, parts: CallParts<T>) {
    this.#caller = caller;
    this.#parts = parts;
    this.#incarnation = caller.incarnation;
    this.#cause = caller.simulation.cause;
  }

  send(): void {
    const { target, options } = this.#parts;
    if (target.state === 'crashed') {
      this.#fail(new ActorUnavailable(target.name, 'refused'));
      return;
    }
    target.inbound.add(this);
    target.schedule(options.requestMs, () => this.#serve(), options);
  }

  /** The other goes down before it has answered. */
  abort(): void {
    this.#fail(new ActorUnavailable(this.#parts.target.name, 'reset'));
  }

  #serve(): void | Promise<void> {
    const { request } = this.#parts;
    try {
      const result = request();
      if (!(result instanceof Promise)) return this.#done(result);
      return result.then(
        (value) => this.#done(value),
        (error: unknown) => this.#failed(error),
      );
    } catch (error) {
      return this.#failed(error);
    }
  }

  #done(value: T): void {
    if (!this.#parts.target.inbound.delete(this)) return;
    const { simulation } = this.#caller;
    this.#answer(() => simulation.resolve(this.#parts.resolve, value));
  }

  #failed(error: unknown): void {
    if (this.#parts.target.inbound.delete(this)) this.#fail(error);
  }

  #fail(error: unknown): void {
    const { simulation } = this.#caller;
    this.#answer(() => simulation.resolve(this.#parts.reject, error));
  }

  #answer(run: () => void): void {
    const caller = this.#caller;
    if (caller.incarnation !== this.#incarnation) return;
    const { responseMs, priority = 'work' } = this.#parts.options;
    caller.simulation.schedule({ actor: caller, delayMs: responseMs, run, priority, cause: this.#cause });
  }
}
