import type { UserInfo } from '../api/request.ts';

/** Names the certificate that a user has logged in with. The one of admin.conf in the recorded cluster: here no real one stands behind it. */
const ADMIN_CREDENTIAL = 'X509SHA256=2369f236e0b68acd7983446c60563cc8bbc0356185334e92090c2fb9f9048d53';

/** The person at the keyboard: what kubeadm's admin.conf logs in as. */
export const KUBERNETES_ADMIN: UserInfo = {
  username: 'kubernetes-admin',
  groups: ['system:masters', 'system:authenticated'],
  extra: { 'authentication.kubernetes.io/credential-id': [ADMIN_CREDENTIAL] },
};

/** A process that runs with a ServiceAccount: apiserver pkg/authentication/serviceaccount UserInfo */
export function serviceAccountUser(name: string, namespace = 'kube-system'): UserInfo {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return { username: `system:serviceaccount:${namespace}:${name}`, groups };
}
