import { keyOf } from '../../../src/api/object.ts';
import { namespaces, serviceaccounts } from '../../../src/api/resources.ts';
import { isAlreadyExists, isNamespaceTerminating } from '../../../src/api/status-error.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import type { ControllerContext } from '../controller-context.ts';

const DEFAULT_ACCOUNT = 'default';

/**
 * Gives each namespace its service account `default`, again if it is deleted.
 * pkg/controller/serviceaccount/serviceaccounts_controller.go ServiceAccountsController; cmd/kube-controller-manager/app/core.go startServiceAccountController
 */
export function startServiceAccountController(context: ControllerContext): void {
  const { actor, informers } = context;
  const client = context.clientFor('service-account-controller').resource(serviceaccounts);
  const accounts = informers.forResource(serviceaccounts);
  const namespaceInformer = informers.forResource(namespaces);
  const queue = new RateLimitingQueue({ actor });
  accounts.addEventHandler({ onDelete: ({ metadata }) => queue.add(metadata.namespace ?? '') });
  namespaceInformer.addEventHandler({
    onAdd: (namespace) => queue.add(keyOf(namespace)),
    onUpdate: (_, namespace) => queue.add(keyOf(namespace)),
  });

  /** serviceaccounts_controller.go syncNamespace */
  async function syncNamespace(namespace: string): Promise<void> {
    if (accounts.store.get(`${namespace}/${DEFAULT_ACCOUNT}`)) return;
    if (namespaceInformer.store.get(namespace)?.status?.phase !== 'Active') return;
    try {
      await client.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: DEFAULT_ACCOUNT, namespace } });
    } catch (error) {
      if (!isAlreadyExists(error) && !isNamespaceTerminating(error)) throw error;
    }
  }

  context.onceSynced(() => runWorkers({ actor, name: 'serviceaccount-controller', queue, workers: 1, reconcile: syncNamespace }));
}
