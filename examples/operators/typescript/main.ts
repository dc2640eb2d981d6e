// An operator that runs databases: a Service and a StatefulSet for each Database.
//
//   KUBECONFIG=bottle.yaml node main.ts
import {
  AppsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  type Informer,
  KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
  makeInformer,
} from '@kubernetes/client-node';
import { DATABASES, type Database } from './database.ts';
import { Reconciler } from './reconciler.ts';
import { WorkQueue } from './work-queue.ts';

const config = new KubeConfig();
config.loadFromDefault();
const core = config.makeApiClient(CoreV1Api);
const apps = config.makeApiClient(AppsV1Api);
const custom = config.makeApiClient(CustomObjectsApi);

const reconciler = new Reconciler({ core, apps, custom, crashAt: process.env['CRASH_AT'] });
const queue = new WorkQueue((key) => {
  const [namespace = '', name = ''] = key.split('/');
  return reconciler.reconcile(namespace, name);
});

/** Has `see` called for each object that is there, and whenever one changes or goes. */
function follow<T extends KubernetesObject>(
  path: string,
  list: () => Promise<KubernetesListObject<T>>,
  see: (object: T) => void,
): Promise<void> {
  const informer: Informer<T> = makeInformer(config, path, list);
  for (const verb of ['add', 'update', 'delete'] as const) informer.on(verb, see);
  informer.on('error', (error: unknown) => {
    console.error(`watch of ${path}:`, error);
    setTimeout(() => void informer.start(), 1_000);
  });
  return informer.start();
}

const seeDatabase = ({ metadata }: KubernetesObject): void => queue.add(`${metadata?.namespace}/${metadata?.name}`);
const seeOwned = ({ metadata }: KubernetesObject): void => {
  const owner = metadata?.ownerReferences?.find(({ kind, controller }) => kind === 'Database' && controller);
  if (owner) queue.add(`${metadata?.namespace}/${owner.name}`);
};

const { group, version, plural } = DATABASES;
await Promise.all([
  follow<Database>(
    `/apis/${group}/${version}/${plural}`,
    () => custom.listCustomObjectForAllNamespaces({ group, version, resourcePlural: plural }),
    seeDatabase,
  ),
  follow('/api/v1/services', () => core.listServiceForAllNamespaces(), seeOwned),
  follow('/apis/apps/v1/statefulsets', () => apps.listStatefulSetForAllNamespaces(), seeOwned),
]);
console.log('the operator works');
