import type { ClusterRoleBinding, RoleBinding } from '../../../../src/api/kinds/rbac-v1.ts';

const GROUP = 'rbac.authorization.k8s.io';

/** kubernetes pkg/apis/rbac/v1 SetDefaults_RoleBinding and SetDefaults_ClusterRoleBinding */
export function setDefaultsBinding({ roleRef, subjects }: RoleBinding | ClusterRoleBinding): void {
  if (roleRef && !roleRef.apiGroup) roleRef.apiGroup = GROUP;
  for (const subject of subjects ?? [])
    if (!subject.apiGroup && (subject.kind === 'User' || subject.kind === 'Group')) subject.apiGroup = GROUP;
}
