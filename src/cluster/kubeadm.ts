import type { PolicyRule } from '../api/kinds/rbac-v1.ts';
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
export function installCoreDnsAddon(client: Client): Promise<void> {
  return installAccount(client, { account: 'coredns', role: COREDNS, rules: RULES });
}

/** Creates the account of something that runs in every cluster, its role and the binding between them. */
export async function installAccount(
  client: Client,
  { account, role, rules }: { readonly account: string; readonly role: string; readonly rules: readonly PolicyRule[] },
): Promise<void> {
  await ensure(client.resource(serviceaccounts).create({ metadata: { name: account, namespace: 'kube-system' } }));
  await ensure(client.resource(clusterroles).create({ metadata: { name: role }, rules: [...rules] }));
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role };
  const subjects = [{ kind: 'ServiceAccount', name: account, namespace: 'kube-system' }];
  await ensure(client.resource(clusterrolebindings).create({ metadata: { name: role }, roleRef, subjects }));
}

async function ensure(created: Promise<KubernetesObject>): Promise<void> {
  try {
    await created;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
