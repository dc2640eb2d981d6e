import { runViewOf } from '../../cli/run-view.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { checkFault, type Fault } from '../../cluster/faults.ts';
import type { Load } from '../../cluster/load.ts';
import type { Visit, VisitResult } from '../../cluster/service-network.ts';
import type { KubectlResult } from '../../kubectl/kubectl.ts';
import { formatRecording, parseRecording, type Recording } from '../../scenario/recording.ts';
import { replay } from '../../scenario/replay.ts';
import type { RunView } from '../model/run-view.ts';

/** A command that was entered; it may go on for as long as somebody lets time pass. */
export interface Job {
  readonly line: string;
  readonly call: number;
  readonly result: Promise<KubectlResult>;
  readonly ended: boolean;
}

/** Virtual milliseconds in which nothing more came from a command: it waits for the cluster. */
const QUIET_MS = 10;
const SETTLE_MS = 600_000;
/** Events between two looks at the keyboard. */
const SLICE = 2_000;

/** A cluster that goes on while it is looked at: commands and faults enter it, and its clock moves when somebody steps on. */
export class LiveRun {
  readonly cluster: Cluster;
  readonly title: string;
  readonly view: RunView;
  readonly #jobs = new Set<Job>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(cluster: Cluster, title: string) {
    this.cluster = cluster;
    this.title = title;
    this.view = runViewOf(cluster);
  }

  /** Commands that have not ended. */
  get jobs(): readonly Job[] {
    return [...this.#jobs];
  }

  /** Enters a kubectl command and lets time pass until it has ended, or waits for the cluster. */
  kubectl(
    input: { readonly line: string; readonly args: readonly string[]; readonly files: Readonly<Record<string, string>> },
    onLine: (line: string, stream: 'stdout' | 'stderr') => void,
  ): Promise<Job> {
    return this.#inTurn(async () => {
      const { args, files, line } = input;
      const { call, response } = this.cluster.openKubectl({ args, ...(Object.keys(files).length ? { files } : {}) }, onLine);
      const job = { line, call, result: response, ended: false };
      this.#jobs.add(job);
      const end = (): void => {
        job.ended = true;
        this.#jobs.delete(job);
      };
      response.then(end, end);
      const talk = new Conversation(this.cluster);
      await this.#runUntil(() => job.ended || talk.rests(), SETTLE_MS);
      return job;
    });
  }

  /** Ctrl-C: ends what still runs. */
  interrupt(): Promise<void> {
    return this.#inTurn(async () => {
      for (const { call } of this.jobs) this.cluster.interruptKubectl(call);
      await this.#runUntil(() => this.#jobs.size === 0, QUIET_MS * 200);
    });
  }

  /** Enters a fault; returns what is wrong with it, in words for a person. */
  fault(fault: Fault): Promise<string | undefined> {
    return this.#inTurn(async () => {
      const problem = checkFault(this.cluster, fault);
      if (!problem) this.cluster.fault(fault);
      return problem;
    });
  }

  load(load: Load): Promise<void> {
    return this.#inTurn(async () => this.cluster.load(load));
  }

  visit(visit: Visit): Promise<VisitResult> {
    return this.#inTurn(() => this.cluster.visit(visit));
  }

  /** Lets time pass until `condition` holds, at most `withinMs`; returns whether it holds. */
  runUntil(condition: () => boolean, withinMs: number): Promise<boolean> {
    return this.#inTurn(() => this.#runUntil(condition, withinMs));
  }

  /** Lets time pass until nothing is left to do; returns whether it came to that. */
  settle(): Promise<boolean> {
    const { simulation } = this.cluster;
    return this.runUntil(() => simulation.settled, SETTLE_MS);
  }

  /** Whether something is still going to happen by itself. */
  get busy(): boolean {
    return !this.cluster.simulation.settled;
  }

  /** The run so far, as text for a file. */
  record(): string {
    const { simulation, config } = this.cluster;
    return formatRecording({
      title: this.title,
      config: { ...config, seed: simulation.seed },
      inputs: simulation.inputs,
      end: { events: simulation.executed, time: simulation.now },
      digest: simulation.trace.digest(),
    });
  }

  /** The same run once more, as far as an entry of the trace: a run of its own from there on. */
  fork(entry: number, title: string): Promise<LiveRun> {
    return this.#inTurn(async () => {
      const recording: Recording = parseRecording(this.record(), this.title);
      const { cluster } = await replay(recording, { at: { entry } });
      return new LiveRun(cluster, title);
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  /** In slices, so that keys are taken while a long stretch runs. */
  async #runUntil(condition: () => boolean, withinMs: number): Promise<boolean> {
    const { simulation } = this.cluster;
    const until = simulation.now + withinMs;
    for (;;) {
      const pause = simulation.executed + SLICE;
      const stopped = await simulation.runUntil(() => condition() || simulation.executed >= pause, until - simulation.now);
      if (condition()) return true;
      if (!stopped) return false;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }
}

/** What a command and kube-apiserver say to each other: it rests when all is answered and nothing more comes for a while. */
class Conversation {
  readonly #cluster: Cluster;
  #taken: number;
  #open = 0;
  #spoke = false;
  #last: number;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#taken = cluster.simulation.trace.entries.length;
    this.#last = cluster.simulation.now;
  }

  rests(): boolean {
    const { simulation } = this.#cluster;
    const { entries } = simulation.trace;
    for (; this.#taken < entries.length; this.#taken++) {
      const entry = entries[this.#taken];
      if (entry?.actor !== 'kubectl') continue;
      if (entry.kind === 'request') this.#open++;
      if (entry.kind === 'response') this.#open--;
      this.#spoke = true;
      this.#last = entry.time;
    }
    return this.#spoke && this.#open <= 0 && simulation.now - this.#last > QUIET_MS;
  }
}
