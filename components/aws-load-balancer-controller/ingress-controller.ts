import { produce } from 'immer';
import { deepEqual } from '../../src/api/deep-equal.ts';
import type { Ingress, IngressClass } from '../../src/api/kinds/networking-v1.ts';
import type { KubernetesObject } from '../../src/api/object.ts';
import { ingressclasses, ingresses, services } from '../../src/api/resources.ts';
import type { AwsClient } from '../../src/client/aws-client.ts';
import type { CachedReader } from '../../src/client/cached-reader.ts';
import { type Controller, defineController, type ReconcileContext, watching } from '../../src/client/controller-runtime.ts';
import { addFinalizer, containsFinalizer, removeFinalizer } from '../../src/client/finalizers.ts';
import { annotationsChanged, anyOf } from '../../src/client/predicates.ts';
import { TerminalError } from '../../src/client/terminal-error.ts';
import { type IngressClassParams, ingressclassparams } from './api.ts';
import { Deployer, isRefusal } from './deployer.ts';
import { type Group, type GroupId, GroupProblem, groupFinalizer, groupOf, loadGroup, namedGroupsOf } from './ingress-group.ts';
import { ingressModel } from './ingress-model.ts';
import { BuildProblem, type Model } from './model.ts';
import { specChanged } from './spec-changed.ts';

/** One load balancer for each group of Ingresses; a request names a group. controllers/ingress groupReconciler */
export function ingressController(aws: AwsClient): Controller {
  const when = anyOf<Ingress>(specChanged, annotationsChanged);
  return defineController<Ingress>({
    name: 'ingress',
    for: ingresses,
    when,
    watches: [
      watching(ingresses, namedGroupsOf, when),
      watching(
        services,
        async (service, reader) => groupsOf(await ingressesOf(service, reader), reader),
        ({ metadata, spec }, before) => before === undefined || metadata.deletionTimestamp !== undefined || spec !== before.spec,
      ),
      watching(ingressclasses, (ingressClass, reader) => groupsOfClasses([ingressClass], reader), specChanged),
      watching(ingressclassparams, async (params, reader) => groupsOfClasses(await classesWith(params, reader), reader), specChanged),
    ],
    maxConcurrentReconciles: 3,
    reconcile: async (id, context) => {
      if (id.namespace) await tellWhatIsWrong(id, context);
      await reconcileGroup(await loadGroup(id, context.reader), { ...context, deployer: new Deployer(aws, context.client) });
    },
  });
}

type Work = ReconcileContext & { readonly deployer: Deployer };

/** enqueueRequestsForIngressEvent enqueueIfBelongsToGroup: an Ingress that belongs nowhere is told so. */
async function tellWhatIsWrong(id: GroupId, { reader, recorder }: ReconcileContext): Promise<void> {
  const ingress = await reader.get(ingresses, id);
  try {
    if (ingress) await groupOf(ingress, reader);
  } catch (error) {
    if (!ingress || !(error instanceof GroupProblem)) throw error;
    recorder.event(ingress, 'Warning', 'FailedLoadGroupID', `failed load groupID due to ${error.message}`);
  }
}

/** groupReconciler reconcile: finalizers, AWS, status; what has left the group is let go at the end. */
async function reconcileGroup(group: Group, work: Work): Promise<void> {
  const { client } = work;
  const finalizer = groupFinalizer(group.id);
  if (group.members.length + group.inactive.length === 0) return;
  const members: Ingress[] = [];
  for (const { ingress } of group.members)
    members.push(
      containsFinalizer(ingress, finalizer)
        ? ingress
        : await client.resource(ingresses).update(produce(ingress, (draft) => void addFinalizer(draft, finalizer))),
    );
  const hostname = await deploy(group, members, work);
  for (const ingress of members) if (hostname !== undefined) await updateStatus(ingress, hostname, work);
  for (const ingress of group.inactive)
    await client.resource(ingresses).update(produce(ingress, (draft) => void removeFinalizer(draft, finalizer)));
  for (const ingress of members) work.recorder.event(ingress, 'Normal', 'SuccessfullyReconciled', 'Successfully reconciled');
}

/** groupReconciler buildAndDeployModel @returns by what name the load balancer is reached, if there is one */
async function deploy(group: Group, members: readonly Ingress[], { deployer, reader, recorder }: Work): Promise<string | undefined> {
  const tell = (reason: string, message: string): void => {
    for (const ingress of members) recorder.event(ingress, 'Warning', reason, message);
  };
  let model: Model | undefined;
  try {
    const all = await reader.list(services);
    const serviceOf = (namespace: string, name: string) =>
      all.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);
    model = group.members.length > 0 ? ingressModel({ ...group, serviceOf }) : undefined;
  } catch (error) {
    if (!(error instanceof BuildProblem)) throw error;
    tell('FailedBuildModel', `Failed build model due to ${error.message}`);
    // It is looked at again when something of it changes.
    throw new TerminalError(error.message);
  }
  try {
    if (model) return await deployer.deploy(model);
    await deployer.destroy({ stack: { prefix: 'ingress.k8s.aws', ...group.id } });
    return undefined;
  } catch (error) {
    if (isRefusal(error)) tell('FailedDeployModel', `Failed deploy model due to ${error.message}`);
    throw error;
  }
}

async function updateStatus({ metadata, status }: Ingress, hostname: string, { client }: Work): Promise<void> {
  const loadBalancer = { ingress: [{ hostname }] };
  if (deepEqual(status?.loadBalancer, loadBalancer)) return;
  const { namespace, name = '' } = metadata;
  await client.resource(ingresses).patch({ namespace, name }, { status: { loadBalancer } }, { type: 'merge', subresource: 'status' });
}

/** The groups of Ingresses: each is one of its own as well. */
async function groupsOf(all: readonly Ingress[], reader: CachedReader): Promise<GroupId[]> {
  const named = await Promise.all(all.map((ingress) => namedGroupsOf(ingress, reader)));
  return [...all.map(({ metadata: { namespace = '', name = '' } }) => ({ namespace, name })), ...named.flat()];
}

/** Ingresses that lead to a Service. */
async function ingressesOf({ metadata: { namespace = '', name } }: KubernetesObject, reader: CachedReader): Promise<Ingress[]> {
  const all = await reader.list(ingresses, { namespace });
  const leadsThere = ({ spec }: Ingress): boolean =>
    spec?.defaultBackend?.service?.name === name ||
    (spec?.rules ?? []).some(({ http }) => http?.paths.some(({ backend }) => backend.service?.name === name) ?? false);
  return all.filter(leadsThere);
}

async function classesWith({ metadata }: IngressClassParams, reader: CachedReader): Promise<IngressClass[]> {
  const all = await reader.list(ingressclasses);
  return all.filter(({ spec }) => spec?.parameters?.kind === ingressclassparams.kind && spec.parameters.name === metadata.name);
}

async function groupsOfClasses(classes: readonly IngressClass[], reader: CachedReader): Promise<GroupId[]> {
  const names = new Set(classes.map(({ metadata }) => metadata.name));
  const all = await reader.list(ingresses);
  return groupsOf(
    all.filter(({ spec }) => names.has(spec?.ingressClassName)),
    reader,
  );
}
