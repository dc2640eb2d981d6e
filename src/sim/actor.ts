import { Call } from './call.ts';
import { invariant } from './invariant.ts';
import type { Simulation } from './simulation.ts';

/** Work keeps a simulation unsettled; background (heartbeats, resyncs, lease renewals) does not. */
export type Priority = 'work' | 'background';

/** A handle on something that will happen later. */
export interface Timer {
  /** Virtual milliseconds. */
  readonly due: number;
  cancel(): void;
}

export interface CallOptions {
  /** Virtual milliseconds that the request and the answer each take. */
  readonly requestMs: number;
  readonly responseMs: number;
  readonly priority?: Priority;
}

/** What an actor does when it starts: sets up timers, subscriptions, its first calls. Runs again after each restart, from nothing. */
export type Program = (actor: Actor) => void | Promise<void>;

type State = 'running' | 'crashed' | 'paused';

/**
 * One process of the simulated world. Its events run one at a time, each to completion. A crash drops its incarnation: timers of that incarnation never
 * fire and its pending promises never resolve.
 * @example const actor = simulation.actor('kubelet/n1', async (self) => { for (;;) { await self.sleep(10_000, 'background'); beat(); } });
 */
export class Actor {
  readonly name: string;
  readonly simulation: Simulation;
  readonly #program: Program;
  /** How far its machine's clock is ahead. */
  clockSkewMs = 0;
  /** @internal Calls that this actor has not answered. */
  readonly inbound = new Set<{ abort(): void }>();
  /** Events that came due while the actor was paused, in order. */
  #mailbox: (() => void)[] = [];
  #state: State = 'crashed';
  #incarnation = 0;
  #onTerminate: (() => Promise<void>) | undefined;

  /** @internal Use `Simulation.actor`. */
  constructor(simulation: Simulation, name: string, program: Program) {
    this.simulation = simulation;
    this.name = name;
    this.#program = program;
  }

  /** How often the actor was started. Events carry the incarnation that they belong to. */
  get incarnation(): number {
    return this.#incarnation;
  }

  /** What the clock of its machine shows: milliseconds since 1970. */
  get wallTime(): number {
    return this.simulation.wallTime + this.clockSkewMs;
  }

  get state(): State {
    return this.#state;
  }

  /** Starts the program in an event of its own, `delayMs` from now. Does nothing when it runs already. */
  start(delayMs = 0): void {
    if (this.#state !== 'crashed') return;
    this.#state = 'running';
    this.#incarnation++;
    this.schedule(delayMs, () => {
      this.simulation.trace.record({ kind: 'actor', what: 'started', incarnation: this.#incarnation });
      return this.#program(this);
    });
  }

  /** Ends this incarnation at once: what it waited for never comes, and whoever waits for its answer is told that it is gone. */
  crash(): void {
    if (this.#state === 'crashed') return;
    this.#state = 'crashed';
    this.#mailbox = [];
    this.#onTerminate = undefined;
    this.simulation.dropIncarnation(this);
    this.simulation.recordFor(this, { kind: 'actor', what: 'crashed', incarnation: this.#incarnation });
    for (const call of this.inbound) call.abort();
    this.inbound.clear();
  }

  /** What the program still does when it is asked to end: its handler of SIGTERM. */
  onTerminate(handler: () => Promise<void>): void {
    this.#onTerminate = handler;
  }

  /** Asks the program to end, as SIGTERM does: it ends when its handler is done. */
  terminate(): void {
    const handler = this.#onTerminate ?? (() => Promise.resolve());
    this.schedule(0, async () => {
      await handler();
      this.crash();
    });
  }

  /** Stops taking events, as a process that was sent SIGSTOP; they wait in order. */
  pause(): void {
    if (this.#state !== 'running') return;
    this.#state = 'paused';
    this.simulation.recordFor(this, { kind: 'actor', what: 'paused', incarnation: this.#incarnation });
  }

  resume(): void {
    if (this.#state !== 'paused') return;
    this.#state = 'running';
    this.simulation.recordFor(this, { kind: 'actor', what: 'resumed', incarnation: this.#incarnation });
    const waiting = this.#mailbox;
    this.#mailbox = [];
    for (const redeliver of waiting) redeliver();
  }

  /** @internal Keeps an event that came due while the actor is paused. */
  hold(redeliver: () => void): void {
    this.#mailbox.push(redeliver);
  }

  /**
   * Runs `run` as an event of this actor, `delayMs` virtual milliseconds from now. The event's cause is the present one.
   * A promise that `run` returns is not waited for: the event ends when nothing of it is left to do at that instant.
   */
  schedule(delayMs: number, run: () => void | Promise<void>, options: { priority?: Priority; label?: string } = {}): Timer {
    return this.simulation.schedule({ actor: this, delayMs, run, priority: options.priority ?? 'work', label: options.label });
  }

  /** Resolves `delayMs` virtual milliseconds from now, in an event of its own. */
  sleep(delayMs: number, priority: Priority = 'work'): Promise<void> {
    return new Promise((resolve) => this.schedule(delayMs, () => this.simulation.resolve(resolve, undefined), { priority }));
  }

  /**
   * Calls another actor: the request runs there as an event after `requestMs`, the promise resolves here in an event `responseMs` later.
   * @throws ActorUnavailable when the other is down, or goes down before it has answered
   */
  call<T>(target: Actor, request: () => T | Promise<T>, options: CallOptions): Promise<T> {
    return new Promise<T>((resolve, reject) => new Call<T>(this, { target, request, options, resolve, reject }).send());
  }

  /** Throws when called outside an event of this actor: for code that must not run on behalf of another. */
  assertCurrent(): void {
    invariant(this.simulation.current === this, `${this.name} is the current actor`);
  }
}
