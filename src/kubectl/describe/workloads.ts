import { deepEqual } from '../../api/deep-equal.ts';
import { humanDuration } from '../../api/human-duration.ts';
import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../../api/kinds/apps-v1.ts';
import type { CronJob, Job } from '../../api/kinds/batch-v1.ts';
import type { PodTemplateSpec } from '../../api/kinds/core-v1.ts';
import type { LabelSelector } from '../../api/kinds/meta-v1.ts';
import { labelSelectorAsSelector } from '../../api/label-selector.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { pods, replicasets } from '../../api/resources.ts';
import { formatDuration, parseTime } from '../../api/time.ts';
import type { CommandContext } from '../command.ts';
import { type DescribeWriter, longTime } from './describe-writer.ts';
import { describeEvents } from './events.ts';
import { describePodTemplate } from './pod.ts';

const selectorText = (selector: LabelSelector | undefined): string => labelSelectorAsSelector(selector).toString() || '<unset>';

function head(writer: DescribeWriter, { metadata }: KubernetesObject): void {
  writer.field(0, 'Name', metadata.name);
  writer.field(0, 'Namespace', metadata.namespace);
}

function controlledBy(writer: DescribeWriter, { metadata }: KubernetesObject): void {
  const owner = metadata.ownerReferences?.find((each) => each.controller);
  if (owner) writer.field(0, 'Controlled By', `${owner.kind}/${owner.name}`);
}

/** kubectl pkg/describe DeploymentDescriber */
export async function describeDeployment(context: CommandContext, writer: DescribeWriter, deployment: Deployment): Promise<void> {
  const { metadata, spec, status = {} } = deployment;
  head(writer, deployment);
  writer.field(0, 'CreationTimestamp', longTime(metadata.creationTimestamp));
  writer.map(0, 'Labels', metadata.labels);
  writer.annotations(0, 'Annotations', metadata.annotations);
  writer.field(0, 'Selector', selectorText(spec?.selector));
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0, unavailableReplicas = 0 } = status;
  writer.field(
    0,
    'Replicas',
    `${spec?.replicas ?? 1} desired | ${updatedReplicas} updated | ${replicas} total | ${availableReplicas} available | ${unavailableReplicas} unavailable`,
  );
  writer.field(0, 'StrategyType', spec?.strategy?.type);
  writer.field(0, 'MinReadySeconds', spec?.minReadySeconds ?? 0);
  const rolling = spec?.strategy?.rollingUpdate;
  if (rolling) writer.field(0, 'RollingUpdateStrategy', `${rolling.maxUnavailable} max unavailable, ${rolling.maxSurge} max surge`);
  describePodTemplate(writer, spec?.template);
  describeConditions(writer, status.conditions);
  const { oldSets, newSet } = await replicaSetsOf(context, deployment);
  writer.field(0, 'OldReplicaSets', oldSets.map(replicaSetText).join(', ') || '<none>');
  writer.field(0, 'NewReplicaSet', newSet ? replicaSetText(newSet) : '<none>');
  await describeEvents(context, writer, deployment);
}

function describeConditions(
  writer: DescribeWriter,
  conditions: readonly { type: string; status: string; reason?: string }[] | undefined,
): void {
  if (!conditions?.length) return;
  writer.line(0, 'Conditions:\n  Type\tStatus\tReason\n  ----\t------\t------');
  for (const { type, status, reason = '' } of conditions) writer.line(1, `${type} \t${status}\t${reason}`);
}

function replicaSetText({ metadata, spec, status }: ReplicaSet): string {
  return `${metadata.name} (${status?.replicas ?? 0}/${spec?.replicas ?? 0} replicas created)`;
}

async function replicaSetsOf(
  context: CommandContext,
  deployment: Deployment,
): Promise<{ oldSets: ReplicaSet[]; newSet: ReplicaSet | undefined }> {
  const { namespace, uid } = deployment.metadata;
  const { items } = await context.client.resource(replicasets).list({ namespace, labelSelector: selectorText(deployment.spec?.selector) });
  const own = items
    .filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.controller && owner.uid === uid))
    .sort((a, b) => ((a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? -1 : 1));
  const newSet = own.find(({ spec }) => deepEqual(withoutHash(spec?.template), withoutHash(deployment.spec?.template)));
  return { oldSets: own.filter((set) => set !== newSet), newSet };
}

function withoutHash(template: PodTemplateSpec | undefined): unknown {
  const { 'pod-template-hash': _, ...labels } = template?.metadata?.labels ?? {};
  return { ...template, metadata: { ...template?.metadata, labels } };
}

