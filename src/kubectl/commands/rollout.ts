import { deepEqual } from '../../api/deep-equal.ts';
import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../../api/kinds/apps-v1.ts';
import { labelSelectorAsSelector } from '../../api/label-selector.ts';
import type { Resource } from '../../api/resource.ts';
import { daemonsets, deployments, replicasets, statefulsets } from '../../api/resources.ts';
import { formatTime } from '../../api/time.ts';
import { chosenObjects } from '../chosen-objects.ts';
import { type Command, type CommandContext, FILE_FLAGS, fileObjects, placeOf } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { dryRunNote, dryRunOf } from '../make-object.ts';
import { kindName } from '../rest-mapper.ts';
import { printHistory, undoRevision } from '../rollout-history.ts';
import { daemonSetStatus, deploymentStatus, type RolloutStatus, statefulSetStatus } from '../rollout-status.ts';
import { timeoutOf } from './wait.ts';

const REVISION = 'deployment.kubernetes.io/revision';
const KEPT_ANNOTATIONS = [
  'kubectl.kubernetes.io/last-applied-configuration',
  REVISION,
  'deployment.kubernetes.io/revision-history',
  'deployment.kubernetes.io/desired-replicas',
  'deployment.kubernetes.io/max-replicas',
  'deprecated.deployment.rollback.to',
];

type Workload = Deployment | StatefulSet | DaemonSet;
type Action<T extends Workload> = (context: CommandContext, workload: T) => Promise<void>;

/** What is offered for each kind. */
const ACTIONS: Readonly<Record<string, Readonly<Record<string, Action<never>>>>> = {
  Deployment: {
    restart,
    undo,
    history: (context, deployment: Deployment) => printHistory(context, { workload: deployment, label: label(deployment) }),
    pause: (context, deployment: Deployment) => setPaused(context, deployment, true),
    resume: (context, deployment: Deployment) => setPaused(context, deployment, false),
    status: (context, deployment: Deployment) => watchStatus(context, deployment, deploymentStatus),
  },
  StatefulSet: {
    restart,
    undo: (context, set: StatefulSet) => undoRevision(context, { workload: set, label: label(set) }),
    history: (context, set: StatefulSet) => printHistory(context, { workload: set, label: label(set) }),
    status: (context, statefulSet: StatefulSet) => watchStatus(context, statefulSet, statefulSetStatus),
  },
  DaemonSet: {
    restart,
    undo: (context, set: DaemonSet) => undoRevision(context, { workload: set, label: label(set) }),
    history: (context, set: DaemonSet) => printHistory(context, { workload: set, label: label(set) }),
    status: (context, daemonSet: DaemonSet) => watchStatus(context, daemonSet, daemonSetStatus),
  },
};
const STATUS_POLL_MS = 1_000;

/** kubectl rollout status|history|undo|restart of Deployments, StatefulSets and DaemonSets; pause|resume of Deployments. */
export const rollout: Command = {
  flags: {
    'to-revision': { type: 'string' },
    revision: { type: 'string' },
    timeout: { type: 'string' },
    watch: { type: 'boolean', short: 'w' },
    selector: { type: 'string', short: 'l' },
    'dry-run': { type: 'optional' },
    ...FILE_FLAGS,
  },
  async run(context) {
    const [verb = '', ...words] = context.args;
    const files = context.flags.list('filename').length ? await fileObjects(context) : undefined;
    if (!files && !words.length) throw new KubectlError('error: required resource not specified');
    const targets =
      files?.map(({ resource, object }) => ({ resource, name: object.metadata.name ?? '' })) ?? (await chosenObjects(context, words));
    for (const { resource, name } of targets) {
      const object = await context.client.resource(resource).get(placeOf(context, resource, name));
      const actions = ACTIONS[resource.kind] ?? {};
      const action = Object.hasOwn(actions, verb) ? actions[verb] : undefined;
      if (!action) throw new KubectlError(notFor(verb, resource, name));
      await action(context, object as never);
    }
  },
};

/** What is said where a kind knows no rollouts, or not this about them. */
function notFor(verb: string, { kind, group, resource, version }: Resource, name: string): string {
  const named = `${group ? `${resource}.${group}` : resource} "${name}"`;
  if (verb === 'history') return `error: error retrieving history for "${kind}", no visitor method exists for {${group} ${kind}}`;
  if (verb === 'undo') return `error: no rollbacker has been implemented for "${kind}"`;
  if (verb === 'status') return `error: no status viewer has been implemented for ${group}/${version}, Kind=${kind}`;
  const words: Readonly<Record<string, string>> = { restart: 'restarting', pause: 'pausing', resume: 'resuming' };
  return words[verb]
    ? `error: ${named} ${words[verb]} is not supported`
    : `error: unknown command ${JSON.stringify(verb)} for "kubectl rollout"`;
}

const serverDryRun = (context: CommandContext): { dryRun?: true } => (dryRunOf(context) === 'server' ? { dryRun: true } : {});

