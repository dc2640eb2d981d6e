import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerSpec,
  HPAScalingRules,
  MetricSpec,
  MetricTarget,
} from '../../../../src/api/kinds/autoscaling-v2.ts';
import { parseQuantity } from '../../../../src/api/quantity.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isValidPathSegmentName } from '../../../../src/api/validation/content.ts';
import { forbidden, invalid, notSupported, required } from '../../../../src/api/validation/field.ts';
import type { KindRules } from '../kind-strategy.ts';
import { nonNegative, oneOf, report } from '../validation.ts';
import { setDefaultsHorizontalPodAutoscaler } from './defaults.ts';

const METRIC_TYPES = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
const SOURCES = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
} as const;
const MAX_WINDOW = 3600;
const MAX_PERIOD = 1800;

/** kubernetes pkg/registry/autoscaling/horizontalpodautoscaler */
export const horizontalPodAutoscalerRules: KindRules<HorizontalPodAutoscaler> = {
  defaults: setDefaultsHorizontalPodAutoscaler,
  hasStatus: true,
  prepareForCreate: dropTolerance,
  prepareForUpdate: dropTolerance,
  validate: ({ spec }) => validateSpec(spec ?? ({ maxReplicas: 0 } as HorizontalPodAutoscalerSpec)),
  validateStatusUpdate: ({ status }) => {
    const errors: FieldError[] = [];
    nonNegative(errors, 'status.currentReplicas', status?.currentReplicas);
    nonNegative(errors, 'status.desiredReplicas', status?.desiredReplicas);
    return errors;
  },
};

/** The gate HPAConfigurableTolerance is off. */
function dropTolerance(autoscaler: HorizontalPodAutoscaler): HorizontalPodAutoscaler {
  const { spec } = autoscaler;
  const { scaleUp, scaleDown } = spec?.behavior ?? {};
  if (!spec || (scaleUp?.tolerance === undefined && scaleDown?.tolerance === undefined)) return autoscaler;
  const strip = ({ tolerance: _, ...rules }: HPAScalingRules): HPAScalingRules => rules;
  return {
    ...autoscaler,
    spec: { ...spec, behavior: { ...(scaleUp ? { scaleUp: strip(scaleUp) } : {}), ...(scaleDown ? { scaleDown: strip(scaleDown) } : {}) } },
  };
}

/** kubernetes pkg/apis/autoscaling/validation validateHorizontalPodAutoscalerSpec */
function validateSpec(spec: HorizontalPodAutoscalerSpec): FieldError[] {
  const errors: FieldError[] = [];
  const { minReplicas, maxReplicas } = spec;
  if (minReplicas !== undefined && minReplicas < 1)
    errors.push(invalid('spec.minReplicas', minReplicas, 'must be greater than or equal to 1'));
  if (maxReplicas < 1) errors.push(invalid('spec.maxReplicas', maxReplicas, 'must be greater than 0'));
  if (minReplicas !== undefined && maxReplicas < minReplicas)
    errors.push(invalid('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`'));
  validateTarget(errors, spec.scaleTargetRef);
  const metrics = spec.metrics ?? [];
  for (const [index, metric] of metrics.entries()) validateMetric(errors, `spec.metrics[${index}]`, metric);
  if (minReplicas === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External')) {
    errors.push(forbidden('spec.metrics', 'must specify at least one Object or External metric to support scaling to zero replicas'));
  }
  validateRules(errors, 'spec.behavior.scaleUp', spec.behavior?.scaleUp);
  validateRules(errors, 'spec.behavior.scaleDown', spec.behavior?.scaleDown);
  return errors;
}

function validateTarget(errors: FieldError[], target: HorizontalPodAutoscalerSpec['scaleTargetRef'] | undefined): void {
  const path = 'spec.scaleTargetRef';
  objectReference(errors, path, target);
  const apiVersion = target?.apiVersion ?? '';
  if (!apiVersion.includes('/') && target?.kind !== 'ReplicationController')
    errors.push(invalid(`${path}.apiVersion`, apiVersion, 'apiVersion must specify API group'));
}

type Reference = HorizontalPodAutoscalerSpec['scaleTargetRef'];