/** kubectl pkg/describe ReplicaSetDescriber */
export async function describeReplicaSet(context: CommandContext, writer: DescribeWriter, set: ReplicaSet): Promise<void> {
  head(writer, set);
  writer.field(0, 'Selector', selectorText(set.spec?.selector));
  writer.map(0, 'Labels', set.metadata.labels);
  writer.annotations(0, 'Annotations', set.metadata.annotations);
  controlledBy(writer, set);
  writer.field(0, 'Replicas', `${set.status?.replicas ?? 0} current / ${set.spec?.replicas ?? 1} desired`);
  await podsStatus(context, writer, { owner: set, selector: set.spec?.selector });
  describePodTemplate(writer, set.spec?.template);
  describeConditions(writer, set.status?.conditions);
  await describeEvents(context, writer, set);
}

async function podsStatus(
  context: CommandContext,
  writer: DescribeWriter,
  { owner, selector }: { owner: KubernetesObject; selector: LabelSelector | undefined },
): Promise<void> {
  const { namespace, uid } = owner.metadata;
  const { items } = await context.client.resource(pods).list({ namespace, labelSelector: selectorText(selector) });
  const own = items.filter(({ metadata }) => metadata.ownerReferences?.some((each) => each.controller && each.uid === uid));
  const count = (phase: string): number => own.filter(({ status }) => status?.phase === phase).length;
  writer.field(
    0,
    'Pods Status',
    `${count('Running')} Running / ${count('Pending')} Waiting / ${count('Succeeded')} Succeeded / ${count('Failed')} Failed`,
  );
}

/** kubectl pkg/describe DaemonSetDescriber */
export async function describeDaemonSet(context: CommandContext, writer: DescribeWriter, set: DaemonSet): Promise<void> {
  const { spec, status } = set;
  head(writer, set);
  writer.field(0, 'Selector', selectorText(spec?.selector));
  writer.map(0, 'Node-Selector', spec?.template?.spec?.nodeSelector);
  writer.map(0, 'Labels', set.metadata.labels);
  writer.annotations(0, 'Annotations', set.metadata.annotations);
  writer.line(0, `Desired Number of Nodes Scheduled: ${status?.desiredNumberScheduled ?? 0}`);
  writer.line(0, `Current Number of Nodes Scheduled: ${status?.currentNumberScheduled ?? 0}`);
  writer.line(0, `Number of Nodes Scheduled with Up-to-date Pods: ${status?.updatedNumberScheduled ?? 0}`);
  writer.line(0, `Number of Nodes Scheduled with Available Pods: ${status?.numberAvailable ?? 0}`);
  writer.line(0, `Number of Nodes Misscheduled: ${status?.numberMisscheduled ?? 0}`);
  await podsStatus(context, writer, { owner: set, selector: spec?.selector });
  describePodTemplate(writer, spec?.template);
  await describeEvents(context, writer, set);
}

/** kubectl pkg/describe StatefulSetDescriber */
export async function describeStatefulSet(context: CommandContext, writer: DescribeWriter, set: StatefulSet): Promise<void> {
  const { metadata, spec, status } = set;
  head(writer, set);
  writer.field(0, 'CreationTimestamp', longTime(metadata.creationTimestamp));
  writer.field(0, 'Selector', selectorText(spec?.selector));
  writer.map(0, 'Labels', metadata.labels);
  writer.annotations(0, 'Annotations', metadata.annotations);
  writer.field(0, 'Replicas', `${spec?.replicas ?? 1} desired | ${status?.replicas ?? 0} total`);
  writer.field(0, 'Update Strategy', spec?.updateStrategy?.type);
  const { partition, maxUnavailable } = spec?.updateStrategy?.rollingUpdate ?? {};
  if (partition !== undefined) writer.field(1, 'Partition', partition);
  if (maxUnavailable !== undefined) writer.field(1, 'MaxUnavailable', String(maxUnavailable));
  await podsStatus(context, writer, { owner: set, selector: spec?.selector });
  describePodTemplate(writer, spec?.template);
  describeVolumeClaims(writer, spec?.volumeClaimTemplates);
  await describeEvents(context, writer, set);
}

type Claims = NonNullable<StatefulSet['spec']>['volumeClaimTemplates'];

