import { formatSelector } from '../../../src/api/format-selector.ts';
import type {
  ExternalMetricSource,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
  ObjectMetricSource,
  PodsMetricSource,
} from '../../../src/api/kinds/autoscaling-v2.ts';
import type { LabelSelector } from '../../../src/api/kinds/meta-v1.ts';
import { labelSelectorAsSelector } from '../../../src/api/label-selector.ts';
import { newMilliQuantity, parseQuantity, type QuantityFormat } from '../../../src/api/quantity.ts';
import { messageOf, SyncError } from '../controller/sync-error.ts';
import type { ObjectMetric, Proposal, ReplicaCalculator, ScaledPods } from './replica-calculator.ts';

/** What one metric wants. */
export interface MetricProposal {
  readonly replicas: number;
  /** How the metric is called in messages. */
  readonly name: string;
  readonly status: MetricStatus;
}

/** A metric could not be read or used; `reason` is that of the event and the condition. */
export class MetricError extends SyncError {
  override name = 'MetricError';
  readonly reason: string;
  /** The text of the event; `message` says also which kind of metric it was. */
  readonly detail: string;

  constructor(reason: string, what: string, cause: unknown) {
    const detail = messageOf(cause);
    super(what ? `${what}: ${detail}` : detail, { cause });
    this.reason = reason;
    this.detail = detail;
  }
}

/** pkg/controller/podautoscaler/horizontal.go computeReplicasForMetric */
export async function computeReplicasForMetric(calculator: ReplicaCalculator, pods: ScaledPods, spec: MetricSpec): Promise<MetricProposal> {
  const { containerResource, external, object, resource } = spec;
  if (spec.type === 'Resource' && resource) {
    return guarded('FailedGetResourceMetric', `failed to get ${resource.name} resource metric value`, async () => {
      const { replicas, name, current } = await ofResource(calculator, pods, { ...resource, container: '' });
      return { replicas, name, status: { type: 'Resource', resource: { name: resource.name, current } } };
    });
  }
  if (spec.type === 'ContainerResource' && containerResource) {
    const { container, name: resourceName } = containerResource;
    return guarded('FailedGetContainerResourceMetric', `failed to get ${resourceName} container metric value`, async () => {
      const { replicas, name, current } = await ofResource(calculator, pods, containerResource);
      return { replicas, name, status: { type: 'ContainerResource', containerResource: { name: resourceName, container, current } } };
    });
  }
  const podsSource = spec.pods;
  if (spec.type === 'Pods' && podsSource)
    return guarded('FailedGetPodsMetric', 'failed to get pods metric value', () => ofPods(calculator, pods, podsSource));
  if (spec.type === 'Object' && object)
    return guarded('FailedGetObjectMetric', 'failed to get object metric value', () => ofObject(calculator, pods, object));
  if (spec.type === 'External' && external)
    return guarded(
      'FailedGetExternalMetric',
      `failed to get ${external.metric.name} external metric value: failed to get ${external.metric.name} external metric`,
      () => ofExternal(calculator, pods, external),
    );
  throw new MetricError('InvalidMetricSourceType', '', new SyncError(`unknown metric source type "${spec.type}"`));
}

async function guarded(reason: string, what: string, body: () => Promise<MetricProposal>): Promise<MetricProposal> {
  try {
    return await body();
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    throw new MetricError(reason, what, error);
  }
}

