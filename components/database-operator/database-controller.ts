import { produce } from 'immer';
import { setStatusCondition } from '../../src/api/conditions.ts';
import { deepEqual } from '../../src/api/deep-equal.ts';
import type { StatefulSet } from '../../src/api/kinds/apps-v1.ts';
import { services, statefulsets } from '../../src/api/resources.ts';
import { setControllerReference } from '../../src/client/controller-reference.ts';
import { defineController, type ReconcileContext } from '../../src/client/controller-runtime.ts';
import { createOrUpdate } from '../../src/client/create-or-update.ts';
import { addFinalizer, containsFinalizer, removeFinalizer } from '../../src/client/finalizers.ts';
import { type Database, databases, GROUP } from './api.ts';

/** Keeps a Database until what it holds outside the cluster is released. */
const FINALIZER = `${GROUP}/finalizer`;
const PORT = 5432;
const IMAGES = { mysql: 'mysql', postgresql: 'postgres' } as const;
/** A look in case a change of the StatefulSet was missed. */
const RECHECK_MS = 5_000;

/**
 * Runs each Database as a StatefulSet behind a headless Service. Reads come from caches; each write is its own request, in this order: finalizer, Service,
 * StatefulSet, status. Any of them may be the last one before a crash: the next run finds what is there by name, and goes on.
 */
export const databaseController = defineController<Database>({
  name: 'database',
  eventSource: 'database-operator',
  for: databases,
  owns: [services, statefulsets],
  reconcile: async (request, context) => {
    const database = await context.reader.get(databases, request);
    if (!database) return undefined;
    if (database.metadata.deletionTimestamp) return finalize(database, context);
    const held = await ensureFinalizer(database, context);
    await ensureService(held, context);
    const statefulSet = await ensureStatefulSet(held, context);
    const ready = await updateStatus(held, statefulSet, context);
    return ready ? undefined : { requeueAfterMs: RECHECK_MS, background: true };
  },
});

/** The finalizer comes before anything that it protects. */
async function ensureFinalizer(database: Database, { client }: ReconcileContext): Promise<Database> {
  if (containsFinalizer(database, FINALIZER)) return database;
  return client.resource(databases).update(
    produce(database, (draft) => {
      addFinalizer(draft, FINALIZER);
    }),
  );
}

/** What it owns in the cluster is left to the garbage collector. */
async function finalize(database: Database, { client, recorder }: ReconcileContext): Promise<undefined> {
  if (!containsFinalizer(database, FINALIZER)) return;
  recorder.event(database, 'Normal', 'Finalizing', 'Releasing external resources');
  const requests = client.resource(databases);
  const marked =
    database.status?.phase === 'Deleting'
      ? database
      : await requests.updateStatus(
          produce(database, (draft) => {
            draft.status = { ...draft.status, phase: 'Deleting' };
          }),
        );
  await requests.update(
    produce(marked, (draft) => {
      removeFinalizer(draft, FINALIZER);
    }),
  );
}

async function ensureService(database: Database, { client, reader, recorder }: ReconcileContext): Promise<void> {
  const { namespace = '', name = '' } = database.metadata;
  if (await reader.get(services, { namespace, name })) return;
  const labels = labelsOf(database);
  const ports = [{ name: 'db', protocol: 'TCP', port: PORT, targetPort: PORT }];
  const service = { metadata: { namespace, name, labels }, spec: { clusterIP: 'None', selector: labels, ports } };
  setControllerReference(database, service);
  await client.resource(services).create(service);
  recorder.event(database, 'Normal', 'ServiceCreated', `Created Service ${name}`);
}

async function ensureStatefulSet(database: Database, { client, reader, recorder }: ReconcileContext): Promise<StatefulSet> {
  const { namespace = '', name = '' } = database.metadata;
  const { engine, version } = database.spec;
  const image = `${IMAGES[engine]}:${version}`;
  const replicas = replicasOf(database);
  const labels = labelsOf(database);
  const wanted: StatefulSet = { metadata: { namespace, name, labels } };
  const { result, object } = await createOrUpdate({ client, reader, resource: statefulsets, wanted }, (draft) => {
    setControllerReference(database, draft);
    const { spec } = draft;
    // What the server has filled in stays, or each look would find a difference.
    const container = { ...spec?.template.spec?.containers[0], name: 'db', image };
    draft.spec = {
      ...spec,
      replicas,
      serviceName: name,
      selector: { matchLabels: labels },
      template: { ...spec?.template, metadata: { labels }, spec: { ...spec?.template.spec, containers: [container] } },
    };
  });
  if (result === 'created') recorder.event(database, 'Normal', 'StatefulSetCreated', `Created StatefulSet ${name}`);
  if (result === 'updated')
    recorder.event(database, 'Normal', 'StatefulSetUpdated', `Updated StatefulSet ${name} to ${replicas} replicas of ${image}`);
  return object;
}

/** Writes the status when it differs; returns whether the Database is ready. */
async function updateStatus(database: Database, statefulSet: StatefulSet, { client, recorder, actor }: ReconcileContext): Promise<boolean> {
  const { generation, name, namespace } = database.metadata;
  const ready = isRolledOut(statefulSet, replicasOf(database));
  const next = produce(database, (draft) => {
    draft.status ??= {};
    const { status } = draft;
    const wasReady = status.phase === 'Ready' || status.phase === 'Updating';
    status.phase = ready ? 'Ready' : wasReady ? 'Updating' : 'Creating';
    status.endpoint = `${name}.${namespace}.svc:${PORT}`;
    if (generation !== undefined) status.observedGeneration = generation;
    const { readyReplicas } = statefulSet.status ?? {};
    if (readyReplicas) status.readyReplicas = readyReplicas;
    else delete status.readyReplicas;
    status.conditions ??= [];
    setStatusCondition(status.conditions, readyCondition(database, ready), actor.simulation.wallTime);
  });
  if (deepEqual(next.status, database.status)) return ready;
  await client.resource(databases).updateStatus(next);
  if (ready && database.status?.phase !== 'Ready') recorder.event(database, 'Normal', 'Ready', 'Database is ready');
  return ready;
}

function readyCondition(database: Database, ready: boolean): Parameters<typeof setStatusCondition>[1] {
  const { generation } = database.metadata;
  return {
    type: 'Ready',
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    ...(ready
      ? { status: 'True', reason: 'AllReplicasReady', message: `${replicasOf(database)} replicas are ready` }
      : { status: 'False', reason: 'Progressing', message: 'waiting for replicas' }),
  };
}

/** The StatefulSet's status speaks of its present spec, and all replicas are new and ready. */
function isRolledOut({ metadata, status }: StatefulSet, replicas: number): boolean {
  const { observedGeneration, readyReplicas = 0, updatedReplicas = 0 } = status ?? {};
  return observedGeneration === metadata.generation && readyReplicas === replicas && updatedReplicas === replicas;
}

function replicasOf({ spec }: Database): number {
  return spec.replicas ?? 1;
}

function labelsOf({ metadata: { name = '' } }: Database): Record<string, string> {
  return { 'app.kubernetes.io/name': 'database', 'app.kubernetes.io/instance': name };
}