const at = ({ metadata }: Workload) => ({ namespace: metadata.namespace, name: metadata.name ?? '' });
const resourceOfWorkload = ({ kind }: Workload): Resource =>
  ([deployments, statefulsets, daemonsets] as readonly Resource[]).find((resource) => resource.kind === kind) ?? (deployments as Resource);
const label = (workload: Workload): string => `${kindName(resourceOfWorkload(workload))}/${workload.metadata.name}`;

async function restart(context: CommandContext, workload: Workload): Promise<void> {
  if (workload.spec && 'paused' in workload.spec && workload.spec.paused) {
    throw new KubectlError(
      `error: deployments.apps "${workload.metadata.name}" can't restart paused deployment (run rollout resume first)`,
    );
  }
  const restartedAt = formatTime(context.client.actor.simulation.wallTime);
  const patch = { spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': restartedAt } } } } };
  await context.client
    .resource(resourceOfWorkload(workload))
    .patch(at(workload), patch, { type: 'strategic', fieldManager: 'kubectl-rollout' });
  context.out(`${label(workload)} restarted`);
}

/** Prints each new text, until the rollout is done or has failed. */
async function watchStatus<T extends Workload>(
  context: CommandContext,
  workload: T,
  statusOf: (workload: T) => RolloutStatus,
): Promise<void> {
  let last = '';
  const limit = timeoutOf(context, 0);
  const until = limit > 0 ? context.client.actor.simulation.now + limit : undefined;
  for (let current = workload; ; current = (await context.client.resource(resourceOfWorkload(workload)).get(at(workload))) as T) {
    const { text, done } = statusOf(current);
    if (text !== last) context.out(text);
    last = text;
    if (done || !context.flags.boolean('watch', true)) return;
    if (until !== undefined && context.client.actor.simulation.now >= until)
      throw new KubectlError('error: timed out waiting for the condition');
    await context.sleep(STATUS_POLL_MS);
  }
}

async function setPaused(context: CommandContext, deployment: Deployment, paused: boolean): Promise<void> {
  if ((deployment.spec?.paused ?? false) === paused)
    throw new KubectlError(`error: deployments.apps "${deployment.metadata.name}" is ${paused ? 'already' : 'not'} paused`);
  await context.client
    .resource(deployments)
    .patch(at(deployment), { spec: { paused: paused || null } }, { type: 'strategic', fieldManager: 'kubectl-rollout' });
  context.out(`${label(deployment)} ${paused ? 'paused' : 'resumed'}`);
}

async function undo(context: CommandContext, deployment: Deployment): Promise<void> {
  const target = await findRevision(context, deployment);
  if (deployment.spec?.paused)
    throw new KubectlError(`error: you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again`);
  const template = withoutHash(target);
  if (deepEqual(template, deployment.spec?.template))
    return context.out(`${label(deployment)} skipped rollback (current template already matches revision ${revisionOf(target)})`);
  const own = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => KEPT_ANNOTATIONS.includes(key));
  const theirs = Object.entries(target.metadata.annotations ?? {}).filter(([key]) => !KEPT_ANNOTATIONS.includes(key));
  const patch = [
    { op: 'replace', path: '/spec/template', value: template },
    { op: 'replace', path: '/metadata/annotations', value: Object.fromEntries([...own, ...theirs]) },
  ];
  if (dryRunOf(context) !== 'client')
    await context.client
      .resource(deployments)
      .patch(at(deployment), patch, { type: 'json', fieldManager: 'kubectl-rollout', ...serverDryRun(context) });
  context.out(`${label(deployment)} rolled back${dryRunNote(context)}`);
}

async function findRevision(context: CommandContext, deployment: Deployment): Promise<ReplicaSet> {
  const selector = labelSelectorAsSelector(deployment.spec?.selector).toString();
  const { items } = await context.client.resource(replicasets).list({ namespace: deployment.metadata.namespace, labelSelector: selector });
  const owned = items.filter((replicaSet) =>
    replicaSet.metadata.ownerReferences?.some((owner) => owner.controller && owner.uid === deployment.metadata.uid),
  );
  const byRevision = owned.sort((a, b) => revisionOf(b) - revisionOf(a));
  const wanted = context.flags.number('to-revision') ?? 0;
  const target = wanted ? byRevision.find((replicaSet) => revisionOf(replicaSet) === wanted) : byRevision[1];
  if (target) return target;
  throw new KubectlError(
    wanted
      ? `error: unable to find specified revision ${wanted} in history`
      : `error: no rollout history found for deployment "${deployment.metadata.name}"`,
  );
}

function revisionOf(replicaSet: ReplicaSet): number {
  return Number(replicaSet.metadata.annotations?.[REVISION] ?? 0);
}

function withoutHash(replicaSet: ReplicaSet) {
  const template = replicaSet.spec?.template;
  const { 'pod-template-hash': _, ...labels } = template?.metadata?.labels ?? {};
  return { ...template, metadata: { ...template?.metadata, labels } };
}
