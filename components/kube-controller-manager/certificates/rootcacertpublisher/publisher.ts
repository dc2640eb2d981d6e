import type { ConfigMap, Namespace } from '../../../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../../../src/api/object.ts';
import { configmaps, namespaces } from '../../../../src/api/resources.ts';
import { isNamespaceTerminating, isNotFound } from '../../../../src/api/status-error.ts';
import { runWorkers } from '../../../../src/client/controller.ts';
import { RateLimitingQueue } from '../../../../src/client/workqueue.ts';
import type { ControllerContext } from '../../controller-context.ts';
import { ROOT_CA } from './root-ca.ts';

const NAME = 'kube-root-ca.crt';
const DESCRIPTION_ANNOTATION = 'kubernetes.io/description';
const DESCRIPTION =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or ' +
  'kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

/**
 * Puts the certificate by which pods know kube-apiserver into each namespace, and undoes changes to it.
 * pkg/controller/certificates/rootcacertpublisher/publisher.go Publisher; cmd/kube-controller-manager/app/certificates.go
 */
export function startRootCACertificatePublisherController(context: ControllerContext): void {
  const { actor, informers } = context;
  const client = context.clientFor('root-ca-cert-publisher').resource(configmaps);
  const maps = informers.forResource(configmaps);
  const queue = new RateLimitingQueue({ actor });
  const ofMap = ({ metadata }: ConfigMap): void => {
    if (metadata.name === NAME) queue.add(metadata.namespace ?? '');
  };
  maps.addEventHandler({ onUpdate: (_, map) => ofMap(map), onDelete: ofMap });
  informers.forResource(namespaces).addEventHandler({
    onAdd: (namespace) => queue.add(keyOf(namespace)),
    onUpdate: (_, namespace: Namespace) => {
      if (namespace.status?.phase === 'Active') queue.add(keyOf(namespace));
    },
  });

  /** publisher.go syncNamespace */
  async function syncNamespace(namespace: string): Promise<void> {
    const current = maps.store.get(`${namespace}/${NAME}`);
    if (current) return put(current);
    const metadata = { name: NAME, namespace, annotations: { [DESCRIPTION_ANNOTATION]: DESCRIPTION } };
    try {
      await client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'ca.crt': ROOT_CA } });
    } catch (error) {
      if (!isNotFound(error) && !isNamespaceTerminating(error)) throw error;
    }
  }

  async function put(current: ConfigMap): Promise<void> {
    const { annotations } = current.metadata;
    const data = current.data ?? {};
    const sameData = Object.keys(data).length === 1 && data['ca.crt'] === ROOT_CA;
    if (sameData && annotations?.[DESCRIPTION_ANNOTATION]) return;
    const metadata = { ...current.metadata, annotations: { ...annotations, [DESCRIPTION_ANNOTATION]: DESCRIPTION } };
    await client.update({ ...current, metadata, data: { 'ca.crt': ROOT_CA } });
  }

  context.onceSynced(() =>
    runWorkers({ actor, name: 'root-ca-certificate-publisher-controller', queue, workers: 1, reconcile: syncNamespace }),
  );
}
