import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '../../../src/api/kinds/rbac-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { uncoveredRules } from '../authorization/rule-coverage.ts';

const AUTOUPDATE = 'rbac.authorization.kubernetes.io/autoupdate';

/**
 * A role as it is with what it lacks of what it should be: rules are added, none are taken away. The same object when nothing is missing, or when it is
 * not to be touched. pkg/registry/rbac/reconciliation.ReconcileRoleOptions
 */
export function reconciledRole(role: Role | ClusterRole, wanted: Role | ClusterRole): Role | ClusterRole {
  if (isProtected(role)) return role;
  const missing = hasAggregation(wanted) ? [] : uncoveredRules(role.rules ?? [], wanted.rules ?? []);
  const selectors = missingSelectors(role, wanted);
  const changed = {
    ...withMetadataOf(role, wanted),
    ...(missing.length > 0 ? { rules: [...(role.rules ?? []), ...missing] } : {}),
    ...(selectors ? { aggregationRule: { clusterRoleSelectors: selectors } } : {}),
  };
  return deepEqual(changed, role) ? role : changed;
}

/** The same for the subjects of a binding; undefined: it is of another role, and has to be made anew. ReconcileRoleBindingOptions */
export function reconciledBinding<T extends RoleBinding | ClusterRoleBinding>(binding: T, wanted: T): T | undefined {
  if (isProtected(binding)) return binding;
  if (!deepEqual(binding.roleRef, wanted.roleRef)) return undefined;
  const subjects = binding.subjects ?? [];
  const missing = (wanted.subjects ?? []).filter((subject) => !subjects.some((other) => deepEqual(other, subject)));
  const changed = { ...withMetadataOf(binding, wanted), ...(missing.length > 0 ? { subjects: [...subjects, ...missing] } : {}) };
  return deepEqual(changed, binding) ? binding : changed;
}

function isProtected({ metadata }: KubernetesObject): boolean {
  return metadata.annotations?.[AUTOUPDATE] === 'false';
}

/** What somebody has written stays. */
function withMetadataOf<T extends KubernetesObject>(object: T, { metadata: { labels, annotations } }: KubernetesObject): T {
  const metadata = {
    ...object.metadata,
    ...(labels ? { labels: { ...labels, ...object.metadata.labels } } : {}),
    ...(annotations ? { annotations: { ...annotations, ...object.metadata.annotations } } : {}),
  };
  return { ...object, metadata };
}

function hasAggregation(role: Role | ClusterRole): role is ClusterRole {
  return (role as ClusterRole).aggregationRule !== undefined;
}

function missingSelectors(role: ClusterRole, wanted: ClusterRole): object[] | undefined {
  const present = role.aggregationRule?.clusterRoleSelectors ?? [];
  const missing = (wanted.aggregationRule?.clusterRoleSelectors ?? []).filter((one) => !present.some((other) => deepEqual(other, one)));
  return missing.length > 0 ? [...present, ...missing] : undefined;
}
