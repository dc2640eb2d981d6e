import { semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { HorizontalPodAutoscaler, MetricStatus } from '../../../src/api/kinds/autoscaling-v2.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { parseLabelSelector, type Selector } from '../../../src/api/label-selector.ts';
import { keyOf } from '../../../src/api/object.ts';
import { horizontalpodautoscalers, pods } from '../../../src/api/resources.ts';
import type { Client } from '../../../src/client/client.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import { retryOnConflict } from '../../../src/client/retry.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import type { Priority } from '../../../src/sim/actor.ts';
import { describeReference } from '../controller/describe-reference.ts';
import { messageOf, rethrowPanic, SyncError } from '../controller/sync-error.ts';
import type { ControllerContext } from '../controller-context.ts';
import { AutoscalerStatus } from './autoscaler-status.ts';
import { computeReplicasForMetric, MetricError, type MetricProposal } from './compute-metrics.ts';
import { MetricsClient } from './metrics-client.ts';
import { Recommendations } from './recommendations.ts';
import { ReplicaCalculator, type ScaledPods } from './replica-calculator.ts';
import { getScaleTarget, type ScaleTarget } from './scale-target.ts';

const NAME = 'horizontal-pod-autoscaler-controller';
const ACCOUNT = 'horizontal-pod-autoscaler';
const FAILED_COMPUTE = 'FailedComputeMetricsReplicas';

/** One look at one autoscaler. */
interface Sync {
  readonly hpa: HorizontalPodAutoscaler;
  readonly status: AutoscalerStatus;
  readonly recommendations: Recommendations;
  readonly target: ScaleTarget;
  readonly currentReplicas: number;
  readonly minReplicas: number;
}

/** What a look came to. */
interface Decision {
  readonly desiredReplicas: number;
  readonly reason?: string;
  readonly metrics?: readonly MetricStatus[];
}

/** Scales workloads by metrics. pkg/controller/podautoscaler/horizontal.go HorizontalController */
class HorizontalController {
  readonly #context: ControllerContext;
  readonly #client: Client;
  readonly #recorder: EventRecorder;
  readonly #hpas: Indexer<HorizontalPodAutoscaler>;
  readonly #calculator: ReplicaCalculator;
  readonly #queue: RateLimitingQueue;
  readonly #recommendations = new Map<string, Recommendations>();
  /** By key of the autoscaler, the selector of its target: to notice two for the same pods. */
  readonly #selectors = new Map<string, Selector>();

  constructor(context: ControllerContext) {
    const { actor, informers, config } = context;
    this.#context = context;
    this.#client = context.clientFor(ACCOUNT);
    this.#recorder = context.recorderFor(ACCOUNT);
    this.#queue = new RateLimitingQueue({ actor });
    const informer = informers.forResource(horizontalpodautoscalers);
    this.#hpas = informer.store;
    const metrics = new MetricsClient(this.#client);
    this.#calculator = new ReplicaCalculator({ metrics, pods: informers.forResource(pods).store, simulation: actor.simulation, config });
    informer.addEventHandler({
      onAdd: (hpa) => this.#enqueue(keyOf(hpa), 'work'),
      onUpdate: (before, hpa) => this.#enqueue(keyOf(hpa), semanticDeepEqual(before.spec, hpa.spec) ? 'background' : 'work'),
      onDelete: (hpa) => {
        this.#recommendations.delete(keyOf(hpa));
        this.#selectors.delete(keyOf(hpa));
      },
    });
  }

  run(): void {
    const { actor, config } = this.#context;
    const reconcile = (key: string): Promise<void> => this.#reconcileKey(key);
    const handleError = (key: string): void => this.#enqueue(key, 'background');
    runWorkers({ actor, name: NAME, queue: this.#queue, workers: config.concurrentSyncs, reconcile, handleError });
  }

  /** Every look comes a period after what asked for it; nobody waits for those that only repeat the last one. */
  #enqueue(key: string, priority: Priority): void {
    this.#queue.addAfter(key, this.#context.config.horizontalPodAutoscalerSyncPeriodMs, priority);
  }

  /** horizontal.go reconcileKey */
  async #reconcileKey(key: string): Promise<void> {
    const hpa = this.#hpas.get(key);
    if (!hpa) return;
    const rescaled = await this.#reconcileAutoscaler(hpa);
    this.#enqueue(key, rescaled ? 'work' : 'background');
  }

  /** horizontal.go reconcileAutoscaler. Returns whether the target was scaled. */
  async #reconcileAutoscaler(hpa: HorizontalPodAutoscaler): Promise<boolean> {
    const { simulation } = this.#context.actor;
    const status = new AutoscalerStatus(hpa.status, () => simulation.wallTime);
    const target = await this.#getTarget(hpa, status);
    status.setCondition({
      type: 'AbleToScale',
      status: 'True',
      reason: 'SucceededGetScale',
      message: "the HPA controller was able to get the target's current scale",
    });
    const currentReplicas = target.scale.spec?.replicas ?? 0;
    const { horizontalPodAutoscalerDownscaleStabilizationMs } = this.#context.config;
    const recommendations =
      this.#recommendations.get(keyOf(hpa)) ??
      new Recommendations({ time: simulation.now, replicas: currentReplicas }, horizontalPodAutoscalerDownscaleStabilizationMs);
    this.#recommendations.set(keyOf(hpa), recommendations);
    const sync: Sync = { hpa, status, recommendations, target, currentReplicas, minReplicas: hpa.spec?.minReplicas ?? 1 };
    const { desiredReplicas, reason = '', metrics } = await this.#decide(sync);
    const rescaled = desiredReplicas !== currentReplicas;
    if (rescaled) await this.#rescale(sync, { desiredReplicas, reason, metrics });
    status.setReplicas({ currentReplicas, desiredReplicas, metrics, rescaled });
    await this.#updateStatusIfNeeded(hpa, status);
    return rescaled;
  }

  async #getTarget(hpa: HorizontalPodAutoscaler, status: AutoscalerStatus): Promise<ScaleTarget> {
    const reference = hpa.spec?.scaleTargetRef ?? { kind: '', name: '' };
    try {
      return await getScaleTarget(this.#client, reference, hpa.metadata.namespace ?? '');
    } catch (error) {
      const message = `the HPA controller was unable to get the target's current scale: ${messageOf(error)}`;
      this.#recorder.event(hpa, 'Warning', 'FailedGetScale', messageOf(error));
      status.setCondition({ type: 'AbleToScale', status: 'False', reason: 'FailedGetScale', message });
      await this.#updateStatusIfNeeded(hpa, status);
      throw error;
    }
  }

  async #decide(sync: Sync): Promise<Decision> {
    const { hpa, status, currentReplicas, minReplicas } = sync;
    const maxReplicas = hpa.spec?.maxReplicas ?? 0;
    if (currentReplicas === 0 && minReplicas !== 0) {
      const message = 'scaling is disabled since the replica count of the target is zero';
      status.setCondition({ type: 'ScalingActive', status: 'False', reason: 'ScalingDisabled', message });
      return { desiredReplicas: 0 };
    }
    if (currentReplicas > maxReplicas) return { desiredReplicas: maxReplicas, reason: 'Current number of replicas above Spec.MaxReplicas' };
    if (currentReplicas < minReplicas) return { desiredReplicas: minReplicas, reason: 'Current number of replicas below Spec.MinReplicas' };
    const { replicas, name, metrics } = await this.#computeReplicasForMetrics(sync);
    const reason = replicas > currentReplicas ? `${name} above target` : replicas < currentReplicas ? 'All metrics below target' : '';
    const wish = { currentReplicas, desiredReplicas: replicas, minReplicas, maxReplicas };
    const { now } = this.#context.actor.simulation;
    const { behavior } = hpa.spec ?? {};
    const desiredReplicas = behavior
      ? sync.recommendations.normalizeWithBehaviors(wish, behavior, { status, now })
      : sync.recommendations.normalize(wish, status, now);
    this.#explain(sync, { name, wanted: replicas, desiredReplicas });
    return { desiredReplicas, reason, metrics };
  }

  #explain(
    { hpa, currentReplicas }: Sync,
    { name, wanted, desiredReplicas }: { name: string; wanted: number; desiredReplicas: number },
  ): void {
    const bounded = desiredReplicas === wanted ? '' : `, bounded to ${desiredReplicas}`;
    this.#context.actor.simulation.trace.record({
      kind: 'decision',
      component: NAME,
      object: describeReference(horizontalpodautoscalers, hpa),
      message: `${currentReplicas} replicas, ${name} asks for ${wanted}${bounded}`,
    });
  }

  /** The largest proposal counts; one that cannot be made keeps the others from scaling down. horizontal.go computeReplicasForMetrics */
  async #computeReplicasForMetrics(sync: Sync): Promise<{ replicas: number; name: string; metrics: MetricStatus[] }> {
    const { hpa, status, currentReplicas, target } = sync;
    const selector = await this.#parseSelector(sync);
    const { namespace = '' } = hpa.metadata;
    const scaled: ScaledPods = { namespace, selector, currentReplicas, statusReplicas: target.scale.status?.replicas ?? 0 };
    const specs = hpa.spec?.metrics ?? [];
    const metrics: MetricStatus[] = [];
    const errors: MetricError[] = [];
    let best: MetricProposal | undefined;
    for (const spec of specs) {
      const proposal = await computeReplicasForMetric(this.#calculator, scaled, spec).catch((error: unknown) =>
        this.#note(hpa, error, errors),
      );
      metrics.push(proposal?.status ?? { type: '' });
      if (proposal && (!best || best.replicas === 0 || proposal.replicas > best.replicas)) best = proposal;
    }
    const [error] = errors;
    if (error && (!best || best.replicas < currentReplicas)) {
      const message = `the HPA was unable to compute the replica count: ${error.detail}`;
      status.setCondition({ type: 'ScalingActive', status: 'False', reason: error.reason, message });
      const all = `invalid metrics (${errors.length} invalid out of ${specs.length}), first error is: ${error.message}`;
      return this.#giveUp(sync, all, metrics);
    }
    const { replicas, name } = best ?? { replicas: 0, name: '' };
    const message = `the HPA was able to successfully calculate a replica count from ${name}`;
    status.setCondition({ type: 'ScalingActive', status: 'True', reason: 'ValidMetricFound', message });
    return { replicas, name, metrics };
  }

  #note(hpa: HorizontalPodAutoscaler, error: unknown, errors: MetricError[]): undefined {
    if (!(error instanceof MetricError)) throw error;
    this.#recorder.event(hpa, 'Warning', error.reason, error.detail);
    errors.push(error);
  }

  async #giveUp({ hpa, status, currentReplicas }: Sync, message: string, metrics?: readonly MetricStatus[]): Promise<never> {
    status.setReplicas({ currentReplicas, metrics });
    await this.#updateStatusIfNeeded(hpa, status);
    this.#recorder.event(hpa, 'Warning', FAILED_COMPUTE, message);
    throw new SyncError(message);
  }

  /** horizontal.go validateAndParseSelector */
  async #parseSelector(sync: Sync): Promise<Selector> {
    const { hpa, status, target } = sync;
    const text = target.scale.status?.selector ?? '';
    const refuse = (reason: string, message: string, what = { event: reason, condition: message }): Promise<never> => {
      this.#recorder.event(hpa, 'Warning', what.event, message);
      status.setCondition({ type: 'ScalingActive', status: 'False', reason, message: what.condition });
      return this.#giveUp(sync, message);
    };
    if (!text) {
      const what = { event: 'SelectorRequired', condition: "the HPA target's scale is missing a selector" };
      return refuse('InvalidSelector', 'selector is required', what);
    }
    let selector: Selector;
    try {
      selector = parseLabelSelector(text);
    } catch (error) {
      return refuse('InvalidSelector', `couldn't convert selector into a corresponding internal selector object: ${messageOf(error)}`);
    }
    this.#selectors.set(keyOf(hpa), selector);
    const rivals = this.#autoscalersOf(this.#calculator.podsOf({ namespace: hpa.metadata.namespace ?? '', selector }), hpa);
    if (rivals.length > 1)
      return refuse('AmbiguousSelector', `pods by selector ${text} are controlled by multiple HPAs: [${rivals.join(' ')}]`);
    return selector;
  }

  /** horizontal.go hpasControllingPodsUnderSelector */
  #autoscalersOf(found: readonly Pod[], { metadata: { namespace } }: HorizontalPodAutoscaler): string[] {
    const others = [...this.#selectors].filter(([key]) => key.startsWith(`${namespace}/`));
    if (others.length <= 1) return others.map(([key]) => key);
    return others.filter(([, selector]) => found.some(({ metadata }) => selector.matches(metadata.labels))).map(([key]) => key);
  }

  async #rescale(
    { hpa, status, target, currentReplicas, recommendations }: Sync,
    {
      desiredReplicas,
      reason,
      metrics,
    }: Required<Pick<Decision, 'desiredReplicas' | 'reason'>> & { metrics: readonly MetricStatus[] | undefined },
  ): Promise<void> {
    const size = `New size: ${desiredReplicas}; reason: ${reason}`;
    try {
      await this.#updateScale(target, desiredReplicas);
    } catch (error) {
      const message = `the HPA controller was unable to update the target scale: ${messageOf(error)}`;
      this.#recorder.event(hpa, 'Warning', 'FailedRescale', `${size}; error: ${messageOf(error)}`);
      status.setCondition({ type: 'AbleToScale', status: 'False', reason: 'FailedUpdateScale', message });
      status.setReplicas({ currentReplicas, metrics });
      await this.#updateStatusIfNeeded(hpa, status);
      throw error;
    }
    const message = `the HPA controller was able to update the target scale to ${desiredReplicas}`;
    status.setCondition({ type: 'AbleToScale', status: 'True', reason: 'SucceededRescale', message });
    this.#recorder.event(hpa, 'Normal', 'SuccessfulRescale', size);
    const { now } = this.#context.actor.simulation;
    recommendations.storeScaleEvent(hpa.spec?.behavior, { from: currentReplicas, to: desiredReplicas, now });
  }

  async #updateScale({ client, scale }: ScaleTarget, replicas: number): Promise<void> {
    let current = scale;
    let isFirst = true;
    await retryOnConflict({ actor: this.#context.actor }, async () => {
      const { namespace, name = '' } = scale.metadata;
      if (!isFirst) current = await client.getScale({ namespace, name });
      isFirst = false;
      await client.updateScale({ ...current, spec: { ...current.spec, replicas } });
    });
  }

  /** What cannot be written is said in an event, and left to the next look. horizontal.go updateStatusIfNeeded, updateStatus */
  async #updateStatusIfNeeded(hpa: HorizontalPodAutoscaler, status: AutoscalerStatus): Promise<void> {
    if (semanticDeepEqual(hpa.status, status.value)) return;
    try {
      await this.#client.resource(horizontalpodautoscalers).updateStatus({ ...hpa, status: status.value });
    } catch (error) {
      rethrowPanic(error);
      this.#recorder.event(hpa, 'Warning', 'FailedUpdateStatus', messageOf(error));
    }
  }
}

/** cmd/kube-controller-manager/app/autoscaling.go startHPAController */
export function startHorizontalPodAutoscalerController(context: ControllerContext): void {
  const controller = new HorizontalController(context);
  context.onceSynced(() => controller.run());
}
