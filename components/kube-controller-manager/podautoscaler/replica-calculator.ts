import type { CrossVersionObjectReference } from '../../../src/api/kinds/autoscaling-v2.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { Selector } from '../../../src/api/label-selector.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import type { Simulation } from '../../../src/sim/simulation.ts';
import type { KubeControllerManagerConfiguration } from '../config.ts';
import { messageOf, SyncError } from '../controller/sync-error.ts';
import type { MetricsClient, PodMetrics } from './metrics-client.ts';
import { calculateRequests, countReadyPods, groupPods } from './pod-groups.ts';

const NO_PODS = 'no pods returned by selector while calculating replica count';
const NO_METRICS = 'did not receive metrics for targeted pods (pods might be unready)';

/** How many pods there should be, and what was measured (in thousandths, or percent). */
export interface Proposal {
  readonly replicas: number;
  readonly usage: number;
  /** Resource utilization only. */
  readonly utilization?: number;
}

/** Whose pods, and how many of them there are. */
export interface ScaledPods {
  readonly namespace: string;
  readonly selector: Selector;
  readonly currentReplicas: number;
  readonly statusReplicas: number;
}

/** A metric of something that is no pod, with the text of the selector that narrows it. */
export interface ObjectMetric {
  readonly name: string;
  readonly selector: string;
  /** Absent for external metrics. */
  readonly reference?: CrossVersionObjectReference;
  /** How the selector is shown in messages. */
  readonly shown: string;
}

/** How far the pods are from the target: a ratio, and what is told of it. */
interface Measured {
  readonly ratio: number;
  readonly usage: number;
  readonly utilization?: number;
}

/** pkg/controller/podautoscaler/replica_calculator.go ReplicaCalculator */
export class ReplicaCalculator {
  readonly #metrics: MetricsClient;
  readonly #pods: Indexer<Pod>;
  readonly #simulation: Simulation;
  readonly #config: KubeControllerManagerConfiguration;

  constructor(options: {
    metrics: MetricsClient;
    pods: Indexer<Pod>;
    simulation: Simulation;
    config: KubeControllerManagerConfiguration;
  }) {
    this.#metrics = options.metrics;
    this.#pods = options.pods;
    this.#simulation = options.simulation;
    this.#config = options.config;
  }

  podsOf({ namespace, selector }: Pick<ScaledPods, 'namespace' | 'selector'>): Pod[] {
    return this.#pods.listNamespace(namespace).filter(({ metadata }) => selector.matches(metadata.labels));
  }

