import type { HorizontalPodAutoscaler as HorizontalPodAutoscalerV1 } from '../../../src/api/kinds/autoscaling-v1.ts';
import type { HorizontalPodAutoscaler, HPAScalingRules, MetricSpec, MetricStatus } from '../../../src/api/kinds/autoscaling-v2.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { metricSpecFromV1, metricSpecToV1, metricStatusFromV1, metricStatusToV1 } from './autoscaling-metrics.ts';
import type { Conversion } from './conversion.ts';

/** pkg/apis/autoscaling: where v1 keeps what it has no field for. */
const ANNOTATIONS = {
  metrics: 'autoscaling.alpha.kubernetes.io/metrics',
  currentMetrics: 'autoscaling.alpha.kubernetes.io/current-metrics',
  conditions: 'autoscaling.alpha.kubernetes.io/conditions',
  behavior: 'autoscaling.alpha.kubernetes.io/behavior',
} as const;

type Annotations = Readonly<Record<string, string>>;

/** pkg/apis/autoscaling/v1 Convert_…_HorizontalPodAutoscaler: cpu utilization has fields of its own in v1, everything else is an annotation. */
export const AUTOSCALERS: Conversion = { toStorage, fromStorage };

const isCpuUtilization = ({ type, resource }: MetricSpec): boolean =>
  type === 'Resource' && resource?.name === 'cpu' && resource.target.averageUtilization !== undefined;

function toStorage(object: KubernetesObject): KubernetesObject {
  const { spec, status, metadata, ...rest } = object as HorizontalPodAutoscalerV1;
  const { targetCPUUtilizationPercentage: cpu, ...specRest } = spec ?? {};
  const { currentCPUUtilizationPercentage: current, ...statusRest } = status ?? {};
  const annotations = metadata.annotations ?? {};
  const metrics = [
    ...(listIn(annotations, ANNOTATIONS.metrics)?.map(metricSpecFromV1) ?? []),
    ...(cpu === undefined
      ? []
      : [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: cpu } } }]),
  ];
  const currentMetrics =
    listIn(annotations, ANNOTATIONS.currentMetrics)?.map(metricStatusFromV1) ??
    (current === undefined ? null : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: current } } }]);
  const conditions = listIn(annotations, ANNOTATIONS.conditions);
  const behavior = behaviorIn(annotations);
  return {
    ...rest,
    apiVersion: 'autoscaling/v2',
    metadata: withoutRoundTrip(metadata),
    spec: { ...specRest, ...(metrics.length ? { metrics } : {}), ...(behavior ? { behavior } : {}) },
    status: { ...statusRest, currentMetrics, ...(conditions ? { conditions } : {}) },
  } as unknown as KubernetesObject;
}

function fromStorage(object: KubernetesObject): KubernetesObject {
  const { spec, status, metadata, ...rest } = object as HorizontalPodAutoscaler;
  const { metrics = [], behavior, ...specRest } = spec ?? {};
  const { currentMetrics, conditions, ...statusRest } = status ?? {};
  const cpu = metrics.find(isCpuUtilization)?.resource?.target.averageUtilization;
  const others = metrics.filter((metric) => !isCpuUtilization(metric)).map(metricSpecToV1);
  const current = currentMetrics?.find(isCurrentCpu)?.resource?.current.averageUtilization;
  const annotations = {
    ...(others.length ? { [ANNOTATIONS.metrics]: JSON.stringify(others) } : {}),
    ...(currentMetrics?.length ? { [ANNOTATIONS.currentMetrics]: JSON.stringify(currentMetrics.map(metricStatusToV1)) } : {}),
    ...(conditions?.length ? { [ANNOTATIONS.conditions]: JSON.stringify(conditions) } : {}),
    ...(behavior
      ? { [ANNOTATIONS.behavior]: JSON.stringify({ ScaleUp: goRules(behavior.scaleUp), ScaleDown: goRules(behavior.scaleDown) }) }
      : {}),
  };
  const kept = withoutRoundTrip(metadata);
  return {
    ...rest,
    apiVersion: 'autoscaling/v1',
    metadata: Object.keys(annotations).length ? { ...kept, annotations: { ...kept.annotations, ...annotations } } : kept,
    spec: { ...specRest, ...(cpu === undefined ? {} : { targetCPUUtilizationPercentage: cpu }) },
    status: { ...statusRest, ...(current === undefined ? {} : { currentCPUUtilizationPercentage: current }) },
  } as unknown as KubernetesObject;
}

const isCurrentCpu = ({ resource }: MetricStatus): boolean => resource?.name === 'cpu' && resource.current.averageUtilization !== undefined;

/** pkg/apis/autoscaling.DropRoundTripHorizontalPodAutoscalerAnnotations */
function withoutRoundTrip<T extends KubernetesObject['metadata']>(metadata: T): T {
  const given = metadata.annotations;
  const names: readonly string[] = Object.values(ANNOTATIONS);
  if (!given || !names.some((name) => name in given)) return metadata;
  const kept = Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));
  const { annotations: _, ...rest } = metadata;
  return (Object.keys(kept).length ? { ...rest, annotations: kept } : rest) as T;
}

/** The list in an annotation; undefined when there is none or it cannot be read. */
function listIn(annotations: Annotations, name: string): Record<string, unknown>[] | undefined {
  const value = parsed(annotations[name]);
  return Array.isArray(value) ? (value as Record<string, unknown>[]) : undefined;
}

function behaviorIn(annotations: Annotations): object | undefined {
  const value = parsed(annotations[ANNOTATIONS.behavior]) as { ScaleUp?: GoRules | null; ScaleDown?: GoRules | null } | undefined;
  if (!value) return undefined;
  return {
    ...(value.ScaleUp ? { scaleUp: rulesOf(value.ScaleUp) } : {}),
    ...(value.ScaleDown ? { scaleDown: rulesOf(value.ScaleDown) } : {}),
  };
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The internal Go type, which has no JSON names. */
interface GoRules {
  readonly StabilizationWindowSeconds?: number | null;
  readonly SelectPolicy?: string | null;
  readonly Policies?: readonly { readonly Type: string; readonly Value: number; readonly PeriodSeconds: number }[] | null;
  readonly Tolerance?: string | null;
}

function goRules(rules: HPAScalingRules | undefined): GoRules | null {
  if (!rules) return null;
  return {
    StabilizationWindowSeconds: rules.stabilizationWindowSeconds ?? null,
    SelectPolicy: rules.selectPolicy ?? null,
    Policies: rules.policies?.map(({ type, value, periodSeconds }) => ({ Type: type, Value: value, PeriodSeconds: periodSeconds })) ?? null,
    Tolerance: rules.tolerance ?? null,
  };
}

function rulesOf({ StabilizationWindowSeconds: window, SelectPolicy: select, Policies, Tolerance: tolerance }: GoRules): HPAScalingRules {
  return {
    ...(typeof window === 'number' ? { stabilizationWindowSeconds: window } : {}),
    ...(typeof select === 'string' ? { selectPolicy: select } : {}),
    ...(Policies
      ? { policies: Policies.map(({ Type, Value, PeriodSeconds }) => ({ type: Type, value: Value, periodSeconds: PeriodSeconds })) }
      : {}),
    ...(typeof tolerance === 'string' ? { tolerance } : {}),
  };
}
