import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, Subject } from '../../../src/api/kinds/rbac-v1.ts';
import type { UserInfo } from '../../../src/api/request.ts';
import { clusterrolebindings, clusterroles, rolebindings, roles } from '../../../src/api/resources.ts';
import type { ServerCore } from '../server-core.ts';
import type { ResourceStorage } from '../storage/resource-storage.ts';
import type { AuthorizationAttributes, Authorizer, Decision } from './authorizer.ts';
import { ruleAllows, ruleCovers } from './policy-rule.ts';

/** A binding that names a subject. */
interface Grant {
  readonly binding: ClusterRoleBinding | RoleBinding;
  readonly subject: Subject;
}

/** Decisions by what is asked for, without its name. */
type Remembered = Map<string, Decision>;

const MAX_USERS = 5_000;
const MAX_DECISIONS = 5_000;
const NO_OPINION: Decision = { decision: 'no-opinion', reason: '' };

/**
 * Decides by the roles and bindings in the store, as plugin/pkg/auth/authorizer/rbac.RBACAuthorizer. Bindings are indexed by subject, and decisions are
 * remembered until a role or binding changes.
 */
export class RbacAuthorizer implements Authorizer {
  readonly #roles: ResourceStorage<Role>;
  readonly #clusterRoles: ResourceStorage<ClusterRole>;
  readonly #roleBindings: ResourceStorage<RoleBinding>;
  readonly #clusterRoleBindings: ResourceStorage<ClusterRoleBinding>;
  readonly #byUser = new Map<string, Remembered>();
  /** The same, without putting the user into words. */
  #byUserInfo = new WeakMap<UserInfo, Remembered>();
  #grants: ReadonlyMap<string, readonly Grant[]> | undefined;

  constructor(server: ServerCore) {
    this.#roles = server.storage(roles);
    this.#clusterRoles = server.storage(clusterroles);
    this.#roleBindings = server.storage(rolebindings);
    this.#clusterRoleBindings = server.storage(clusterrolebindings);
    const forget = (): void => {
      this.#grants = undefined;
      this.#byUser.clear();
      this.#byUserInfo = new WeakMap();
    };
    for (const { keyspace } of [this.#roles, this.#clusterRoles, this.#roleBindings, this.#clusterRoleBindings]) keyspace.watch(forget);
  }

  authorize(attributes: AuthorizationAttributes): Decision {
    const { user, verb, group, resource, subresource, namespace, path, isResourceRequest } = attributes;
    const key = isResourceRequest ? `${verb} ${group}/${resource}/${subresource} ${namespace}` : `${verb} ${path}`;
    const remembered = this.#rememberedOf(user);
    const known = remembered.get(key);
    if (known) return known;
    const { decision, ofNames } = this.#decide(attributes);
    if (remembered.size >= MAX_DECISIONS) remembered.clear();
    if (!ofNames) remembered.set(key, decision);
    return decision;
  }

  #rememberedOf(user: UserInfo): Remembered {
    let remembered = this.#byUserInfo.get(user);
    if (remembered) return remembered;
    const name = JSON.stringify([user.username, user.groups]);
    remembered = this.#byUser.get(name) ?? new Map();
    if (this.#byUser.size >= MAX_USERS) this.#byUser.clear();
    this.#byUser.set(name, remembered);
    this.#byUserInfo.set(user, remembered);
    return remembered;
  }

  /** Every rule that the user holds in a namespace ('' for cluster-wide ones only), cluster-wide ones first, with errors on the way. */
  rulesFor(user: UserInfo, namespace: string): { readonly rules: readonly PolicyRule[]; readonly errors: readonly string[] } {
    const rules: PolicyRule[] = [];
    const errors: string[] = [];
    for (const grant of this.#grantsOf(user, namespace)) {
      const role = this.#roleOf(grant.binding);
      if (typeof role === 'string') errors.push(role);
      else rules.push(...(role.rules ?? []));
    }
    return { rules, errors };
  }

  /** `ofNames`: a rule for certain names had a say, and for another name the answer may be another. */
  #decide(attributes: AuthorizationAttributes): { readonly decision: Decision; readonly ofNames: boolean } {
    const errors: string[] = [];
    let ofNames = false;
    for (const grant of this.#grantsOf(attributes.user, attributes.namespace)) {
      const role = this.#roleOf(grant.binding);
      if (typeof role === 'string') {
        errors.push(role);
        continue;
      }
      for (const rule of role.rules ?? []) {
        if (!ruleCovers(rule, attributes)) continue;
        ofNames ||= (rule.resourceNames?.length ?? 0) > 0;
        if (ruleAllows(rule, attributes)) return { decision: { decision: 'allow', reason: allowedBy(grant) }, ofNames };
      }
    }
    if (errors.length === 0) return { decision: NO_OPINION, ofNames };
    const reason = `RBAC: ${errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`}`;
    return { decision: { decision: 'no-opinion', reason }, ofNames };
  }

  /** Bindings that name the user: cluster-wide ones, then those of the namespace. */
  #grantsOf(user: UserInfo, namespace: string): readonly Grant[] {
    this.#grants ??= this.#index();
    const found: Grant[] = [];
    const add = (place: string): void => {
      for (const subject of subjectKeys(user)) found.push(...(this.#grants?.get(`${place} ${subject}`) ?? []));
    };
    add('');
    if (namespace) add(namespace);
    return found;
  }

  #index(): ReadonlyMap<string, readonly Grant[]> {
    const grants = new Map<string, Grant[]>();
    for (const binding of [...this.#clusterRoleBindings.list(), ...this.#roleBindings.list()]) {
      const place = binding.metadata.namespace ?? '';
      for (const subject of binding.subjects ?? []) {
        const key = `${place} ${keyOfSubject(subject, place)}`;
        const list = grants.get(key);
        if (list) list.push({ binding, subject });
        else grants.set(key, [{ binding, subject }]);
      }
    }
    return grants;
  }

  /** The role that a binding refers to, or why it cannot be found. */
  #roleOf(binding: ClusterRoleBinding | RoleBinding): { readonly rules?: readonly PolicyRule[] | null } | string {
    const { kind, name } = binding.roleRef;
    const role = kind === 'ClusterRole' ? this.#clusterRoles.get('', name) : this.#roles.get(binding.metadata.namespace ?? '', name);
    return role ?? `${kind.toLowerCase()}.rbac.authorization.k8s.io "${name}" not found`;
  }
}

function keyOfSubject({ kind, name, namespace }: Subject, bindingNamespace: string): string {
  if (kind !== 'ServiceAccount') return `${kind} ${name}`;
  return `User system:serviceaccount:${namespace || bindingNamespace}:${name}`;
}

function subjectKeys(user: UserInfo): string[] {
  return [`User ${user.username}`, ...user.groups.map((group) => `Group ${group}`)];
}

function allowedBy({ binding, subject }: Grant): string {
  const { namespace, name } = binding.metadata;
  const where = namespace ? `RoleBinding "${name}/${namespace}"` : `ClusterRoleBinding "${name}"`;
  const who = subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace}` : subject.name;
  return `RBAC: allowed by ${where} of ${binding.roleRef.kind} "${binding.roleRef.name}" to ${subject.kind} "${who}"`;
}