  /** By the percentage of what the pods ask for. */
  async getResourceReplicas(
    target: ScaledPods,
    { resource, container, percent }: { resource: string; container: string; percent: number },
  ): Promise<Proposal> {
    const metrics = await this.#resourceMetrics(target, resource, container);
    let requests = new Map<string, number>();
    return this.#calculate(target, metrics, {
      resource,
      prepare: (pods) => {
        requests = calculateRequests(pods, container, resource);
      },
      measure: () => utilizationRatio(metrics, requests, percent),
      // On the way down a pod that is not measured counts as busy.
      valueOfMissing: (ratio, name) =>
        ratio < 1 ? Math.trunc(((requests.get(name) ?? 0) * Math.max(100, percent)) / 100) : ratio > 1 ? 0 : undefined,
    });
  }

  /** By what the pods use on average, in thousandths. replica_calculator.go GetRawResourceReplicas */
  async getRawResourceReplicas(
    target: ScaledPods,
    { resource, container, value }: { resource: string; container: string; value: number },
  ): Promise<Proposal> {
    return this.#calcPlainMetricReplicas(target, await this.#resourceMetrics(target, resource, container), { resource, value });
  }

  /** replica_calculator.go GetMetricReplicas */
  async getMetricReplicas(
    target: ScaledPods,
    { name, selector, value }: { name: string; selector: string; value: number },
  ): Promise<Proposal> {
    const query = { namespace: target.namespace, selector: target.selector.toString() };
    const metrics = await wrapping(`unable to get metric ${name}`, () => this.#metrics.getRawMetric(name, query, selector));
    return this.#calcPlainMetricReplicas(target, metrics, { resource: '', value });
  }

  #resourceMetrics({ namespace, selector }: ScaledPods, resource: string, container: string): Promise<PodMetrics> {
    const query = { namespace, selector: selector.toString() };
    return wrapping(`unable to get metrics for resource ${resource}`, () => this.#metrics.getResourceMetric(resource, query, container));
  }

  #calcPlainMetricReplicas(target: ScaledPods, metrics: PodMetrics, { resource, value }: { resource: string; value: number }): Proposal {
    return this.#calculate(target, metrics, {
      resource,
      prepare: () => {},
      measure: () => usageRatio(metrics, value),
      valueOfMissing: (ratio) => (ratio < 1 ? value : 0),
    });
  }

  /** What GetResourceReplicas and calcPlainMetricReplicas have in common: pods of which little is known make the step smaller, never larger. */
  #calculate(
    target: ScaledPods,
    metrics: PodMetrics,
    how: {
      resource: string;
      prepare: (pods: readonly Pod[]) => void;
      measure: () => Measured;
      valueOfMissing: (ratio: number, name: string) => number | undefined;
    },
  ): Proposal {
    const pods = this.podsOf(target);
    if (pods.length === 0) throw new SyncError(NO_PODS);
    const { horizontalPodAutoscalerCpuInitializationPeriodMs, horizontalPodAutoscalerInitialReadinessDelayMs } = this.#config;
    const groups = groupPods(pods, {
      ...{ metrics, resource: how.resource, wallTime: this.#simulation.wallTime },
      cpuInitializationPeriodMs: horizontalPodAutoscalerCpuInitializationPeriodMs,
      delayOfInitialReadinessMs: horizontalPodAutoscalerInitialReadinessDelayMs,
    });
    for (const name of [...groups.ignored, ...groups.unready]) metrics.delete(name);
    if (metrics.size === 0) throw new SyncError(NO_METRICS);
    how.prepare(pods);
    const { ratio, ...measured } = how.measure();
    const { currentReplicas } = target;
    const scaleUpWithUnready = groups.unready.size > 0 && ratio > 1;
    if (!scaleUpWithUnready && groups.missing.size === 0)
      return { ...measured, replicas: this.#isWithin(ratio) ? currentReplicas : Math.ceil(ratio * groups.readyPodCount) };
    const fill = (name: string, value: number | undefined): void => {
      if (value !== undefined) metrics.set(name, { timestamp: 0, windowMs: 0, value });
    };
    for (const name of groups.missing) fill(name, how.valueOfMissing(ratio, name));
    if (scaleUpWithUnready) for (const name of groups.unready) fill(name, 0);
    const filled = how.measure().ratio;
    const turned = (ratio < 1 && filled > 1) || (ratio > 1 && filled < 1);
    const replicas = Math.ceil(filled * metrics.size);
    const isAgainst = (filled < 1 && replicas > currentReplicas) || (filled > 1 && replicas < currentReplicas);
    return { ...measured, replicas: this.#isWithin(filled) || turned || isAgainst ? currentReplicas : replicas };
  }

  /** By a value of something else, as it is. replica_calculator.go GetObjectMetricReplicas, GetExternalMetricReplicas */
  async getValueReplicas(target: ScaledPods, metric: ObjectMetric, value: number): Promise<Proposal> {
    const usage = await this.#usageOf(target, metric);
    const ratio = usage / value;
    if (target.currentReplicas === 0) return { usage, replicas: Math.ceil(ratio) };
    if (this.#isWithin(ratio)) return { usage, replicas: target.currentReplicas };
    const pods = this.podsOf(target);
    if (pods.length === 0) throw new SyncError(`unable to calculate ready pods: ${NO_PODS}`);
    return { usage, replicas: Math.ceil(ratio * countReadyPods(pods)) };
  }

  /** By a value of something else, for each pod. replica_calculator.go GetObjectPerPodMetricReplicas, GetExternalPerPodMetricReplicas */
  async getAverageReplicas(target: ScaledPods, metric: ObjectMetric, value: number): Promise<Proposal> {
    const total = await this.#usageOf(target, metric);
    const { statusReplicas } = target;
    const replicas = this.#isWithin(total / (value * statusReplicas)) ? statusReplicas : Math.ceil(total / value);
    return { usage: statusReplicas === 0 ? 0 : Math.ceil(total / statusReplicas), replicas };
  }

  /** replica_calculator.go Tolerances.isWithin */
  #isWithin(ratio: number): boolean {
    const tolerance = this.#config.horizontalPodAutoscalerTolerance;
    return ratio >= 1 - tolerance && ratio <= 1 + tolerance;
  }

  async #usageOf({ namespace }: ScaledPods, { name, reference, selector, shown }: ObjectMetric): Promise<number> {
    if (reference)
      return wrapping(`unable to get metric ${name}: ${reference.kind} on ${namespace} ${reference.name}/`, () =>
        this.#metrics.getObjectMetric(name, { reference, namespace }, selector),
      );
    const values = await wrapping(`unable to get external metric ${namespace}/${name}/${shown}`, () =>
      this.#metrics.getExternalMetric(name, { namespace, selector }),
    );
    return values.reduce((sum, value) => sum + value, 0);
  }
}

async function wrapping<T>(what: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    throw new SyncError(`${what}${what.endsWith('/') ? '' : ': '}${messageOf(error)}`, { cause: error });
  }
}

/** pkg/controller/podautoscaler/metrics/utilization.go GetResourceUtilizationRatio */
function utilizationRatio(metrics: PodMetrics, requests: ReadonlyMap<string, number>, percent: number): Measured {
  let [used, requested, count] = [0, 0, 0];
  for (const [name, { value }] of metrics) {
    const request = requests.get(name);
    if (request === undefined) continue;
    used += value;
    requested += request;
    count++;
  }
  if (requested === 0) throw new SyncError('no metrics returned matched known pods');
  const utilization = Math.trunc((used * 100) / requested);
  return { ratio: utilization / percent, utilization, usage: Math.trunc(used / count) };
}

/** pkg/controller/podautoscaler/metrics/utilization.go GetMetricUsageRatio */
function usageRatio(metrics: PodMetrics, value: number): Measured {
  let total = 0;
  for (const metric of metrics.values()) total += metric.value;
  const usage = Math.trunc(total / metrics.size);
  return { ratio: usage / value, usage };
}
