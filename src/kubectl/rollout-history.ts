import type { ControllerRevision, DaemonSet, Deployment, StatefulSet } from '../api/kinds/apps-v1.ts';
import type { PodTemplateSpec } from '../api/kinds/core-v1.ts';
import { labelSelectorAsSelector } from '../api/label-selector.ts';
import type { Resource } from '../api/resource.ts';
import { controllerrevisions, daemonsets, replicasets, statefulsets } from '../api/resources.ts';
import type { CommandContext } from './command.ts';
import { DescribeWriter } from './describe/describe-writer.ts';
import { describePodTemplate } from './describe/pod.ts';
import { KubectlError } from './kubectl-error.ts';
import { dryRunNote, dryRunOf } from './make-object.ts';
import { tabulate } from './tab-writer.ts';

const REVISION = 'deployment.kubernetes.io/revision';
const CHANGE_CAUSE = 'kubernetes.io/change-cause';

interface Revision {
  readonly revision: number;
  readonly cause: string;
  readonly template: PodTemplateSpec | undefined;
  readonly source: ControllerRevision | undefined;
}

interface Target {
  readonly workload: Deployment | StatefulSet | DaemonSet;
  readonly label: string;
}

/** kubectl polymorphichelpers HistoryViewer.ViewHistory */
export async function printHistory(context: CommandContext, { workload, label }: Target): Promise<void> {
  const revisions = await revisionsOf(context, workload);
  const wanted = context.flags.number('revision') ?? 0;
  if (wanted) {
    const found = revisions.find(({ revision }) => revision === wanted);
    if (!found) throw new KubectlError('error: unable to find the specified revision');
    const writer = new DescribeWriter();
    describePodTemplate(writer, found.template);
    context.out(`${label} with revision #${wanted}`);
    // The tabs stay as they are: nobody sets this text in columns.
    context.out(writer.text);
    return;
  }
  const rows = revisions.map(({ revision, cause }) => `${revision}\t${cause || '<none>'}`);
  context.out(`${label} `);
  for (const line of tabulate(['REVISION\tCHANGE-CAUSE', ...rows].join('\n'))) context.out(line);
  context.out('');
}

async function revisionsOf(context: CommandContext, workload: Target['workload']): Promise<Revision[]> {
  const { namespace, uid } = workload.metadata;
  const list = { namespace, labelSelector: labelSelectorAsSelector(workload.spec?.selector).toString() };
  const owned = <T extends { metadata: Deployment['metadata'] }>(items: readonly T[]): T[] =>
    items.filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.controller && owner.uid === uid));
  const found =
    workload.kind === 'Deployment'
      ? owned((await context.client.resource(replicasets).list(list)).items).map(
          ({ metadata, spec }): Revision => ({
            revision: Number(metadata.annotations?.[REVISION] ?? 0),
            cause: metadata.annotations?.[CHANGE_CAUSE] ?? '',
            template: withCause(spec?.template, metadata.annotations?.[CHANGE_CAUSE]),
            source: undefined,
          }),
        )
      : owned((await context.client.resource(controllerrevisions).list(list)).items).map(
          (source): Revision => ({
            revision: source.revision,
            cause: source.metadata.annotations?.[CHANGE_CAUSE] ?? '',
            template: (source.data as { spec?: { template?: PodTemplateSpec } } | undefined)?.spec?.template,
            source,
          }),
        );
  return found.sort((a, b) => a.revision - b.revision);
}

/** A revision shows why it was made among the annotations of its template. */
function withCause(template: PodTemplateSpec | undefined, cause: string | undefined): PodTemplateSpec | undefined {
  if (!template || !cause) return template;
  const annotations = { ...template.metadata?.annotations, [CHANGE_CAUSE]: cause };
  return { ...template, metadata: { ...template.metadata, annotations } };
}

/** `rollout undo` of a StatefulSet or DaemonSet: its template as an older ControllerRevision has it. */
export async function undoRevision(context: CommandContext, { workload, label }: Target): Promise<void> {
  const revisions = await revisionsOf(context, workload);
  const wanted = context.flags.number('to-revision') ?? 0;
  if (!wanted && revisions.length < 2) throw new KubectlError('error: no last revision to roll back to');
  const found = wanted ? revisions.find(({ revision }) => revision === wanted) : revisions.at(-2);
  if (!found?.source) throw new KubectlError(`error: unable to find specified revision ${wanted} in history`);
  if (found === revisions.at(-1))
    return context.out(`${label} skipped rollback (current template already matches revision ${found.revision})`);
  const resource: Resource = workload.kind === 'DaemonSet' ? daemonsets : statefulsets;
  const at = { namespace: workload.metadata.namespace, name: workload.metadata.name ?? '' };
  const dryRun = dryRunOf(context);
  if (dryRun !== 'client')
    await context.client.resource(resource).patch(at, found.source.data, {
      type: 'strategic',
      fieldManager: 'kubectl-rollout',
      ...(dryRun === 'server' ? { dryRun: true } : {}),
    });
  context.out(`${label} rolled back${dryRunNote(context)}`);
}
