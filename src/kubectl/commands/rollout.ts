import { deepEqual } from '../../api/deep-equal.ts';
import type { Deployment, ReplicaSet } from '../../api/kinds/apps-v1.ts';
import { labelSelectorAsSelector } from '../../api/label-selector.ts';
import { deployments, replicasets } from '../../api/resources.ts';
import { formatTime } from '../../api/time.ts';
import type { Command, CommandContext } from '../command.ts';
import { placeOf } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { kindName, namedObjects } from '../rest-mapper.ts';

const REVISION = 'deployment.kubernetes.io/revision';
const KEPT_ANNOTATIONS = [
  'kubectl.kubernetes.io/last-applied-configuration',
  REVISION,
  'deployment.kubernetes.io/revision-history',
  'deployment.kubernetes.io/desired-replicas',
  'deployment.kubernetes.io/max-replicas',
  'deprecated.deployment.rollback.to',
];

type Action = (context: CommandContext, deployment: Deployment) => Promise<void>;

const ACTIONS: Readonly<Record<string, Action>> = {
  restart,
  undo,
  pause: (context, deployment) => setPaused(context, deployment, true),
  resume: (context, deployment) => setPaused(context, deployment, false),
  status,
};

/** kubectl rollout restart|undo|pause|resume|status, for Deployments. */
export const rollout: Command = {
  flags: { 'to-revision': { type: 'string' }, watch: { type: 'boolean', short: 'w' } },
  async run(context) {
    const [verb = '', ...words] = context.args;
    const action = Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb] : undefined;
    if (!action) throw new KubectlError(`error: rollout ${verb} is not offered here; offered: ${Object.keys(ACTIONS).join(', ')}`);
    for (const { resource, name } of await namedObjects(context.client, words)) {
      if (name === undefined) throw new KubectlError('error: resource(s) were provided, but no name was specified');
      if (resource.kind !== 'Deployment')
        throw new KubectlError(`error: rollout of ${resource.resource} is not offered here; of deployments it is`);
      await action(context, await context.client.resource(deployments).get(placeOf(context, resource, name)));
    }
  },
};

const at = (deployment: Deployment) => ({ namespace: deployment.metadata.namespace, name: deployment.metadata.name ?? '' });
const label = (deployment: Deployment): string => `${kindName(deployments)}/${deployment.metadata.name}`;

async function restart(context: CommandContext, deployment: Deployment): Promise<void> {
  if (deployment.spec?.paused)
    throw new KubectlError(
      `error: deployments.apps "${deployment.metadata.name}" can't restart paused deployment (run rollout resume first)`,
    );
  const restartedAt = formatTime(context.client.actor.simulation.wallTime);
  const patch = { spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': restartedAt } } } } };
  await context.client.resource(deployments).patch(at(deployment), patch, { type: 'strategic', fieldManager: 'kubectl-rollout' });
  context.out(`${label(deployment)} restarted`);
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
  if (deployment.spec?.paused)
    throw new KubectlError(`error: you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again`);
  const target = await findRevision(context, deployment);
  const template = withoutHash(target);
  if (deepEqual(template, deployment.spec?.template))
    return context.out(`${label(deployment)} skipped rollback (current template already matches revision ${revisionOf(target)})`);
  const own = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => KEPT_ANNOTATIONS.includes(key));
  const theirs = Object.entries(target.metadata.annotations ?? {}).filter(([key]) => !KEPT_ANNOTATIONS.includes(key));
  const patch = [
    { op: 'replace', path: '/spec/template', value: template },
    { op: 'replace', path: '/metadata/annotations', value: Object.fromEntries([...own, ...theirs]) },
  ];
  await context.client.resource(deployments).patch(at(deployment), patch, { type: 'json', fieldManager: 'kubectl-rollout' });
  context.out(`${label(deployment)} rolled back`);
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

const STATUS_POLL_MS = 1_000;

/** Prints each new text, until the rollout is done or has failed. */
async function status(context: CommandContext, deployment: Deployment): Promise<void> {
  let last = '';
  for (let current = deployment; ; current = await context.client.resource(deployments).get(at(deployment))) {
    const { text, done } = rolloutStatus(current);
    if (text !== last) context.out(text);
    last = text;
    if (done || !context.flags.boolean('watch', true)) return;
    await context.sleep(STATUS_POLL_MS);
  }
}

/** kubectl polymorphichelpers DeploymentStatusViewer.Status */
function rolloutStatus(deployment: Deployment): { text: string; done: boolean } {
  const { name, generation = 0 } = deployment.metadata;
  const { observedGeneration = 0, updatedReplicas = 0, replicas = 0, availableReplicas = 0, conditions = [] } = deployment.status ?? {};
  const wanted = deployment.spec?.replicas ?? 1;
  const waiting = (rest: string) => ({ text: `Waiting for deployment "${name}" rollout to finish: ${rest}`, done: false });
  if (generation > observedGeneration) return { text: 'Waiting for deployment spec update to be observed...', done: false };
  if (conditions.some((condition) => condition.type === 'Progressing' && condition.reason === 'ProgressDeadlineExceeded')) {
    throw new KubectlError(`error: deployment "${name}" exceeded its progress deadline`);
  }
  if (updatedReplicas < wanted) return waiting(`${updatedReplicas} out of ${wanted} new replicas have been updated...`);
  if (replicas > updatedReplicas) return waiting(`${replicas - updatedReplicas} old replicas are pending termination...`);
  if (availableReplicas < updatedReplicas) return waiting(`${availableReplicas} of ${updatedReplicas} updated replicas are available...`);
  return { text: `deployment "${name}" successfully rolled out`, done: true };
}
