import type {
  HorizontalPodAutoscaler,
  HPAScalingRules,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from '../../api/kinds/autoscaling-v2.ts';
import type { CommandContext } from '../command.ts';
import { describeHead } from './config.ts';
import { type DescribeWriter, longTime } from './describe-writer.ts';
import { describeEvents } from './events.ts';

/** kubectl pkg/describe HorizontalPodAutoscalerDescriber */
export async function describeAutoscaler(
  context: CommandContext,
  writer: DescribeWriter,
  autoscaler: HorizontalPodAutoscaler,
): Promise<void> {
  const { metadata, spec, status } = autoscaler;
  describeHead(writer, autoscaler);
  writer.field(0, 'CreationTimestamp', longTime(metadata.creationTimestamp));
  writer.field(0, 'Reference', `${spec?.scaleTargetRef.kind}/${spec?.scaleTargetRef.name}`);
  writer.line(0, 'Metrics:\t( current / target )');
  for (const [index, metric] of (spec?.metrics ?? []).entries()) writer.line(1, metricLine(metric, status?.currentMetrics?.[index]));
  writer.field(0, 'Min replicas', spec?.minReplicas ?? '<unset>');
  writer.field(0, 'Max replicas', spec?.maxReplicas);
  if (spec?.behavior) {
    writer.line(0, 'Behavior:');
    describeRules(writer, 'Scale Up', spec.behavior.scaleUp);
    describeRules(writer, 'Scale Down', spec.behavior.scaleDown);
  }
  writer.field(0, `${spec?.scaleTargetRef.kind} pods`, `${status?.currentReplicas ?? 0} current / ${status?.desiredReplicas ?? 0} desired`);
  if (status?.conditions?.length) {
    writer.line(0, 'Conditions:\n  Type\tStatus\tReason\tMessage\n  ----\t------\t------\t-------');
    for (const each of status.conditions) writer.line(1, `${each.type}\t${each.status}\t${each.reason}\t${each.message}`);
  }
  await describeEvents(context, writer, autoscaler);
}

function metricLine({ type, resource, containerResource, pods, object, external }: MetricSpec, status: MetricStatus | undefined): string {
  if (type === 'Resource' && resource)
    return `resource ${resource.name} on pods${resourceAmounts(resource.target, status?.resource?.current)}`;
  if (type === 'ContainerResource' && containerResource) {
    const { name, container, target } = containerResource;
    return `resource ${name} of container "${container}" on pods${resourceAmounts(target, status?.containerResource?.current)}`;
  }
  if (type === 'Pods' && pods)
    return `"${pods.metric.name}" on pods:\t${status?.pods?.current.averageValue ?? '<unknown>'} / ${pods.target.averageValue}`;
  if (type === 'Object' && object) {
    const { metric, describedObject, target } = object;
    return `"${metric.name}" on ${describedObject.kind}/${describedObject.name} ${valueAmounts(target, status?.object?.current)}`;
  }
  if (type === 'External' && external) return `"${external.metric.name}" ${valueAmounts(external.target, status?.external?.current)}`;
  return `<unknown metric type "${type}">`;
}

function resourceAmounts({ averageUtilization, averageValue }: MetricTarget, now: MetricValueStatus | undefined): string {
  if (averageValue !== undefined) return `:\t${now?.averageValue ?? '<unknown>'} / ${averageValue}`;
  const current = now?.averageUtilization === undefined ? '<unknown>' : `${now.averageUtilization}% (${now.averageValue})`;
  const target = averageUtilization === undefined ? '<auto>' : `${averageUtilization}%`;
  return `  (as a percentage of request):\t${current} / ${target}`;
}

function valueAmounts({ type, averageValue, value }: MetricTarget, now: MetricValueStatus | undefined): string {
  return type === 'AverageValue'
    ? `(target average value):\t${now?.averageValue ?? '<unknown>'} / ${averageValue}`
    : `(target value):\t${now?.value ?? '<unknown>'} / ${value}`;
}

/** printDirectionScalingBehavior */
function describeRules(writer: DescribeWriter, label: string, rules: HPAScalingRules | undefined): void {
  if (!rules) return;
  writer.line(1, `${label}:`);
  if (rules.stabilizationWindowSeconds !== undefined) writer.line(2, `Stabilization Window: ${rules.stabilizationWindowSeconds} seconds`);
  if (!rules.policies?.length) return;
  writer.line(2, `Select Policy: ${rules.selectPolicy ?? 'Max'}`);
  writer.line(2, 'Policies:');
  for (const { type, value, periodSeconds } of rules.policies)
    writer.line(3, `- Type: ${type}\tValue: ${value}\tPeriod: ${periodSeconds} seconds`);
}
