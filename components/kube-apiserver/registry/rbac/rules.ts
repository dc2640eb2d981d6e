import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, Subject } from '../../../../src/api/kinds/rbac-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1123Subdomain, isValidPathSegmentName } from '../../../../src/api/validation/content.ts';
import { invalid, notSupported, required } from '../../../../src/api/validation/field.ts';
import type { KindRules } from '../kind-strategy.ts';
import { isUsableSelector, labelSelector, report } from '../validation.ts';
import { setDefaultsBinding } from './defaults.ts';

const GROUP = 'rbac.authorization.k8s.io';

/** kubernetes pkg/registry/rbac/role */
export const roleRules: KindRules<Role> = {
  validateName: isValidPathSegmentName,
  metaTwiceOnUpdate: true,
  validate: ({ rules }) => validateRules(rules, true),
  validateUpdate: ({ rules }) => twice(() => validateRules(rules, true)),
};

/** kubernetes pkg/registry/rbac/clusterrole */
export const clusterRoleRules: KindRules<ClusterRole> = {
  validateName: isValidPathSegmentName,
  metaTwiceOnUpdate: true,
  validate: validateClusterRole,
  validateUpdate: (role) => twice(() => validateClusterRole(role)),
};

/** The real one runs the rules of creation once for itself and once as part of those of updates. */
function twice(validate: () => FieldError[]): FieldError[] {
  return [...validate(), ...validate()];
}

/** kubernetes pkg/apis/rbac/validation ValidateClusterRole */
function validateClusterRole({ rules, aggregationRule }: ClusterRole): FieldError[] {
  const errors = validateRules(rules, false);
  if (!aggregationRule) return errors;
  const path = 'aggregationRule.clusterRoleSelectors';
  if (!aggregationRule.clusterRoleSelectors?.length)
    errors.push(required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil'));
  for (const [index, selector] of (aggregationRule.clusterRoleSelectors ?? []).entries()) {
    labelSelector(errors, `${path}[${index}]`, selector);
    if (!isUsableSelector(selector)) errors.push(invalid(`${path}[${index}]`, undefined, 'invalid label selector.'));
  }
  return errors;
}

/** kubernetes pkg/registry/rbac/rolebinding */
export const roleBindingRules: KindRules<RoleBinding> = bindingRules(['Role', 'ClusterRole']);

/** kubernetes pkg/registry/rbac/clusterrolebinding */
export const clusterRoleBindingRules: KindRules<ClusterRoleBinding> = bindingRules(['ClusterRole']);

/** kubernetes pkg/apis/rbac/validation ValidatePolicyRule */
function validateRules(rules: readonly PolicyRule[] | undefined, namespaced: boolean): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, { verbs, nonResourceURLs, apiGroups, resources, resourceNames }] of (rules ?? []).entries()) {
    const path = `rules[${index}]`;
    if (!verbs?.length) errors.push(required(`${path}.verbs`, 'verbs must contain at least one value'));
    if (nonResourceURLs?.length) {
      if (namespaced)
        errors.push(invalid(`${path}.nonResourceURLs`, nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs'));
      if (apiGroups?.length || resources?.length || resourceNames?.length)
        errors.push(
          invalid(`${path}.nonResourceURLs`, nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs'),
        );
      continue;
    }
    if (!apiGroups?.length) errors.push(required(`${path}.apiGroups`, 'resource rules must supply at least one api group'));
    if (!resources?.length) errors.push(required(`${path}.resources`, 'resource rules must supply at least one resource'));
  }
  return errors;
}

function bindingRules<T extends RoleBinding | ClusterRoleBinding>(kinds: readonly string[]): KindRules<T> {
  const validate = ({ roleRef, subjects }: T): FieldError[] => {
    const errors: FieldError[] = [];
    if (roleRef?.apiGroup !== GROUP) errors.push(notSupported('roleRef.apiGroup', roleRef?.apiGroup ?? '', [GROUP]));
    if (!kinds.includes(roleRef?.kind ?? '')) errors.push(notSupported('roleRef.kind', roleRef?.kind ?? '', kinds));
    if (!roleRef?.name) errors.push(required('roleRef.name'));
    else report(errors, { path: 'roleRef.name', value: roleRef.name }, isValidPathSegmentName(roleRef.name));
    for (const [index, subject] of (subjects ?? []).entries())
      validateSubject(errors, `subjects[${index}]`, { subject, namespaced: kinds.includes('Role') });
    return errors;
  };
  return {
    validateName: isValidPathSegmentName,
    defaults: setDefaultsBinding,
    metaTwiceOnUpdate: true,
    validate,
    validateUpdate: (binding, old) => {
      const errors = twice(() => validate(binding));
      if (!semanticDeepEqual(binding.roleRef, old.roleRef))
        errors.push(invalid('roleRef', internalRoleRef(binding.roleRef), 'cannot change roleRef'));
      return errors;
    },
  };
}

/** kubernetes pkg/apis/rbac/validation ValidateRoleBindingSubject */
function validateSubject(errors: FieldError[], path: string, { subject, namespaced }: { subject: Subject; namespaced: boolean }): void {
  const { kind, name, namespace, apiGroup } = subject;
  if (!name) errors.push(required(`${path}.name`));
  switch (kind) {
    case 'ServiceAccount':
      if (name) report(errors, { path: `${path}.name`, value: name }, isDNS1123Subdomain(name));
      if (apiGroup) errors.push(notSupported(`${path}.apiGroup`, apiGroup, ['']));
      if (!namespace && !namespaced) errors.push(required(`${path}.namespace`));
      return;
    case 'User':
    case 'Group':
      if (apiGroup !== GROUP) errors.push(notSupported(`${path}.apiGroup`, apiGroup ?? '', [GROUP]));
      return;
    default:
      errors.push(notSupported(`${path}.kind`, kind ?? '', ['ServiceAccount', 'User', 'Group']));
  }
}

/** As the real server quotes it: the internal type has no JSON names. */
function internalRoleRef({ apiGroup, kind, name }: { readonly apiGroup: string; readonly kind: string; readonly name: string }): object {
  return { APIGroup: apiGroup, Kind: kind, Name: name };
}
