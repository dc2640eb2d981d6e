import { isDeepStrictEqual } from 'node:util';
import { ApiException, type AppsV1Api, type CoreV1Api, type CustomObjectsApi, type V1StatefulSet } from '@kubernetes/client-node';
import { DATABASES, type Database, type DatabaseStatus, labelsOf, ownerOf, readyCondition } from './database.ts';

const FINALIZER = 'example.com/finalizer';
const COMPONENT = 'database-operator';
const PORT = 5432;
const IMAGES = { mysql: 'mysql', postgresql: 'postgres' } as const;

export interface Clients {
  readonly core: CoreV1Api;
  readonly apps: AppsV1Api;
  readonly custom: CustomObjectsApi;
  /** A point at which the process ends; tests try what a restart finds. */
  readonly crashAt: string | undefined;
}

/** Makes what is there what a Database asks for. It gets a name, never what happened. */
export class Reconciler {
  readonly #clients: Clients;

  constructor(clients: Clients) {
    this.#clients = clients;
  }

  async reconcile(namespace: string, name: string): Promise<void> {
    let database = await found<Database>(this.#clients.custom.getNamespacedCustomObject({ ...DATABASES, namespace, name }));
    if (!database) return;
    if (database.metadata.deletionTimestamp) return this.#finalize(database);
    const finalizers = database.metadata.finalizers ?? [];
    if (!finalizers.includes(FINALIZER)) {
      database = await this.#replace(database, [...finalizers, FINALIZER]);
      this.#crash('finalizer-added');
    }
    await this.#ensureService(database);
    await this.#updateStatus(database, await this.#ensureStatefulSet(database));
  }

  /** Does what must be done before a Database may go. */
  async #finalize(database: Database): Promise<void> {
    const finalizers = database.metadata.finalizers ?? [];
    if (!finalizers.includes(FINALIZER)) return;
    let last = database;
    if (database.status?.phase !== 'Deleting') {
      await this.#tell(database, 'Finalizing', `Cleaning up ${database.metadata.name}`);
      last = await this.#replaceStatus(database, { ...database.status, phase: 'Deleting' });
    }
    this.#crash('before-finalizer-removed');
    await this.#replace(
      last,
      finalizers.filter((finalizer) => finalizer !== FINALIZER),
    );
  }

  async #ensureService(database: Database): Promise<void> {
    const { name, namespace } = database.metadata;
    if (await found(this.#clients.core.readNamespacedService({ name, namespace }))) return;
    const labels = labelsOf(database);
    await this.#clients.core.createNamespacedService({
      namespace,
      body: {
        metadata: { name, labels, ownerReferences: [ownerOf(database)] },
        spec: { clusterIP: 'None', selector: labels, ports: [{ name: 'db', port: PORT, targetPort: PORT }] },
      },
    });
    this.#crash('service-created');
    await this.#tell(database, 'ServiceCreated', `Created Service ${name}`);
  }

  async #ensureStatefulSet(database: Database): Promise<V1StatefulSet> {
    const { name, namespace } = database.metadata;
    const replicas = database.spec.replicas ?? 1;
    const image = `${IMAGES[database.spec.engine]}:${database.spec.version}`;
    const set = await found(this.#clients.apps.readNamespacedStatefulSet({ name, namespace }));
    if (!set) return this.#createStatefulSet(database, { replicas, image });
    const container = set.spec?.template.spec?.containers[0];
    if (!set.spec || !container || (set.spec.replicas === replicas && container.image === image)) return set;
    set.spec.replicas = replicas;
    container.image = image;
    const updated = await this.#clients.apps.replaceNamespacedStatefulSet({ name, namespace, body: set });
    await this.#tell(database, 'StatefulSetUpdated', `Updated StatefulSet ${name}`);
    return updated;
  }

  async #createStatefulSet(database: Database, { replicas, image }: { replicas: number; image: string }): Promise<V1StatefulSet> {
    const { name, namespace } = database.metadata;
    const labels = labelsOf(database);
    const template = { metadata: { labels }, spec: { containers: [{ name: 'db', image }] } };
    const set = await this.#clients.apps.createNamespacedStatefulSet({
      namespace,
      body: {
        metadata: { name, labels, ownerReferences: [ownerOf(database)] },
        spec: { replicas, serviceName: name, selector: { matchLabels: labels }, template },
      },
    });
    this.#crash('statefulset-created');
    await this.#tell(database, 'StatefulSetCreated', `Created StatefulSet ${name}`);
    return set;
  }

  /** Writes the status when it differs. Each change of the StatefulSet leads here again. */
  async #updateStatus(database: Database, set: V1StatefulSet): Promise<void> {
    const { name, namespace, generation = 0 } = database.metadata;
    const before = database.status ?? {};
    const readyReplicas = set.status?.readyReplicas ?? 0;
    const ready = readyReplicas === set.spec?.replicas && set.status?.observedGeneration === set.metadata?.generation;
    const wasReady = before.phase === 'Ready' || before.phase === 'Updating';
    const status: DatabaseStatus = {
      conditions: [readyCondition(database, ready, readyReplicas)],
      endpoint: `${name}.${namespace}.svc:${PORT}`,
      observedGeneration: generation,
      phase: ready ? 'Ready' : wasReady ? 'Updating' : 'Creating',
      ...(readyReplicas ? { readyReplicas } : {}),
    };
    if (isDeepStrictEqual(status, before)) return;
    await this.#replaceStatus(database, status);
    if (ready && before.phase !== 'Ready') await this.#tell(database, 'Ready', 'Database is ready');
  }

  #replace(database: Database, finalizers: string[]): Promise<Database> {
    const { name, namespace } = database.metadata;
    const body = { ...database, metadata: { ...database.metadata, finalizers } };
    return this.#clients.custom.replaceNamespacedCustomObject({ ...DATABASES, namespace, name, body });
  }

  #replaceStatus(database: Database, status: DatabaseStatus): Promise<Database> {
    const { name, namespace } = database.metadata;
    return this.#clients.custom.replaceNamespacedCustomObjectStatus({ ...DATABASES, namespace, name, body: { ...database, status } });
  }

  /** Events say what was done; that one is missing does not stop the work. */
  async #tell({ apiVersion, kind, metadata }: Database, reason: string, message: string): Promise<void> {
    const { name, namespace, uid } = metadata;
    const now = new Date();
    const event = {
      metadata: { generateName: `${name}.`, namespace },
      involvedObject: { apiVersion, kind, name, namespace, uid },
      type: 'Normal',
      reason,
      message,
      source: { component: COMPONENT },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    };
    await this.#clients.core.createNamespacedEvent({ namespace, body: event }).catch((error: unknown) => console.error(reason, error));
  }

  #crash(point: string): void {
    if (this.#clients.crashAt === point) process.exit(1);
  }
}

/** What is read, or undefined when it is not there. */
async function found<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ApiException && error.code === 404) return undefined;
    throw error;
  }
}
