import type { UserInfo } from '../api/request.ts';

/** The person at the keyboard: what kubeadm's admin.conf logs in as. */
export const KUBERNETES_ADMIN: UserInfo = { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