/** kubernetes pkg/apis/autoscaling/validation ValidateCrossVersionObjectReference */
function objectReference(errors: FieldError[], path: string, reference: Reference | undefined): void {
  for (const name of ['kind', 'name'] as const) {
    const value = reference?.[name];
    if (!value) errors.push(required(`${path}.${name}`));
    else report(errors, { path: `${path}.${name}`, value }, isValidPathSegmentName(value));
  }
  const apiVersion = reference?.apiVersion ?? '';
  if (apiVersion.split('/').length > 2)
    errors.push(invalid(`${path}.apiVersion`, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
}

/** kubernetes pkg/apis/autoscaling/validation validateMetricSpec */
function validateMetric(errors: FieldError[], path: string, metric: MetricSpec): void {
  const { type } = metric;
  if (!type) errors.push(required(`${path}.type`, 'must specify a metric source type'));
  const unknown = notSupported(`${path}.type`, type ?? '', METRIC_TYPES);
  // The real one finds an unknown type twice.
  if (!METRIC_TYPES.includes(type)) errors.push(unknown, unknown);
  const expected = SOURCES[type as keyof typeof SOURCES];
  if (expected && metric[expected])
    for (const name of Object.values(SOURCES))
      if (metric[name] && name !== expected) errors.push(forbidden(`${path}.${name}`, 'must populate the given metric source only'));
  if (expected && !metric[expected]) errors.push(required(`${path}.${expected}`, 'must populate information for the given metric source'));
  validateSources(errors, path, metric);
}

function validateSources(errors: FieldError[], path: string, { resource, containerResource, pods, object, external }: MetricSpec): void {
  if (resource) {
    if (!resource.name) errors.push(required(`${path}.resource.name`, 'must specify a resource name'));
    resourceTarget(errors, `${path}.resource`, resource.target);
  }
  if (containerResource) {
    if (!containerResource.name) errors.push(required(`${path}.containerResource.name`, 'must specify a resource name'));
    if (!containerResource.container) errors.push(required(`${path}.containerResource.container`, 'must specify a container'));
    resourceTarget(errors, `${path}.containerResource`, containerResource.target);
  }
  if (pods) {
    metricName(errors, `${path}.pods.metric.name`, pods.metric?.name);
    metricTarget(errors, `${path}.pods.target`, pods.target);
    const average = pods.target?.averageValue;
    if (average === undefined || parseQuantity(average).nano <= 0n)
      errors.push(required(`${path}.pods.target.averageValue`, 'must specify a positive target averageValue'));
  }
  if (object) {
    objectReference(errors, `${path}.object.describedObject`, object.describedObject);
    metricName(errors, `${path}.object.metric.name`, object.metric?.name);
    metricTarget(errors, `${path}.object.target`, object.target);
    if (!object.target?.value && !object.target?.averageValue)
      errors.push(required(`${path}.object.target.averageValue`, 'must set either a target value or averageValue'));
  }
  if (external) {
    metricName(errors, `${path}.external.metric.name`, external.metric?.name);
    metricTarget(errors, `${path}.external.target`, external.target);
    if (!external.target?.value && !external.target?.averageValue)
      errors.push(required(`${path}.external.target.averageValue`, 'must set either a target value for metric or a per-pod target'));
    if (external.target?.value && external.target.averageValue)
      errors.push(forbidden(`${path}.external.target.value`, 'may not set both a target value for metric and a per-pod target'));
  }
}

function metricName(errors: FieldError[], path: string, name: string | undefined): void {
  if (!name) errors.push(required(path, 'must specify a metric name'));
  else report(errors, { path, value: name }, isValidPathSegmentName(name));
}

function resourceTarget(errors: FieldError[], path: string, target: MetricTarget | undefined): void {
  const at = `${path}.target`;
  metricTarget(errors, at, target);
  const { averageUtilization, averageValue } = target ?? {};
  if (averageUtilization === undefined && averageValue === undefined)
    errors.push(required(`${at}.averageUtilization`, 'must set either a target raw value or a target utilization'));
  if (averageUtilization !== undefined && averageValue !== undefined)
    errors.push(forbidden(`${at}.averageValue`, 'may not set both a target raw value and a target utilization'));
}

/** kubernetes pkg/apis/autoscaling/validation validateMetricTarget */
function metricTarget(errors: FieldError[], path: string, target: MetricTarget | undefined): void {
  const type = target?.type ?? '';
  if (!type) errors.push(required(`${path}.type`, 'must specify a metric target type'));
  if (type !== 'Utilization' && type !== 'Value' && type !== 'AverageValue')
    errors.push(invalid(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue'));
  for (const name of ['value', 'averageValue'] as const) {
    const amount = target?.[name];
    if (amount !== undefined && parseQuantity(amount).nano <= 0n) errors.push(invalid(`${path}.${name}`, amount, 'must be positive'));
  }
  if (target?.averageUtilization !== undefined && target.averageUtilization < 1)
    errors.push(invalid(`${path}.averageUtilization`, target.averageUtilization, 'must be greater than 0'));
}

/** kubernetes pkg/apis/autoscaling/validation validateScalingRules */
function validateRules(errors: FieldError[], path: string, rules: HPAScalingRules | undefined): void {
  if (!rules) return;
  const window = rules.stabilizationWindowSeconds;
  nonNegative(errors, `${path}.stabilizationWindowSeconds`, window);
  if (window !== undefined && window > MAX_WINDOW)
    errors.push(invalid(`${path}.stabilizationWindowSeconds`, window, `must be less than or equal to ${MAX_WINDOW}`));
  oneOf(errors, { path: `${path}.selectPolicy`, value: rules.selectPolicy }, ['Disabled', 'Max', 'Min']);
  if (!rules.policies?.length) errors.push(required(`${path}.policies`, 'must specify at least one Policy'));
  for (const [index, { type, value, periodSeconds }] of (rules.policies ?? []).entries()) {
    const at = `${path}.policies[${index}]`;
    if (type !== 'Pods' && type !== 'Percent') errors.push(notSupported(`${at}.type`, type, ['Percent', 'Pods']));
    if (value <= 0) errors.push(invalid(`${at}.value`, value, 'must be greater than zero'));
    if (periodSeconds <= 0) errors.push(invalid(`${at}.periodSeconds`, periodSeconds, 'must be greater than zero'));
    if (periodSeconds > MAX_PERIOD)
      errors.push(invalid(`${at}.periodSeconds`, periodSeconds, `must be less than or equal to ${MAX_PERIOD}`));
  }
}
