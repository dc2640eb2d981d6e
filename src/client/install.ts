import type { PolicyRule } from '../api/kinds/rbac-v1.ts';
import { clusterrolebindings, clusterroles, serviceaccounts } from '../api/resources.ts';
import { isAlreadyExists } from '../api/status-error.ts';
import type { Client } from './client.ts';

/** What something that runs in a cluster is known by there, and what it may do. */
export interface Account {
  /** Name of the ServiceAccount. */
  readonly account: string;
  /** Default `kube-system`. */
  readonly namespace?: string;
  /** Name of its ClusterRole and of the binding. */
  readonly role: string;
  readonly rules: readonly PolicyRule[];
}

/**
 * Creates an account, its role and the binding between them, as an administrator. What is there already stays as it is.
 * @example await installAccount(client, { account: 'csi-attacher', role: 'system:csi-attacher', rules });
 */
export async function installAccount(client: Client, { account, namespace = 'kube-system', role, rules }: Account): Promise<void> {
  await unlessThere(client.resource(serviceaccounts).create({ metadata: { name: account, namespace } }));
  await unlessThere(client.resource(clusterroles).create({ metadata: { name: role }, rules: [...rules] }));
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role };
  const subjects = [{ kind: 'ServiceAccount', name: account, namespace }];
  await unlessThere(client.resource(clusterrolebindings).create({ metadata: { name: role }, roleRef, subjects }));
}

/** Waits for a create; that the object is there already is as well. */
export async function unlessThere(created: Promise<unknown>): Promise<void> {
  try {
    await created;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