function describeVolumeClaims(writer: DescribeWriter, claims: Claims): void {
  if (!claims?.length) {
    writer.field(0, 'Volume Claims', '<none>');
    return;
  }
  writer.line(0, 'Volume Claims:');
  for (const { metadata, spec } of claims) {
    writer.field(1, 'Name', metadata.name);
    writer.field(1, 'StorageClass', spec?.storageClassName ?? '');
    writer.map(1, 'Labels', metadata.labels);
    writer.annotations(1, 'Annotations', metadata.annotations);
    writer.field(1, 'Capacity', spec?.resources?.requests?.['storage'] ?? '<default>');
    writer.field(1, 'Access Modes', `[${(spec?.accessModes ?? []).join(' ')}]`);
  }
}

/** kubectl pkg/describe JobDescriber */
export async function describeJob(context: CommandContext, writer: DescribeWriter, job: Job): Promise<void> {
  const { spec, status, metadata } = job;
  head(writer, job);
  writer.field(0, 'Selector', selectorText(spec?.selector));
  writer.map(0, 'Labels', metadata.labels);
  writer.annotations(0, 'Annotations', metadata.annotations);
  controlledBy(writer, job);
  if (spec?.parallelism !== undefined) writer.field(0, 'Parallelism', spec.parallelism);
  writer.field(0, 'Completions', spec?.completions ?? '<unset>');
  if (spec?.completionMode) writer.field(0, 'Completion Mode', spec.completionMode);
  if (spec?.suspend !== undefined) writer.field(0, 'Suspend', String(spec.suspend));
  if (spec?.backoffLimit !== undefined) writer.field(0, 'Backoff Limit', spec.backoffLimit);
  if (spec?.ttlSecondsAfterFinished !== undefined) writer.field(0, 'TTL Seconds After Finished', spec.ttlSecondsAfterFinished);
  if (status?.startTime) writer.field(0, 'Start Time', longTime(status.startTime));
  if (status?.completionTime) writer.field(0, 'Completed At', longTime(status.completionTime));
  const [start, end] = [status?.startTime, status?.completionTime].map((time) => (time ? parseTime(time) : undefined));
  if (start !== undefined && end !== undefined) writer.field(0, 'Duration', humanDuration(end - start));
  if (spec?.activeDeadlineSeconds !== undefined) writer.field(0, 'Active Deadline Seconds', `${spec.activeDeadlineSeconds}s`);
  writer.field(
    0,
    'Pods Statuses',
    `${status?.active ?? 0} Active (${status?.ready ?? 0} Ready) / ${status?.succeeded ?? 0} Succeeded / ${status?.failed ?? 0} Failed`,
  );
  if (spec?.completionMode === 'Indexed') writer.field(0, 'Completed Indexes', status?.completedIndexes || '<none>');
  describePodTemplate(writer, spec?.template);
  await describeEvents(context, writer, job);
}

/** kubectl pkg/describe CronJobDescriber */
export async function describeCronJob(context: CommandContext, writer: DescribeWriter, cronJob: CronJob): Promise<void> {
  const { spec, status, metadata } = cronJob;
  const job = spec?.jobTemplate.spec;
  head(writer, cronJob);
  writer.map(0, 'Labels', metadata.labels);
  writer.annotations(0, 'Annotations', metadata.annotations);
  writer.field(0, 'Schedule', spec?.schedule);
  writer.field(0, 'Concurrency Policy', spec?.concurrencyPolicy);
  writer.field(0, 'Suspend', spec?.suspend ? 'True' : 'False');
  writer.field(0, 'Successful Job History Limit', spec?.successfulJobsHistoryLimit ?? '<unset>');
  writer.field(0, 'Failed Job History Limit', spec?.failedJobsHistoryLimit ?? '<unset>');
  writer.field(
    0,
    'Starting Deadline Seconds',
    spec?.startingDeadlineSeconds === undefined ? '<unset>' : `${spec.startingDeadlineSeconds}s`,
  );
  writer.field(0, 'Selector', job?.selector ? selectorText(job.selector) : '<unset>');
  writer.field(0, 'Parallelism', job?.parallelism ?? '<unset>');
  writer.field(0, 'Completions', job?.completions ?? '<unset>');
  if (job?.activeDeadlineSeconds !== undefined)
    writer.field(0, 'Active Deadline Seconds', formatDuration(job.activeDeadlineSeconds * 1000));
  describePodTemplate(writer, job?.template);
  writer.field(0, 'Last Schedule Time', status?.lastScheduleTime ? longTime(status.lastScheduleTime) : '<unset>');
  writer.field(0, 'Active Jobs', (status?.active ?? []).map(({ name }) => name).join(', ') || '<none>');
  await describeEvents(context, writer, cronJob);
}
