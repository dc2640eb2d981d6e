import { humanDuration } from '../../../src/api/human-duration.ts';
import type { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../../../src/api/kinds/apps-v1.ts';
import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus } from '../../../src/api/kinds/autoscaling-v2.ts';
import type { CronJob, Job } from '../../../src/api/kinds/batch-v1.ts';
import type { PodTemplate, ReplicationController } from '../../../src/api/kinds/core-v1.ts';
import type { PodDisruptionBudget } from '../../../src/api/kinds/policy-v1.ts';
import { labelSelectorAsSelector } from '../../../src/api/label-selector.ts';
import { getControllerOf } from '../../../src/api/meta.ts';
import { parseTime } from '../../../src/api/time.ts';
import { age, type Cell, containersCells, labelsText, NONE, nameOf, selectorText, since, UNSET } from './cell.ts';

/** pkg/printers/internalversion.printDeployment */
export function printDeployment(object: Deployment, now: number): Cell[] {
  const { spec, status } = object;
  const containers = containersCells(spec?.template.spec?.containers);
  const counts = [status?.updatedReplicas ?? 0, status?.availableReplicas ?? 0];
  const selector = labelSelectorAsSelector(spec?.selector).toString();
  return [nameOf(object), `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`, ...counts, age(object, now), ...containers, selector];
}

export function printReplicaSet(object: ReplicaSet, now: number): Cell[] {
  const { spec, status } = object;
  const counts = [spec?.replicas ?? 0, status?.replicas ?? 0, status?.readyReplicas ?? 0];
  return [nameOf(object), ...counts, age(object, now), ...containersCells(spec?.template?.spec?.containers), selectorText(spec?.selector)];
}

export function printReplicationController(object: ReplicationController, now: number): Cell[] {
  const { spec, status } = object;
  const counts = [spec?.replicas ?? 0, status?.replicas ?? 0, status?.readyReplicas ?? 0];
  return [nameOf(object), ...counts, age(object, now), ...containersCells(spec?.template?.spec?.containers), labelsText(spec?.selector)];
}

export function printDaemonSet(object: DaemonSet, now: number): Cell[] {
  const { spec, status } = object;
  const counts = [
    status?.desiredNumberScheduled ?? 0,
    status?.currentNumberScheduled ?? 0,
    status?.numberReady ?? 0,
    status?.updatedNumberScheduled ?? 0,
    status?.numberAvailable ?? 0,
  ];
  const template = spec?.template.spec;
  return [
    nameOf(object),
    ...counts,
    labelsText(template?.nodeSelector),
    age(object, now),
    ...containersCells(template?.containers),
    selectorText(spec?.selector),
  ];
}

