import { produce } from 'immer';
import { setStatusCondition } from '../../api/conditions.ts';
import { deepEqual } from '../../api/deep-equal.ts';
import type { Deployment } from '../../api/kinds/apps-v1.ts';
import { deployments } from '../../api/resources.ts';
import { ApiStatusError } from '../../api/status-error.ts';
import { formatMicroTime } from '../../api/time.ts';
import { setControllerReference } from '../../client/controller-reference.ts';
import { defineController, type ReconcileContext, type ReconcileRequest } from '../../client/controller-runtime.ts';
import { createOrUpdate } from '../../client/create-or-update.ts';
import { type Website, websites } from './website.ts';

/*
 * Three releases of one controller, for the lesson on what makes a good one. The first two are not to be copied.
 */

/** Writes down when it looked last. That is a change, which it sees, so it looks again: without end. */
export const websiteV1 = defineController<Website>({
  name: 'website-v1',
  for: websites,
  owns: [deployments],
  reconcile: async (request, context) => {
    const website = await wanted(request, context);
    if (!website) return;
    await ensureDeployment(website, request, context);
    const status = { phase: 'Ready', lastChecked: formatMicroTime(context.actor.simulation.wallTime) };
    await context.client.resource(websites).patch(request, { status }, { type: 'merge', subresource: 'status' });
  },
});

/** Takes a Website with a status for one that is done: what changes later is never looked at. */
export const websiteV2 = defineController<Website>({
  name: 'website-v2',
  for: websites,
  owns: [deployments],
  reconcile: async (request, context) => {
    const website = await wanted(request, context);
    if (!website || website.status?.phase) return;
    await ensureDeployment(website, request, context);
    await context.client.resource(websites).patch(request, { status: { phase: 'Ready' } }, { type: 'merge', subresource: 'status' });
  },
});

/** Compares, writes what differs, says which spec it speaks of and why something does not work, and lets errors go on to the queue. */
export const websiteV3 = defineController<Website>({
  name: 'website-v3',
  for: websites,
  owns: [deployments],
  reconcile: async (request, context) => {
    const website = await wanted(request, context);
    if (!website) return;
    try {
      const deployment = await ensureDeployment(website, request, context);
      const isReady = (deployment.status?.readyReplicas ?? 0) >= website.spec.replicas;
      await report(website, isReady ? ['True', 'AllReplicasReady', ''] : ['False', 'Progressing', ''], context);
    } catch (error) {
      if (error instanceof ApiStatusError && error.status.code === 403)
        await report(website, ['False', 'DeploymentRefused', error.message], context);
      throw error;
    }
  },
});

async function wanted(request: ReconcileRequest, { reader }: ReconcileContext): Promise<Website | undefined> {
  const website = await reader.get(websites, request);
  return website?.metadata.deletionTimestamp ? undefined : website;
}

async function ensureDeployment(website: Website, request: ReconcileRequest, { client }: ReconcileContext): Promise<Deployment> {
  const labels = { website: request.name };
  const { object } = await createOrUpdate(
    { client, resource: deployments, wanted: { metadata: { ...request } } as Deployment },
    (draft) => {
      const before = draft.spec?.template.spec;
      const containers = [{ ...before?.containers[0], name: 'nginx', image: 'nginx:1.27' }];
      draft.spec = {
        ...draft.spec,
        replicas: website.spec.replicas,
        selector: { matchLabels: labels },
        template: { ...draft.spec?.template, metadata: { labels }, spec: { ...before, containers } },
      };
      setControllerReference(website, draft);
    },
  );
  return object;
}

async function report(website: Website, condition: readonly [string, string, string], { client, actor }: ReconcileContext): Promise<void> {
  const [status, reason, message] = condition;
  const { namespace = '', name = '', generation: observedGeneration = 0 } = website.metadata;
  const conditions = produce([...(website.status?.conditions ?? [])], (draft) => {
    setStatusCondition(draft, { type: 'Ready', status, reason, message, observedGeneration }, actor.simulation.wallTime);
  });
  const next = { phase: status === 'True' ? 'Ready' : 'Pending', observedGeneration, conditions };
  if (deepEqual(website.status, next)) return;
  const changed = { ...next, lastChecked: null };
  await client.resource(websites).patch({ namespace, name }, { status: changed }, { type: 'merge', subresource: 'status' });
}
