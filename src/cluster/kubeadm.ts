import type { KubernetesObject } from '../api/object.ts';
import { clusterrolebindings, clusterroles, serviceaccounts } from '../api/resources.ts';
import { isAlreadyExists } from '../api/status-error.ts';
import type { Client } from '../client/client.ts';

const COREDNS = 'system:coredns';

/** What CoreDNS may read: cmd/kubeadm/app/phases/addons/dns CoreDNSClusterRole. */
const RULES = [
  { apiGroups: [''], resources: ['endpoints', 'services', 'pods', 'namespaces'], verbs: ['list', 'watch'] },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
];

/**
 * Creates what kubeadm's addon phase creates for CoreDNS: its account, its role and the binding between them. Differs: CoreDNS runs as a process beside the others,
 * not in pods, so its Deployment, ConfigMap and Service are not there.
 */
export async function installCoreDnsAddon(client: Client): Promise<void> {
  await ensure(client.resource(serviceaccounts).create({ metadata: { name: 'coredns', namespace: 'kube-system' } }));
  await ensure(client.resource(clusterroles).create({ metadata: { name: COREDNS }, rules: RULES }));
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: COREDNS };
  const subjects = [{ kind: 'ServiceAccount', name: 'coredns', namespace: 'kube-system' }];
  await ensure(client.resource(clusterrolebindings).create({ metadata: { name: COREDNS }, roleRef, subjects }));
}

async function ensure(created: Promise<KubernetesObject>): Promise<void> {
  try {
    await created;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
