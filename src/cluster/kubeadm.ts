import type { Client } from '../client/client.ts';
import { installAccount } from '../client/install.ts';

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
