import type { KubernetesObject } from '../api/object.ts';
import { Cluster } from '../cluster/cluster.ts';
import type { ClusterConfig } from '../cluster/config.ts';
import type { Fault } from '../cluster/faults.ts';
import { objectsAt, writtenIn } from '../cluster/history.ts';
import type { Load } from '../cluster/load.ts';
import { KUBERNETES_ADMIN } from '../cluster/users.ts';
import { visitByHand } from '../cluster/visit-by-hand.ts';
import type { KubectlResult } from '../kubectl/kubectl.ts';
import { matches } from '../scenario/matcher.ts';
import type { TypedVisit } from '../scenario/parse-visit.ts';
import { StepRunner } from '../scenario/run-scenario.ts';
import type { Step as Action } from '../scenario/scenario.ts';
import { BoundExceeded } from '../sim/bound-exceeded.ts';
import type { TraceEntry } from '../sim/trace.ts';
import type { Check } from './check.ts';
import { LESSON_CONTROLLERS } from './controllers/lesson-controllers.ts';
import { fill, type Variables } from './fill.ts';
import { type CheckResult, judgeCheck, type LessonEvidence } from './judge-check.ts';
import type { LessonCluster, Pick, Until } from './lesson.ts';
import { pickValue } from './pick-value.ts';
import { toldWay } from './told-way.ts';
import type { TypedCommand } from './typed-command.ts';

/** A command that changes something is followed up to this long, in virtual milliseconds. */
const FOLLOW_MS = 120_000;
const READ_MS = 60_000;

/** A moment of a run: what comes after it counts for a check. */
export interface Mark {
  readonly seq: number;
  readonly revision: number;
  readonly time: number;
  /** How many commands had been typed. */
  readonly commands: number;
}

/** What a command printed, once it has ended. */
export interface CommandOutput {
  readonly command: string;
  readonly result: KubectlResult;
  /** Time was stopped before it had ended: it was typed earlier than the last thing that was done. */
  readonly late?: true;
}

/** The cluster of a lesson, with what the lesson knows of it: names it has picked, commands that were typed. */
export class LessonRun {
  readonly cluster: Cluster;
  readonly variables: Map<string, string>;
  /** As typed, oldest first. */
  readonly commands: string[];
  #outputs: (CommandOutput & { readonly number: number })[] = [];
  #typed = 0;
  /** The command that has just been typed. */
  #fresh = 0;
  #lastEnded = true;

  readonly #customControllers: readonly string[];

  private constructor(
    made: { cluster: Cluster; customControllers: readonly string[] },
    variables: Variables = new Map(),
    commands: readonly string[] = [],
  ) {
    this.cluster = made.cluster;
    this.#customControllers = made.customControllers;
    this.variables = new Map(variables);
    this.commands = [...commands];
  }

  /** A cluster as the lesson wants it at its beginning. @throws ScenarioError when the setup fails */
  static async start(from: LessonCluster, onCluster?: (cluster: Cluster) => void, digest = true): Promise<LessonRun> {
    const { config, customControllers } = from;
    const run = new LessonRun({ cluster: newCluster({ ...config, digest }, customControllers), customControllers });
    onCluster?.(run.cluster);
    await run.cluster.settle();
    await run.act(from.setup);
    run.pick(from.picks);
    return run;
  }

