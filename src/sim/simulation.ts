import { Actor, type Priority, type Program, type Timer } from './actor.ts';
import { BoundExceeded } from './bound-exceeded.ts';
import { drainMicrotasks } from './drain.ts';
import { EventQueue } from './event-queue.ts';
import type { InputRecord } from './inputs.ts';
import { invariant } from './invariant.ts';
import { Random } from './random.ts';
import { Trace, type TraceEvent, type TraceLevel } from './trace.ts';

export interface SimulationOptions {
  readonly seed: string;
  /** What the virtual clock shows at time 0, in milliseconds since 1970. */
  readonly epoch?: number;
  readonly trace?: TraceLevel;
  /** Keep a digest over the whole trace. */
  readonly digest?: boolean;
  /** `insertion`: equal due times run in order of insertion. `shuffle`: the seed permutes them (exploration). */
  readonly ties?: 'insertion' | 'shuffle';
}

/** Bounds of a run. Passing one throws `BoundExceeded`. */
export interface Bounds {
  readonly maxEvents?: number;
  /** Virtual milliseconds from the start of the run. */
  readonly maxTime?: number;
}

interface ScheduleRequest {
  readonly actor: Actor;
  readonly delayMs: number;
  readonly run: () => void | Promise<void>;
  readonly priority: Priority;
  /** Names the event in reports about who kept a simulation busy; the actor's name if absent. */
  readonly label?: string | undefined;
  /** Defaults to the present cause. */
  readonly cause?: number;
}

class SimEvent implements Timer {
  readonly due: number;
  readonly order: number;
  readonly actor: Actor;
  readonly incarnation: number;
  readonly cause: number;
  readonly priority: Priority;
  readonly label: string;
  run: () => void | Promise<void>;
  readonly #simulation: Simulation;
  cancelled = false;

  constructor(simulation: Simulation, request: ScheduleRequest, order: number) {
    this.#simulation = simulation;
    this.due = simulation.now + Math.max(0, request.delayMs);
    this.order = order;
    this.cause = request.cause ?? simulation.cause;
    this.actor = request.actor;
    this.incarnation = request.actor.incarnation;
    this.priority = request.priority;
    this.label = request.label ?? request.actor.name;
    this.run = request.run;
  }

  cancel(): void {
    this.#simulation.cancel(this);
  }
}

const NOTHING = (): void => {};
const DEFAULT_EPOCH = Date.UTC(2026, 0, 1);
const DEFAULT_MAX_EVENTS = 5_000_000;
const DEFAULT_MAX_TIME = 24 * 3600_000;
const ORDER_SPACE = 2 ** 30;
/** How many of the last events before a bound are counted by label. */
const TALLIED_EVENTS = 1_000;

/**
 * A discrete-event simulation in virtual milliseconds. Time moves only when nothing is left to do at the present instant, and an event never sees a
 * time later than its own due time. It knows nothing of Kubernetes.
 * @example
 * const simulation = new Simulation({ seed: '1' });
 * simulation.actor('clock', (self) => void self.schedule(5, () => tick())).start();
 * await simulation.settle();
 */
export class Simulation {
  readonly seed: string;
  readonly epoch: number;
  readonly random: Random;
  readonly trace: Trace;
  readonly inputs: InputRecord[] = [];
  readonly #queue = new EventQueue<SimEvent>();
  readonly #actors = new Map<string, Actor>();
  readonly #inputHandlers = new Map<string, (payload: unknown) => void>();
  readonly #work = new Map<Actor, number>();
  readonly #tieBreaker: Random | undefined;
  #now = 0;
  #insertions = 0;
  #executed = 0;
  #totalWork = 0;
  #current: Actor | undefined;
  #cause = 0;
  #pendingContinuations = false;
  #running = false;
  #failure: unknown;

