import type { Priority, Timer } from '../../../src/sim/actor.ts';
import type { Random } from '../../../src/sim/random.ts';
import type { Process, ProcessContext, Signal } from '../process.ts';
import type { Externals } from './external-call.ts';

/** What a process uses that only computes, in thousandths of a CPU. */
const ONE_CPU = 1_000;
/** A sleep longer than this is no work that a person waits for: the process just stays. */
const LONG_SLEEP_MS = 600_000;

export const SIGNAL_NUMBERS: Readonly<Record<Signal, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGUSR2: 12,
  SIGTERM: 15,
};

/** The processes of one container (or of one exec into it). */
export class World {
  readonly context: ProcessContext;
  readonly externals: Externals;
  readonly tasks = new Map<number, Task>();
  #lastPid: number;
  #random: Random | undefined;

  constructor(context: ProcessContext, externals: Externals) {
    this.context = context;
    this.externals = externals;
    this.#lastPid = context.isInit ? 0 : 100;
  }

  /** `$RANDOM` */
  get random(): Random {
    const { actor, hostname } = this.context;
    this.#random ??= actor.simulation.random.fork(`shell/${hostname}/${actor.simulation.now}`);
    return this.#random;
  }

  nextPid(): number {
    return ++this.#lastPid;
  }

  /** `kill PID`. @returns whether there is such a process */
  kill(pid: number, signal: Signal): boolean {
    const task = this.tasks.get(pid);
    if (task) task.signal(signal);
    else if (pid === 1 && this.context.main) this.context.main.signal(signal);
    else return false;
    return true;
  }
}

/** One process: a shell, a subshell, a command in the background. A task that was killed never goes on: what it waits for does not come. */
export class Task implements Process {
  readonly pid: number;
  readonly world: World;
  readonly parent: Task | undefined;
  /** Signal to what the shell does then; '' ignores it. */
  readonly traps = new Map<Signal, string>();
  readonly children = new Set<Task>();
  /** Signals with a trap that have not been dealt with. */
  readonly pending: Signal[] = [];
  /** A program that took this process over by `exec`. */
  delegate: Process | undefined;
  /** Within a loop that does not end by itself: its sleeps are background. */
  idleDepth: number;
  status = 0;
  readonly #timers = new Set<Timer>();
  readonly #onEnd: (() => void)[] = [];
  readonly #waiting = new Set<() => void>();
  #alive = true;

  constructor(world: World, parent?: Task) {
    this.world = world;
    this.parent = parent;
    this.pid = world.nextPid();
    this.idleDepth = parent?.idleDepth ?? 0;
    world.tasks.set(this.pid, this);
    parent?.children.add(this);
    for (const [signal, action] of parent?.traps ?? []) if (action === '') this.traps.set(signal, action);
  }

  get alive(): boolean {
    return this.#alive;
  }

  get isInit(): boolean {
    return this.pid === 1 && this.world.context.isInit;
  }

  signal(signal: Signal): void {
    if (!this.#alive) return;
    if (signal !== 'SIGKILL' && this.delegate) {
      this.delegate.signal(signal);
      return;
    }
    const action = signal === 'SIGKILL' ? undefined : this.traps.get(signal);
    if (action === '') return;
    if (action !== undefined) {
      this.pending.push(signal);
      for (const wake of [...this.#waiting]) wake();
      return;
    }
    if (this.isInit && signal !== 'SIGKILL') return;
    this.end(128 + SIGNAL_NUMBERS[signal]);
  }

  /** The process has ended. With process 1 all others of the container end. */
  end(status: number): void {
    if (!this.#alive) return;
    this.#alive = false;
    this.status = status;
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    this.delegate?.signal('SIGKILL');
    this.world.tasks.delete(this.pid);
    for (const release of this.#onEnd) release();
    if (this.parent) for (const wake of [...this.parent.#waiting]) wake();
    if (this.parent !== undefined) return;
    for (const task of [...this.world.tasks.values()]) task.end(137);
    this.world.context.exit(status);
  }

  /** Something that it may wait for has happened. */
  wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  onEnd(release: () => void): void {
    this.#onEnd.push(release);
  }

  /** Goes on `ms` later; never, when the task is killed before. */
  sleep(ms: number): Promise<void> {
    const { actor } = this.world.context;
    if (!Number.isFinite(ms)) return this.forever();
    return new Promise((resolve) => {
      const priority: Priority = this.idleDepth > 0 || ms > LONG_SLEEP_MS ? 'background' : 'work';
      const timer = actor.schedule(
        ms,
        () => {
          this.#timers.delete(timer);
          actor.simulation.resolve(resolve, undefined);
        },
        { priority },
      );
      this.#timers.add(timer);
    });
  }

  /** Sleeps in turns of `ms`, without an event for each: goes on at the end of the turn in which a trapped signal came. */
  async sleepInTurns(ms: number): Promise<void> {
    const { simulation } = this.world.context.actor;
    const begun = simulation.now;
    await this.until(() => this.pending.length > 0);
    const within = ms > 0 ? (simulation.now - begun) % ms : 0;
    if (within > 0) await this.#rest(ms - within);
  }

  /** Uses a CPU for so long. */
  compute(ms: number): Promise<void> {
    this.world.context.usage.spendCpu(ms);
    return this.sleep(ms);
  }

  /** Uses a CPU, without an event, until a trapped signal comes. */
  async burn(): Promise<void> {
    const { usage } = this.world.context;
    let burning = true;
    const stop = (): void => {
      if (burning) usage.addCpu(-ONE_CPU);
      burning = false;
    };
    usage.addCpu(ONE_CPU);
    this.onEnd(stop);
    await this.until(() => this.pending.length > 0);
    stop();
  }

  forever(): Promise<never> {
    return new Promise(() => {});
  }

  /** Goes on when the condition holds; asked whenever a child ended or a trapped signal came. */
  until(condition: () => boolean): Promise<void> {
    if (condition()) return Promise.resolve();
    const { simulation } = this.world.context.actor;
    return new Promise((resolve) => {
      const wake = (): void => {
        if (!this.#alive || !condition()) return;
        this.#waiting.delete(wake);
        simulation.resolve(resolve, undefined);
      };
      this.#waiting.add(wake);
    });
  }

  /** A sleep that somebody waits for, whatever loop it is in. */
  #rest(ms: number): Promise<void> {
    const depth = this.idleDepth;
    this.idleDepth = 0;
    const done = this.sleep(ms);
    this.idleDepth = depth;
    return done;
  }
}
