import type { Simulation } from '../../src/sim/simulation.ts';

const NANOS_PER_MILLI_MS = 1_000;

/**
 * What the processes of one container use, as its cgroup counts it. Processes say when the rate changes at which they use a CPU; nothing happens in between, and
 * what it adds up to is worked out when somebody asks.
 */
export class ContainerUsage {
  /** The most that it may use, in thousandths of a CPU; undefined: all there is. */
  readonly #limitMilli: () => number | undefined;
  readonly #simulation: Simulation;
  #demandMilli = 0;
  #nanos = 0;
  #since = 0;
  memoryBytes = 0;

  constructor(simulation: Simulation, limitMilli: () => number | undefined) {
    this.#simulation = simulation;
    this.#limitMilli = limitMilli;
  }

  /** What it uses now, in thousandths of a CPU. */
  get cpuMilli(): number {
    return Math.min(this.#demandMilli, this.#limitMilli() ?? this.#demandMilli);
  }

  /** What it has used since its start: cpu.stat usage_usec, in nanoseconds. */
  get cpuNanos(): number {
    return this.#nanos + (this.#simulation.now - this.#since) * this.cpuMilli * NANOS_PER_MILLI_MS;
  }

  /** From its start, or from nothing: a container that has ended uses nothing. */
  start({ cpuMilli, memoryBytes }: { readonly cpuMilli: number; readonly memoryBytes: number }): void {
    this.#nanos = 0;
    this.#since = this.#simulation.now;
    this.#demandMilli = cpuMilli;
    this.memoryBytes = memoryBytes;
  }

  /** From now on so much more (less, if negative) is asked for, in thousandths of a CPU. */
  addCpu(milli: number): void {
    this.settle();
    this.#demandMilli = Math.max(0, this.#demandMilli + milli);
  }

  /** Something that took so many milliseconds of a CPU was done. */
  spendCpu(ms: number): void {
    this.#nanos += ms * 1_000_000;
  }

  /** To be called before the limit changes. */
  settle(): void {
    this.#nanos = this.cpuNanos;
    this.#since = this.#simulation.now;
  }
}