export function printStatefulSet(object: StatefulSet, now: number): Cell[] {
  const { spec, status } = object;
  return [
    nameOf(object),
    `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    age(object, now),
    ...containersCells(spec?.template.spec?.containers),
  ];
}

/** pkg/printers/internalversion.printJob */
export function printJob(object: Job, now: number): Cell[] {
  const { spec, status } = object;
  const succeeded = status?.succeeded ?? 0;
  const parallel = (spec?.parallelism ?? 0) > 1 ? `${succeeded}/1 of ${spec?.parallelism}` : `${succeeded}/1`;
  const completions = spec?.completions === undefined ? parallel : `${succeeded}/${spec.completions}`;
  const start = parseTime(status?.startTime);
  const end = parseTime(status?.completionTime);
  const duration = start === undefined ? '' : humanDuration((end ?? now) - start);
  return [
    nameOf(object),
    jobStatus(object),
    completions,
    duration,
    age(object, now),
    ...containersCells(spec?.template.spec?.containers),
    selectorText(spec?.selector),
  ];
}

function jobStatus({ metadata, status }: Job): string {
  const has = (wanted: string): boolean =>
    status?.conditions?.some(({ type, status: value }) => type === wanted && value === 'True') ?? false;
  if (has('Complete')) return 'Complete';
  if (has('Failed')) return 'Failed';
  if (metadata.deletionTimestamp) return 'Terminating';
  if (has('Suspended')) return 'Suspended';
  if (has('FailureTarget')) return 'FailureTarget';
  return has('SuccessCriteriaMet') ? 'SuccessCriteriaMet' : 'Running';
}

export function printCronJob(object: CronJob, now: number): Cell[] {
  const { spec, status } = object;
  const suspend = spec?.suspend === undefined ? UNSET : spec.suspend ? 'True' : 'False';
  const last = status?.lastScheduleTime ? since(status.lastScheduleTime, now) : NONE;
  const template = spec?.jobTemplate.spec;
  const head = [nameOf(object), spec?.schedule ?? '', spec?.timeZone ?? NONE, suspend, status?.active?.length ?? 0, last, age(object, now)];
  return [...head, ...containersCells(template?.template.spec?.containers), selectorText(template?.selector)];
}

export function printPodTemplate(object: PodTemplate): Cell[] {
  return [nameOf(object), ...containersCells(object.template?.spec?.containers), labelsText(object.template?.metadata?.labels)];
}

export function printControllerRevision(object: ControllerRevision, now: number): Cell[] {
  const owner = getControllerOf(object);
  const [group = '', version] = (owner?.apiVersion ?? '').split('/');
  const controller = owner ? `${owner.kind.toLowerCase()}${version === undefined ? '' : `.${group}`}/${owner.name}` : NONE;
  return [nameOf(object), controller, object.revision, age(object, now)];
}

export function printPodDisruptionBudget(object: PodDisruptionBudget, now: number): Cell[] {
  const { spec, status } = object;
  const bound = (value: string | number | undefined): string => (value === undefined ? 'N/A' : String(value));
  return [nameOf(object), bound(spec?.minAvailable), bound(spec?.maxUnavailable), status?.disruptionsAllowed ?? 0, age(object, now)];
}

/** pkg/printers/internalversion.printHorizontalPodAutoscaler */
export function printHorizontalPodAutoscaler(object: HorizontalPodAutoscaler, now: number): Cell[] {
  const { spec, status } = object;
  const { kind = '', name = '' } = spec?.scaleTargetRef ?? {};
  const targets = metricsText(spec?.metrics ?? [], status?.currentMetrics ?? []);
  const min = spec?.minReplicas === undefined ? UNSET : String(spec.minReplicas);
  return [nameOf(object), `${kind}/${name}`, targets, min, spec?.maxReplicas ?? 0, status?.currentReplicas ?? 0, age(object, now)];
}

const MAX_METRICS = 2;

function metricsText(metrics: readonly MetricSpec[], current: readonly MetricStatus[]): string {
  if (metrics.length === 0) return NONE;
  const texts = metrics.slice(0, MAX_METRICS).map((metric, index) => metricText(metric, current[index]));
  const more = metrics.length - texts.length;
  return texts.join(', ') + (more > 0 ? ` + ${more} more...` : '');
}

function metricText(metric: MetricSpec, current: MetricStatus | undefined): string {
  const target =
    metric.resource?.target ?? metric.containerResource?.target ?? metric.pods?.target ?? metric.object?.target ?? metric.external?.target;
  const value =
    current?.resource?.current ??
    current?.containerResource?.current ??
    current?.pods?.current ??
    current?.object?.current ??
    current?.external?.current;
  const name = metric.resource?.name ?? metric.containerResource?.name;
  const prefix = name ? `${name}: ` : '';
  if (target?.averageUtilization !== undefined)
    return `${prefix}${value?.averageUtilization ?? '<unknown>'}${value?.averageUtilization === undefined ? '' : '%'}/${target.averageUtilization}%`;
  if (target?.averageValue !== undefined)
    return `${prefix}${value?.averageValue ?? '<unknown>'}/${target.averageValue}${name || metric.pods ? '' : ' (avg)'}`;
  return `${prefix}${value?.value ?? '<unknown>'}/${target?.value ?? '<auto>'}`;
}
