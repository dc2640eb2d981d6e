import type { Simulation } from '../sim/simulation.ts';

/** How long the simulation may run before sockets get their turn. */
const SLICE_MS = 10;
/** How far behind the wall clock the simulation may be before it no longer tries to catch up (a machine that slept). */
const MAX_LAG_MS = 2_000;
/** Virtual milliseconds that the clock may run ahead to answer a request: more than an answer takes that waits for nothing. */
const LEAD_MS = 20;
/** With a clock that stands still: how far it may run to answer a request. */
const MAX_WAIT_MS = 3600_000;
const MAX_SLEEP_MS = 1_000;

export interface PumpOptions {
  readonly simulation: Simulation;
  /** Virtual milliseconds for each one of the wall clock; 0: the clock stands still but for what is needed to answer. */
  readonly speed: number;
  /** Keep what entered, for a recording. */
  readonly keepInputs: boolean;
}

interface Waiter {
  /** How far the clock may run for it. */
  readonly until: number;
  /** It need not run on. */
  readonly reached?: () => boolean;
}

/**
 * Runs a simulation in step with the wall clock, and lets in what comes from outside: between two events, at the virtual moment that the wall clock shows.
 * Whatever waits for an answer gets it promptly: the clock runs ahead for it if need be, and the wall clock is then taken to show that time.
 */
export class Pump {
  readonly #options: PumpOptions;
  readonly #entering: (() => void)[] = [];
  readonly #waiters = new Set<Waiter>();
  /** How many wait for something outside. */
  #held = 0;
  #lead = 0;
  #stopped = false;
  #wake: (() => void) | undefined;
  /** The wall clock's time at which the virtual clock showed `#virtualOrigin`. */
  #wallOrigin = performance.now();
  #virtualOrigin: number;
  #done: Promise<void> = Promise.resolve();

  constructor(options: PumpOptions) {
    this.#options = options;
    this.#virtualOrigin = options.simulation.now;
  }

  /** Begins to run. `onFailure` hears of an error inside the simulation, which ends it. */
  start(onFailure: (error: unknown) => void): void {
    this.#wallOrigin = performance.now();
    this.#virtualOrigin = this.#options.simulation.now;
    this.#done = this.#run().catch(onFailure);
  }

  /** Lets the present event end, and stops. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake?.();
    await this.#done;
  }

  /** Runs `input` between two events, as soon as it can be; then the clock may run ahead by `leadMs` for what follows. */
  enter<T>(input: () => T, leadMs = 0): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#entering.push(() => {
        try {
          this.#lead = Math.max(this.#lead, this.#options.simulation.now + leadMs);
          resolve(input());
        } catch (error) {
          reject(error);
        }
      });
      this.#wake?.();
    });
  }

  /** Runs `input`, and the clock as far as is needed for the answer that it promises. */
  async ask<T>(input: () => Promise<T>): Promise<T> {
    const { simulation, speed } = this.#options;
    let waiter: Waiter | undefined;
    try {
      const asked = await this.enter(() => {
        waiter = { until: simulation.now + (speed === 0 ? MAX_WAIT_MS : LEAD_MS) };
        this.#waiters.add(waiter);
        // In an object: a bare promise would be waited for before the waiter is known.
        return { answer: input() };
      });
      return await asked.answer;
    } finally {
      if (waiter) this.#waiters.delete(waiter);
    }
  }

  /** Something outside is waited for: until the function returned is called, the clock does not run ahead of the one on the wall. */
  hold(): () => void {
    let holds = true;
    this.#held++;
    return () => {
      if (holds) this.#held--;
      holds = false;
    };
  }

  /** Moves the clock on by so many virtual milliseconds, or until the condition holds, whatever the wall clock says. */
  async advance(ms: number, condition: () => boolean = () => false): Promise<void> {
    const { simulation } = this.#options;
    const until = simulation.now + ms;
    const reached = (): boolean => simulation.now >= until || condition();
    if (reached()) return;
    const waiter: Waiter = { until, reached };
    this.#waiters.add(waiter);
    this.#wake?.();
    while (this.#waiters.has(waiter) && !this.#stopped) await turn();
    this.#waiters.delete(waiter);
  }

  async #run(): Promise<void> {
    const { simulation, keepInputs } = this.#options;
    while (!this.#stopped) {
      for (const enter of this.#entering.splice(0)) enter();
      if (!keepInputs) simulation.inputs.length = 0;
      const until = this.#horizon();
      const sliceEnd = performance.now() + SLICE_MS;
      const waiting = this.#waiters.size;
      const held = this.#held;
      const stop = (): boolean =>
        this.#stopped ||
        this.#entering.length > 0 ||
        this.#held !== held ||
        this.#waiters.size < waiting ||
        this.#someReached() ||
        performance.now() > sliceEnd;
      const stopped = await simulation.runUntil(stop, Math.max(0, until - simulation.now));
      for (const waiter of this.#waiters) if (waiter.reached?.()) this.#waiters.delete(waiter);
      this.#rebase();
      if (stopped) await turn();
      else await this.#sleep();
    }
  }

  #someReached(): boolean {
    for (const { reached } of this.#waiters) if (reached?.()) return true;
    return false;
  }

  /** As far as the simulation may run now. */
  #horizon(): number {
    let until = Math.max(this.#shown(), this.#lead);
    if (this.#held > 0) return until;
    for (const waiter of this.#waiters) until = Math.max(until, waiter.until);
    return until;
  }

  /** The virtual time that the wall clock shows. */
  #shown(): number {
    return Math.floor(this.#virtualOrigin + (performance.now() - this.#wallOrigin) * this.#options.speed);
  }

  /** Lets the wall clock show the virtual clock's time when that has run ahead, or cannot keep up. */
  #rebase(): void {
    const { simulation, speed } = this.#options;
    const behind = this.#shown() - simulation.now;
    if (behind >= 0 && behind <= MAX_LAG_MS * Math.max(1, speed)) return;
    this.#wallOrigin = performance.now();
    this.#virtualOrigin = simulation.now;
  }

  /** Until the next event is due by the wall clock, or something enters. */
  async #sleep(): Promise<void> {
    const { simulation, speed } = this.#options;
    if (this.#entering.length > 0 || this.#stopped) return;
    const due = simulation.nextDue;
    const ms = due === undefined || speed === 0 ? MAX_SLEEP_MS : Math.min(MAX_SLEEP_MS, (due - this.#shown()) / speed);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, ms));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }
}

/** Lets sockets and timers have their turn. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
