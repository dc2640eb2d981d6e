import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding } from '../../../src/api/kinds/rbac-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { clusterroles, roles } from '../../../src/api/resources.ts';
import { newForbidden, newNotFound } from '../../../src/api/status-error.ts';
import type { RequestContext } from '../request-context.ts';
import { printRules, uncoveredRules } from './rule-coverage.ts';

type AnyRole = Role | ClusterRole;
type AnyBinding = RoleBinding | ClusterRoleBinding;

const EVERYTHING: PolicyRule[] = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  { nonResourceURLs: ['*'], verbs: ['*'] },
];

/**
 * Nobody gives away what they do not have: refuses roles with rules, and bindings to roles, beyond what the user holds.
 * pkg/registry/rbac/{role,clusterrole,rolebinding,clusterrolebinding}/policybased
 */
export function checkEscalation(context: RequestContext, object: KubernetesObject, old: KubernetesObject | undefined): void {
  if (context.resource.group !== 'rbac.authorization.k8s.io' || context.user.groups.includes('system:masters')) return;
  if (context.resource.kind.endsWith('Binding')) checkBinding(context, object as AnyBinding, old as AnyBinding | undefined);
  else checkRole(context, object as AnyRole, old as AnyRole | undefined);
}

function checkRole(context: RequestContext, role: AnyRole, old: AnyRole | undefined): void {
  const { resource, namespace } = context;
  const name = role.metadata.name ?? '';
  const aggregation = (object: AnyRole | undefined): unknown => (object as ClusterRole | undefined)?.aggregationRule;
  const sameAggregation = deepEqual(aggregation(role), aggregation(old));
  if (old && sameAggregation && deepEqual(role.rules ?? [], old.rules ?? [])) return;
  if (mayDo(context, { verb: 'escalate', resource: resource.resource, namespace, name })) return;
  const held = context.server.rulesFor(context.user, namespace);
  if (aggregation(role) !== undefined && !sameAggregation && uncoveredRules(held.rules, EVERYTHING).length > 0) {
    throw newForbidden(resource, name, 'must have cluster-admin privileges to use the aggregationRule');
  }
  assertHeld(context, name, role.rules ?? []);
}

function checkBinding(context: RequestContext, binding: AnyBinding, old: AnyBinding | undefined): void {
  const { resource, namespace, server } = context;
  const name = binding.metadata.name ?? '';
  if (old && onlyBookkeepingChanged(binding, old)) return;
  const { kind, name: roleName } = binding.roleRef;
  const roleResource = kind === 'ClusterRole' ? clusterroles : roles;
  if (mayDo(context, { verb: 'bind', resource: roleResource.resource, namespace, name: roleName })) return;
  const role = server.storage<AnyRole>(roleResource as typeof clusterroles).get(kind === 'ClusterRole' ? '' : namespace, roleName);
  if (!role) throw newNotFound(resource, roleName);
  assertHeld(context, name, role.rules ?? []);
}

/** Whether nothing but finalizers and owner references differ. apimachinery garbagecollector.IsObjectMetaEqual… */
function onlyBookkeepingChanged(binding: AnyBinding, old: AnyBinding): boolean {
  const rest = ({
    metadata: { finalizers: _1, ownerReferences: _2, managedFields: _3, resourceVersion: _4, ...metadata },
    ...object
  }: AnyBinding) => ({ ...object, metadata });
  return deepEqual(rest(binding), rest(old));
}

/** apiserver pkg/registry/rbac.RoleEscalationAuthorized, BindingAuthorized */
function mayDo(context: RequestContext, what: { verb: string; resource: string; namespace: string; name: string }): boolean {
  const base = { isResourceRequest: true, path: '', group: 'rbac.authorization.k8s.io', version: '*', subresource: '' };
  return context.server.authorizer.authorize({ ...base, ...what, user: context.user }).decision === 'allow';
}

function assertHeld(context: RequestContext, name: string, wanted: readonly PolicyRule[]): void {
  const { user, server, namespace, resource } = context;
  const held = server.rulesFor(user, namespace);
  const missing = uncoveredRules(held.rules, wanted);
  if (missing.length === 0) return;
  const groups = user.groups.map((group) => JSON.stringify(group)).join(' ');
  const errors = held.errors.length > 0 ? `; resolution errors: [${held.errors.join(' ')}]` : '';
  const head = `user ${JSON.stringify(user.username)} (groups=[${groups}]) is attempting to grant RBAC permissions not currently held:`;
  throw newForbidden(resource, name, `${head}\n${printRules(missing).join('\n')}${errors}`);
}
