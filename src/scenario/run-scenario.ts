import { Cluster } from '../cluster/cluster.ts';
import type { CreateClusterOptions, ObservationConfig } from '../cluster/config.ts';
import { checkFault } from '../cluster/faults.ts';
import { evidenceOf, objectsAt } from '../cluster/history.ts';
import type { KubectlResult } from '../kubectl/kubectl.ts';
import { BoundExceeded } from '../sim/bound-exceeded.ts';
import { type ExpectationResult, judge, stateFits } from './expectation.ts';
import type { Scenario, Step } from './scenario.ts';

/** A step could not be carried out; the message names the step and says why. */
export class ScenarioError extends Error {
  override name = 'ScenarioError';
}

export interface ScenarioOptions extends ObservationConfig {
  readonly seed?: string;
  /** Called once, before anything has happened: subscribe to the trace here. */
  readonly onCluster?: (cluster: Cluster) => void;
  /** Called with each command's output. */
  readonly onCommand?: (args: readonly string[], result: KubectlResult) => void;
  /** Goes on for this long after the last step. Default: until settled. */
  readonly until?: 'settled' | number;
}

export interface ScenarioRun {
  readonly cluster: Cluster;
  readonly results: readonly ExpectationResult[];
  /** What was left to do at the end, if the run did not settle. */
  readonly unsettled?: string;
}

/** Long enough for a Job that fails to give up: with six retries that takes some eleven minutes. */
const LAST_WAIT_MS = 900_000;

/**
 * Plays a scenario on a fresh cluster.
 * @throws ScenarioError when a step fails: a command is refused, a wait runs out, a fault names what is not there
 */
export async function runScenario(scenario: Scenario, options: ScenarioOptions = {}): Promise<ScenarioRun> {
  const { onCluster, onCommand, until = 'settled', seed, ...observation } = options;
  const clusterOptions: CreateClusterOptions = { ...scenario.config, ...(seed === undefined ? {} : { seed }), ...observation };
  const cluster = new Cluster(clusterOptions);
  onCluster?.(cluster);
  await cluster.settle();
  const runner = new StepRunner(cluster, onCommand ? { onCommand } : {});
  for (const step of scenario.steps) await runner.run(step);
  const unsettled = until === 'settled' ? await settleIfItDoes(cluster) : await cluster.advance(until).then(() => undefined);
  const evidence = evidenceOf(cluster);
  const results = scenario.expect.map((expectation) => judge(expectation, evidence));
  return { cluster, results, ...(unsettled ? { unsettled } : {}) };
}

/** A cluster with a crash loop never settles: that is no failure of the scenario. */
async function settleIfItDoes(cluster: Cluster): Promise<string | undefined> {
  try {
    await cluster.settle({ maxTime: LAST_WAIT_MS });
    return undefined;
  } catch (error) {
    if (error instanceof BoundExceeded) return error.message;
    throw error;
  }
}

interface StepRunnerOptions extends Pick<ScenarioOptions, 'onCommand'> {
  /** What `{name}` in commands stands for, before anything is picked. */
  readonly variables?: ReadonlyMap<string, string>;
  /** A command that kube-apiserver refuses is no error: whoever asks wants to know what it does. */
  readonly refusalsAllowed?: boolean;
}

/** Carries out steps one after another; remembers what they pick. */
export class StepRunner {
  readonly #cluster: Cluster;
  readonly #onCommand: ScenarioOptions['onCommand'];
  readonly #refusalsAllowed: boolean;
  readonly #variables: Map<string, string>;

  constructor(cluster: Cluster, { onCommand, variables = new Map(), refusalsAllowed = false }: StepRunnerOptions = {}) {
    this.#cluster = cluster;
    this.#refusalsAllowed = refusalsAllowed;
    this.#onCommand = onCommand;
    this.#variables = new Map(variables);
  }

  /** @throws ScenarioError when it cannot be done */
  async run(step: Step): Promise<void> {
    const cluster = this.#cluster;
    switch (step.step) {
      case 'kubectl':
        return this.#kubectl(step);
      case 'fault': {
        const problem = checkFault(cluster, step.fault);
        if (problem) throw new ScenarioError(`${step.line}: ${problem}`);
        return cluster.fault(step.fault);
      }
      case 'load':
        return cluster.load(step.load);
      case 'request':
        return cluster.visit(step.visit).then(() => undefined);
      case 'wait':
        return cluster.advance(step.ms);
      case 'settle':
        return cluster.settle({ maxTime: step.withinMs }).catch((error: unknown) => {
          throw error instanceof BoundExceeded ? new ScenarioError(`${step.line}: ${error.message}`) : error;
        });
      case 'until': {
        const fits = (): boolean => stateFits(step.state, objectsAt(cluster));
        if (!(await cluster.simulation.runUntil(fits, step.withinMs)))
          throw new ScenarioError(`${step.line}: not so within ${step.withinMs} ms of virtual time: ${JSON.stringify(step.state)}`);
        return;
      }
      case 'pick':
        return this.#pick(step);
    }
  }

  async #kubectl(step: Step & { step: 'kubectl' }): Promise<void> {
    const args = step.args.map((word) => word.replace(/\{(\w+)\}/g, (all, name: string) => this.#variables.get(name) ?? all));
    const result = await this.#cluster.kubectl(args, step.files);
    this.#onCommand?.(args, result);
    if (result.code !== 0 && !(this.#refusalsAllowed && isRefusal(result)))
      throw new ScenarioError(`${step.line}: kubectl ${args.join(' ')}\n${result.stderr.join('\n')}`);
  }

  #pick(step: Step & { step: 'pick' }): void {
    const { kind, name, namespace, labels, field, equals } = step.state;
    const found = objectsAt(this.#cluster).find((object) =>
      stateFits(
        {
          kind,
          ...(name ? { name } : {}),
          ...(namespace ? { namespace } : {}),
          ...(labels ? { labels } : {}),
          ...(field ? { field, equals } : {}),
        },
        [object],
      ),
    );
    if (!found?.metadata.name) throw new ScenarioError(`${step.line}: there is no such object: ${JSON.stringify(step.state)}`);
    this.#variables.set(step.variable, found.metadata.name);
  }
}

/** Whether kube-apiserver said no; kubectl's own errors, as about a flag that there is not, begin otherwise. */
function isRefusal({ stderr }: KubectlResult): boolean {
  return stderr.some((line) => /^Error from server|^The .* is invalid:|^error: failed to create /.test(line));
}