/** horizontal.go computeStatusForResourceMetricGeneric */
async function ofResource(
  calculator: ReplicaCalculator,
  pods: ScaledPods,
  { name: resource, container, target }: { name: string; container: string; target: MetricTarget },
): Promise<{ replicas: number; name: string; current: MetricValueStatus }> {
  if (target.averageValue !== undefined) {
    const { format } = parseQuantity(target.averageValue);
    const value = milli(target.averageValue);
    const proposal = await prefixed(`failed to get ${resource} usage`, () =>
      calculator.getRawResourceReplicas(pods, { resource, container, value }),
    );
    return { replicas: proposal.replicas, name: `${resource} resource`, current: { averageValue: shown(proposal.usage, format) } };
  }
  const { averageUtilization: percent } = target;
  if (percent === undefined)
    throw new SyncError(
      'invalid resource metric source: neither an average utilization target nor an average value (usage) target was set',
    );
  const {
    replicas,
    usage,
    utilization = 0,
  } = await prefixed(`failed to get ${resource} utilization`, () => calculator.getResourceReplicas(pods, { resource, container, percent }));
  const name = `${resource} ${container ? 'container ' : ''}resource utilization (percentage of request)`;
  return { replicas, name, current: { averageUtilization: utilization, averageValue: shown(usage) } };
}

/** horizontal.go computeStatusForPodsMetric */
async function ofPods(calculator: ReplicaCalculator, pods: ScaledPods, { metric, target }: PodsMetricSource): Promise<MetricProposal> {
  const value = milli(target.averageValue);
  const { replicas, usage } = await calculator.getMetricReplicas(pods, { name: metric.name, selector: textOf(metric.selector), value });
  const status = { type: 'Pods', pods: { metric, current: { averageValue: shown(usage) } } };
  return { replicas, name: `pods metric ${metric.name}`, status };
}

/** horizontal.go computeStatusForObjectMetric */
async function ofObject(
  calculator: ReplicaCalculator,
  pods: ScaledPods,
  { describedObject, metric, target }: ObjectMetricSource,
): Promise<MetricProposal> {
  const asked = { name: metric.name, selector: textOf(metric.selector), reference: describedObject, shown: '' };
  const none = 'invalid object metric source: neither a value target nor an average value target was set';
  const { replicas, current } = await ofValue(calculator, pods, { asked, target, none, order: ['value', 'averageValue'] });
  const status = { type: 'Object', object: { describedObject, metric, current } };
  return { replicas, name: `${describedObject.kind} metric ${metric.name}`, status };
}

/** horizontal.go computeStatusForExternalMetric */
async function ofExternal(
  calculator: ReplicaCalculator,
  pods: ScaledPods,
  { metric, target }: ExternalMetricSource,
): Promise<MetricProposal> {
  const name = `external metric ${metric.name}(${metric.selector ? formatSelector(metric.selector) : 'nil'})`;
  const asked = { name: metric.name, selector: textOf(metric.selector), shown: metric.selector ? formatSelector(metric.selector) : 'nil' };
  const none = 'invalid external metric source: neither a value target nor an average value target was set';
  const { replicas, current } = await ofValue(calculator, pods, { asked, target, none, order: ['averageValue', 'value'] });
  return { replicas, name, status: { type: 'External', external: { metric, current } } };
}

async function ofValue(
  calculator: ReplicaCalculator,
  pods: ScaledPods,
  { asked, target, none, order }: { asked: ObjectMetric; target: MetricTarget; none: string; order: readonly ('value' | 'averageValue')[] },
): Promise<{ replicas: number; current: MetricValueStatus }> {
  const which = order.find((key) => target[key] !== undefined);
  if (!which) throw new SyncError(none);
  const value = milli(target[which]);
  const proposal: Proposal =
    which === 'value' ? await calculator.getValueReplicas(pods, asked, value) : await calculator.getAverageReplicas(pods, asked, value);
  return { replicas: proposal.replicas, current: { [which]: shown(proposal.usage) } };
}

async function prefixed<T>(what: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    throw new SyncError(`${what}: ${error.message}`, { cause: error });
  }
}

function textOf(selector: LabelSelector | undefined): string {
  return selector ? labelSelectorAsSelector(selector).toString() : '';
}

function milli(text: string | undefined): number {
  return parseQuantity(text).milliValue();
}

/** Usage of a resource is written as its target is: `64Mi`, not `67108864`. */
function shown(milliValue: number, format?: QuantityFormat): string {
  return newMilliQuantity(milliValue, format).toString();
}