  /**
   * The same run up to now, on a cluster of its own: the inputs enter again at the moments at which they entered.
   * @param options.digest keep a digest over its trace. Default true
   */
  async fork(options: { readonly onCluster?: (cluster: Cluster) => void; readonly digest?: boolean } = {}): Promise<LessonRun> {
    const { onCluster, digest = true } = options;
    const { simulation, config } = this.cluster;
    const copy = newCluster({ ...config, seed: simulation.seed, digest }, this.#customControllers);
    onCluster?.(copy);
    for (const input of simulation.inputs) {
      await copy.simulation.runTo(input);
      copy.repeat(input.input, input.payload);
    }
    await copy.simulation.runTo({ events: simulation.executed, time: simulation.now });
    return new LessonRun({ cluster: copy, customControllers: this.#customControllers }, this.variables, this.commands);
  }

  /** Over the whole trace; '' for a run that keeps none. */
  get digest(): string {
    return this.cluster.simulation.trace.digest();
  }

  /** Tells runs of one lesson apart: what entered, and how far it is. */
  get key(): string {
    const { simulation, config } = this.cluster;
    const { seed, inputs, executed, now } = simulation;
    return JSON.stringify([seed, config.nodes, executed, now, inputs]);
  }

  get now(): Mark {
    const { simulation, etcd } = this.cluster;
    return { seq: simulation.trace.last, revision: etcd.revision, time: simulation.now, commands: this.commands.length };
  }

  pick(picks: readonly Pick[]): void {
    for (const pick of fill(picks, this.variables)) {
      const value = pickValue(pick, objectsAt(this.cluster));
      if (value !== undefined) this.variables.set(pick.name, value);
    }
  }

  /** Carries out what a lesson says should happen. @throws ScenarioError */
  async act(actions: readonly Action[], options: { readonly refusalsAllowed?: boolean } = {}): Promise<void> {
    const runner = new StepRunner(this.cluster, { variables: this.variables, ...options });
    for (const action of actions) await runner.run(fill(action, this.variables));
  }

  inject(faults: readonly Fault[]): void {
    for (const fault of fill(faults, this.variables)) this.cluster.fault(fault);
  }

  load(loads: readonly Load[]): void {
    for (const load of fill(loads, this.variables)) this.cluster.load(load);
  }

  /** Whether a command has written something after this entry of the trace. */
  wroteSince(seq: number): boolean {
    return this.cluster.simulation.trace.entries.some(
      (entry) => entry.seq > seq && entry.kind === 'write' && entry.user === KUBERNETES_ADMIN.username,
    );
  }

  /** Lets time run until the last command has ended. */
  finishCommand(withinMs: number): Promise<boolean> {
    return this.cluster.simulation.runUntil(() => this.#lastEnded, withinMs);
  }

  /** A command enters; what it prints comes with `takeOutputs` after it has ended. */
  type(command: string, args: readonly string[], files: Readonly<Record<string, string>>): void {
    this.commands.push(command);
    const number = ++this.#typed;
    this.#fresh = number;
    this.#lastEnded = false;
    void this.cluster.startKubectl({ args, files }).then((result) => {
      if (number === this.#typed) this.#lastEnded = true;
      this.#outputs.push({ command, result, number });
    });
  }

  /** A request is sent; time runs until it is answered. Returns the way that it took. */
  async visit(command: string, asked: TypedVisit): Promise<string[]> {
    this.commands.push(command);
    const visit = visitByHand(this.cluster.serviceNetwork, asked);
    return toldWay(visit, await this.cluster.visit(visit));
  }

  /** What commands have printed since the last time. */
  takeOutputs(): CommandOutput[] {
    const outputs = this.#outputs.map(
      ({ number, ...output }): CommandOutput => (number === this.#fresh ? output : { ...output, late: true }),
    );
    this.#outputs = [];
    this.#fresh = 0;
    return outputs;
  }

  /** Lets time run after what was typed, as far as that needs, or until `stopAt`. Returns whether it came to that. */
  follow(typed?: TypedCommand, stopAt?: Until): Promise<boolean> {
    if (typed?.typed === 'visit') return Promise.resolve(true);
    if (stopAt) return this.runUntil(stopAt);
    if (typed?.typed === 'wait' && typed.ms !== 'settled') return this.runUntil({ until: 'time', ms: typed.ms });
    if (typed?.typed === 'kubectl' && typed.reads) return this.finishCommand(READ_MS);
    return this.runUntil({ until: 'settled', withinMs: FOLLOW_MS });
  }

  /** Lets time run. Returns whether it came to what it should run until. */
  async runUntil(until: Until): Promise<boolean> {
    const { cluster } = this;
    const { simulation } = cluster;
    switch (until.until) {
      case 'settled':
        return settles(cluster, until.withinMs);
      case 'time':
        await cluster.advance(until.ms);
        return true;
      case 'event': {
        const event = fill(until.event, this.variables);
        const read = writtenIn(cluster);
        let looked = simulation.trace.last;
        const happened = (): boolean => {
          for (; looked < simulation.trace.last; looked++) {
            const entry = simulation.trace.get(looked + 1);
            if (entry && matches(event, entry, read)) return true;
          }
          return false;
        };
        let found = false;
        return simulation.runUntil(() => {
          found ||= happened();
          return found;
        }, until.withinMs);
      }
      case 'check': {
        const check = fill(until.check, this.variables);
        const start = this.now;
        let revision = -1;
        let holds = false;
        return simulation.runUntil(() => {
          if (cluster.etcd.revision === revision) return holds;
          revision = cluster.etcd.revision;
          holds = judgeCheck(check, this.evidence(start)).ok;
          return holds;
        }, until.withinMs);
      }
    }
  }

  judge(check: Check, since: Mark): CheckResult {
    return judgeCheck(fill(check, this.variables), this.evidence(since));
  }

  /** What checks are judged by, since a moment. Each part is only put together when it is asked for: most checks look at the state alone. */
  evidence(since: Mark): LessonEvidence {
    const { cluster } = this;
    const { trace } = cluster.simulation;
    const first = trace.entries[0]?.seq ?? 1;
    let entries: readonly TraceEntry[] | undefined;
    let objects: readonly KubernetesObject[] | undefined;
    let before: readonly KubernetesObject[] | undefined;
    return {
      get entries() {
        entries ??= trace.entries.slice(Math.max(0, since.seq + 1 - first));
        return entries;
      },
      get objects() {
        objects ??= objectsAt(cluster);
        return objects;
      },
      get before() {
        before ??= objectsAt(cluster, since.revision);
        return before;
      },
      read: writtenIn(cluster),
      startTime: since.time,
      commands: this.commands.slice(since.commands),
    };
  }
}

function newCluster(config: ClusterConfig & { readonly digest: boolean }, customControllers: readonly string[]): Cluster {
  const userControllers = customControllers.flatMap((name) => LESSON_CONTROLLERS[name] ?? []);
  return new Cluster({ ...config, userControllers });
}

async function settles(cluster: Cluster, withinMs: number): Promise<boolean> {
  try {
    await cluster.settle({ maxTime: withinMs });
    return true;
  } catch (error) {
    if (error instanceof BoundExceeded) return false;
    throw error;
  }
}