  constructor(options: SimulationOptions) {
    this.seed = options.seed;
    this.epoch = options.epoch ?? DEFAULT_EPOCH;
    this.random = new Random(options.seed);
    this.#tieBreaker = options.ties === 'shuffle' ? this.random.fork('ties') : undefined;
    const context = () => ({ time: this.#now, actor: this.#current?.name ?? '', cause: this.#cause });
    this.trace = new Trace({ level: options.trace ?? 'full', digest: options.digest ?? false, context });
  }

  /** Virtual milliseconds since the start. */
  get now(): number {
    return this.#now;
  }

  /** What a clock on the wall would show: milliseconds since 1970. */
  get wallTime(): number {
    return this.epoch + this.#now;
  }

  /** Events run so far. */
  get executed(): number {
    return this.#executed;
  }

  /** The actor whose event runs now. */
  get current(): Actor | undefined {
    return this.#current;
  }

  /** The trace entry that led to what happens now. */
  get cause(): number {
    return this.#cause;
  }

  /** No work remains; background may. */
  get settled(): boolean {
    return this.#totalWork === 0;
  }

  get actors(): ReadonlyMap<string, Actor> {
    return this.#actors;
  }

  /** Adds a process; it does nothing until started. */
  actor(name: string, program: Program): Actor {
    invariant(!this.#actors.has(name), `actor names are unique: ${name}`);
    const actor = new Actor(this, name, program);
    this.#actors.set(name, actor);
    return actor;
  }

  /** Forgets an actor for good, e.g. a node that was taken away. */
  removeActor(name: string): void {
    this.#actors.get(name)?.crash();
    this.#actors.delete(name);
  }

  schedule(request: ScheduleRequest): Timer {
    const insertion = ++this.#insertions;
    const order = this.#tieBreaker ? this.#tieBreaker.integer(ORDER_SPACE) + insertion / ORDER_SPACE : insertion;
    const event = new SimEvent(this, request, order);
    if (event.actor.state === 'crashed') return event;
    if (event.priority === 'work') this.#addWork(event.actor, 1);
    this.#queue.push(event);
    return event;
  }

  /** @internal */
  cancel(event: SimEvent): void {
    if (event.cancelled) return;
    event.cancelled = true;
    // What it would have done, and all that this refers to, need not wait for its time.
    event.run = NOTHING;
    if (event.priority === 'work' && event.incarnation === event.actor.incarnation && event.actor.state !== 'crashed')
      this.#addWork(event.actor, -1);
  }

  /** @internal The work of a crashed incarnation no longer counts. */
  dropIncarnation(actor: Actor): void {
    this.#addWork(actor, -(this.#work.get(actor) ?? 0));
  }

  /** @internal Resolves (or rejects) a promise; what waits for it runs before the next event. */
  resolve<T>(settle: (value: T) => void, value: T): void {
    this.#pendingContinuations = true;
    settle(value);
  }

  /** Runs `body` with trace entry `cause` as the reason of what it does; returns what `body` returns. */
  withCause<T>(cause: number, body: () => T): T {
    const before = this.#cause;
    this.#cause = cause;
    try {
      return body();
    } finally {
      this.#cause = before;
    }
  }

  /** Records an entry (led to by `because`) and makes it the reason of what follows in this event. */
  recordCause(event: TraceEvent | undefined, because = this.#cause): number {
    this.#cause = because;
    this.#cause = this.trace.record(event);
    return this.#cause;
  }

  /** @internal Records an entry as of `actor`, whoever acts now. */
  recordFor(actor: Actor, event: TraceEvent): number {
    const before = this.#current;
    this.#current = actor;
    try {
      return this.trace.record(event);
    } finally {
      this.#current = before;
    }
  }

  /** Names what takes inputs of this kind. */
  onInput(input: string, handler: (payload: unknown) => void): void {
    this.#inputHandlers.set(input, handler);
  }

  /**
   * Something comes from outside: records it with the present moment, and hands it to its handler. Not to be called from within an event.
   * @param text how the trace shows it
   */
  input(input: string, payload: unknown, text: string): void {
    invariant(!this.#current, 'inputs come from outside, not from within an event');
    const handler = this.#inputHandlers.get(input);
    invariant(handler, `somebody takes inputs of kind ${input}`);
    this.inputs.push({ events: this.#executed, time: this.#now, input, payload });
    this.#cause = this.trace.record({ kind: 'input', input, text });
    try {
      handler(payload);
    } finally {
      this.#cause = 0;
    }
  }

  /** Runs until no work remains. @throws BoundExceeded */
  async settle(bounds: Bounds = {}): Promise<void> {
    await this.#run({ bounds, until: Number.POSITIVE_INFINITY, stop: () => this.#totalWork === 0 });
  }

  /** Runs everything due within the next `ms` virtual milliseconds; the clock ends exactly there. @throws BoundExceeded; InvariantError for what is no number of milliseconds */
  async advance(ms: number, bounds: Bounds = {}): Promise<void> {
    invariant(Number.isFinite(ms) && ms >= 0, `time moves on by a number of milliseconds, not by ${String(ms)}`);
    const until = this.#now + ms;
    await this.#run({ bounds: { maxTime: Number.POSITIVE_INFINITY, ...bounds }, until, stop: () => false });
    this.#now = Math.max(this.#now, until);
  }

  /** Runs until `condition` holds (asked after each event), or nothing is due within `withinMs`. Returns whether it holds. */
  async runUntil(condition: () => boolean, withinMs: number, bounds: Bounds = {}): Promise<boolean> {
    const until = this.#now + withinMs;
    await this.#run({ bounds: { maxTime: Number.POSITIVE_INFINITY, ...bounds }, until, stop: condition });
    if (condition()) return true;
    this.#now = Math.max(this.#now, until);
    return false;
  }

  /** Runs the next event. Returns false when there is none. */
  async step(): Promise<boolean> {
    const target = this.#executed + 1;
    await this.#run({ bounds: {}, until: Number.POSITIVE_INFINITY, stop: () => this.#executed >= target });
    return this.#executed >= target;
  }

  /**
   * Runs exactly up to a moment that an input recorded: `events` events in all, then the clock at `time`. For replaying. Ends earlier, after the event in which
   * `enough` becomes true, and then returns false.
   */
  async runTo(moment: { readonly events: number; readonly time: number }, enough: () => boolean = () => false): Promise<boolean> {
    await this.#run({
      bounds: { maxTime: Number.POSITIVE_INFINITY },
      until: moment.time,
      stop: () => this.#executed >= moment.events || enough(),
    });
    if (enough()) return false;
    this.#now = Math.max(this.#now, moment.time);
    return true;
  }

  /** The due time of the next event, if there is one. */
  get nextDue(): number | undefined {
    this.#dropStale();
    return this.#queue.peek()?.due;
  }

  async #run(run: { bounds: Bounds; until: number; stop: () => boolean }): Promise<void> {
    invariant(!this.#running, 'one run at a time');
    this.#running = true;
    const maxEvents = this.#executed + (run.bounds.maxEvents ?? DEFAULT_MAX_EVENTS);
    const latest = this.#now + (run.bounds.maxTime ?? DEFAULT_MAX_TIME);
    const tally = new Map<string, number>();
    try {
      // Whoever starts a run, e.g. from a key press: `drainMicrotasks` only waits for all microtasks when it is called in one.
      await undefined;
      while (!run.stop()) {
        this.#dropStale();
        const next = this.#queue.peek();
        if (!next || next.due > run.until) break;
        if (this.#executed >= maxEvents) throw new BoundExceeded(`${run.bounds.maxEvents ?? DEFAULT_MAX_EVENTS} events`, busiest(tally));
        if (next.due > latest) throw new BoundExceeded(`${run.bounds.maxTime ?? DEFAULT_MAX_TIME} ms of virtual time`, this.#pending());
        this.#queue.pop();
        if (this.#executed >= maxEvents - TALLIED_EVENTS) tally.set(next.label, (tally.get(next.label) ?? 0) + 1);
        this.#execute(next);
        while (this.#pendingContinuations) {
          this.#pendingContinuations = false;
          await drainMicrotasks();
        }
        this.#current = undefined;
        this.#cause = 0;
        if (this.#failure !== undefined) this.#throwFailure();
      }
    } finally {
      this.#current = undefined;
      this.#cause = 0;
      this.#running = false;
    }
  }

  #execute(event: SimEvent): void {
    const { actor } = event;
    // What has come due cannot be cancelled any more: a late `cancel` must not count its work twice.
    event.cancelled = true;
    if (event.priority === 'work') this.#addWork(actor, -1);
    if (actor.state === 'paused') {
      actor.hold(() => this.schedule({ actor, delayMs: 0, run: event.run, priority: event.priority, cause: event.cause }));
      return;
    }
    this.#now = Math.max(this.#now, event.due);
    this.#executed++;
    this.#current = actor;
    this.#cause = event.cause;
    const result = event.run();
    if (result instanceof Promise) {
      this.#pendingContinuations = true;
      result.catch((error: unknown) => {
        this.#failure ??= error;
      });
    }
  }

  #throwFailure(): never {
    const failure = this.#failure;
    this.#failure = undefined;
    throw failure;
  }

  #dropStale(): void {
    for (let head = this.#queue.peek(); head; head = this.#queue.peek()) {
      if (!head.cancelled && head.incarnation === head.actor.incarnation && head.actor.state !== 'crashed') return;
      this.#queue.pop();
    }
  }

  #addWork(actor: Actor, count: number): void {
    if (count === 0) return;
    this.#work.set(actor, (this.#work.get(actor) ?? 0) + count);
    this.#totalWork += count;
  }

  /** Work that is still to come, by label. */
  #pending(): { label: string; events: number }[] {
    const tally = new Map<string, number>();
    for (const event of this.#queue.items()) {
      if (event.priority === 'work' && !event.cancelled) tally.set(event.label, (tally.get(event.label) ?? 0) + 1);
    }
    return busiest(tally);
  }
}

function busiest(tally: ReadonlyMap<string, number>): { label: string; events: number }[] {
  return [...tally].map(([label, events]) => ({ label, events })).sort((a, b) => b.events - a.events || (a.label < b.label ? -1 : 1));
}
