import type { MetricIdentifier, MetricSpec, MetricStatus, MetricTarget, MetricValueStatus } from '../../../src/api/kinds/autoscaling-v2.ts';

/** A metric as autoscaling/v1 writes it into annotations: names and targets are flat there. */
type FlatMetric = Readonly<Record<string, unknown>>;

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** Without what has no value. */
function compact<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}

/** pkg/apis/autoscaling/v1 Convert_autoscaling_MetricSpec_To_v1_MetricSpec and those it calls */
export function metricSpecToV1({ type, object, pods, resource, containerResource, external }: MetricSpec): FlatMetric {
  const flatTarget = ({ averageUtilization, averageValue }: MetricTarget): object => ({
    targetAverageUtilization: averageUtilization,
    targetAverageValue: averageValue,
  });
  return compact({
    type,
    object:
      object &&
      compact({
        target: object.describedObject,
        metricName: object.metric.name,
        targetValue: object.target.value ?? '0',
        selector: object.metric.selector,
        averageValue: object.target.averageValue,
      }),
    pods: pods && compact({ metricName: pods.metric.name, targetAverageValue: pods.target.averageValue, selector: pods.metric.selector }),
    resource: resource && compact({ name: resource.name, ...flatTarget(resource.target) }),
    containerResource:
      containerResource &&
      compact({ name: containerResource.name, ...flatTarget(containerResource.target), container: containerResource.container }),
    external:
      external &&
      compact({
        metricName: external.metric.name,
        metricSelector: external.metric.selector,
        targetValue: external.target.value,
        targetAverageValue: external.target.averageValue,
      }),
  });
}

function metric(name: unknown, selector: unknown): MetricIdentifier {
  return compact({ name: text(name) ?? '', selector }) as MetricIdentifier;
}

/** Which kind of target the values given make. */
function target({
  value,
  averageValue,
  averageUtilization,
}: {
  value?: unknown;
  averageValue?: unknown;
  averageUtilization?: unknown;
}): MetricTarget {
  const type = averageUtilization !== undefined ? 'Utilization' : averageValue !== undefined ? 'AverageValue' : 'Value';
  return compact({
    type,
    value: text(value),
    averageValue: text(averageValue),
    averageUtilization: number(averageUtilization),
  }) as MetricTarget;
}

/** The same the other way. */
export function metricSpecFromV1(flat: FlatMetric): MetricSpec {
  const part = (name: string): FlatMetric | undefined => flat[name] as FlatMetric | undefined;
  const [object, pods, resource, container, external] = ['object', 'pods', 'resource', 'containerResource', 'external'].map(part);
  const averages = (source: FlatMetric): MetricTarget =>
    target({ averageValue: source['targetAverageValue'], averageUtilization: source['targetAverageUtilization'] });
  return compact({
    type: text(flat['type']) ?? '',
    object: object && {
      describedObject: object['target'],
      metric: metric(object['metricName'], object['selector']),
      target: target(object['averageValue'] === undefined ? { value: object['targetValue'] } : { averageValue: object['averageValue'] }),
    },
    pods: pods && { metric: metric(pods['metricName'], pods['selector']), target: averages(pods) },
    resource: resource && { name: text(resource['name']) ?? '', target: averages(resource) },
    containerResource: container && {
      name: text(container['name']) ?? '',
      container: text(container['container']) ?? '',
      target: averages(container),
    },
    external: external && {
      metric: metric(external['metricName'], external['metricSelector']),
      target: target({ value: external['targetValue'], averageValue: external['targetAverageValue'] }),
    },
  }) as MetricSpec;
}

/** pkg/apis/autoscaling/v1 Convert_autoscaling_MetricStatus_To_v1_MetricStatus and those it calls */
export function metricStatusToV1({ type, object, pods, resource, containerResource, external }: MetricStatus): FlatMetric {
  const flatCurrent = ({ averageUtilization, averageValue }: MetricValueStatus): object => ({
    currentAverageUtilization: averageUtilization,
    currentAverageValue: averageValue ?? '0',
  });
  return compact({
    type,
    object:
      object &&
      compact({
        target: object.describedObject,
        metricName: object.metric.name,
        currentValue: object.current.value ?? '0',
        selector: object.metric.selector,
        averageValue: object.current.averageValue,
      }),
    pods:
      pods &&
      compact({ metricName: pods.metric.name, currentAverageValue: pods.current.averageValue ?? '0', selector: pods.metric.selector }),
    resource: resource && compact({ name: resource.name, ...flatCurrent(resource.current) }),
    containerResource:
      containerResource &&
      compact({ name: containerResource.name, ...flatCurrent(containerResource.current), container: containerResource.container }),
    external:
      external &&
      compact({
        metricName: external.metric.name,
        metricSelector: external.metric.selector,
        currentValue: external.current.value ?? '0',
        currentAverageValue: external.current.averageValue,
      }),
  });
}

/** The same the other way. */
export function metricStatusFromV1(flat: FlatMetric): MetricStatus {
  const part = (name: string): FlatMetric | undefined => flat[name] as FlatMetric | undefined;
  const [object, pods, resource, container, external] = ['object', 'pods', 'resource', 'containerResource', 'external'].map(part);
  const current = (source: FlatMetric): MetricValueStatus =>
    compact({
      value: text(source['currentValue']),
      averageValue: text(source['currentAverageValue']) ?? text(source['averageValue']),
      averageUtilization: number(source['currentAverageUtilization']),
    }) as MetricValueStatus;
  return compact({
    type: text(flat['type']) ?? '',
    object: object && {
      metric: metric(object['metricName'], object['selector']),
      current: current(object),
      describedObject: object['target'],
    },
    pods: pods && { metric: metric(pods['metricName'], pods['selector']), current: current(pods) },
    resource: resource && { name: text(resource['name']) ?? '', current: current(resource) },
    containerResource: container && {
      name: text(container['name']) ?? '',
      current: current(container),
      container: text(container['container']) ?? '',
    },
    external: external && { metric: metric(external['metricName'], external['metricSelector']), current: current(external) },
  }) as MetricStatus;
}
