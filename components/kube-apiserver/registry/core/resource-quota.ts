import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type { ResourceQuota, ResourceQuotaSpec } from '../../../../src/api/kinds/core-v1.ts';
import { POD_QUOTA_NAMES } from '../../../../src/api/quota-usage.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { invalid, required } from '../../../../src/api/validation/field.ts';
import type { KindRules } from '../kind-strategy.ts';
import { isHugePages, resourceName, resourceValue } from './resources-validation.ts';

const QUOTA_RESOURCES = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
]);
const SCOPES = new Set([
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
]);

/** kubernetes pkg/registry/core/resourcequota */
export const resourceQuotaRules: KindRules<ResourceQuota> = {
  hasStatus: true,
  validate: ({ spec }) => validateSpec(spec ?? {}),
  validateUpdate: ({ spec }, old) => {
    const errors = validateSpec(spec ?? {});
    if (!semanticDeepEqual(spec?.scopes, old.spec?.scopes)) errors.push(invalid('spec.scopes', spec?.scopes, 'field is immutable'));
    return errors;
  },
  validateStatusUpdate: ({ status }) => {
    const errors: FieldError[] = [];
    for (const list of ['hard', 'used'] as const) checkAmounts(errors, `status.${list}`, status?.[list]);
    return errors;
  },
};

/** kubernetes pkg/apis/core/validation ValidateResourceQuotaSpec */
function validateSpec(spec: ResourceQuotaSpec): FieldError[] {
  const errors: FieldError[] = [];
  checkAmounts(errors, 'spec.hard', spec.hard);
  validateScopes(errors, spec);
  validateScopeSelector(errors, spec);
  return errors;
}

function checkAmounts(errors: FieldError[], path: string, amounts: Record<string, string> | undefined): void {
  for (const [name, amount] of Object.entries(amounts ?? {})) {
    const at = `${path}[${name}]`;
    resourceName(errors, at, name);
    if (!name.includes('/') && !QUOTA_RESOURCES.has(name) && !isHugePages(name.replace(/^requests\./, '')))
      errors.push(invalid(at, name, 'must be a standard resource for quota'));
    resourceValue(errors, at, { name, amount });
  }
}

function validateScopes(errors: FieldError[], { scopes = [], hard }: ResourceQuotaSpec): void {
  if (scopes.length === 0) return;
  const seen = new Set(scopes);
  for (const scope of scopes) {
    if (!SCOPES.has(scope)) errors.push(invalid('spec.scopes', scopes, 'unsupported scope'));
    else
      for (const name of Object.keys(hard ?? {}))
        if (!appliesTo(scope, name)) errors.push(invalid('spec.scopes', scopes, 'unsupported scope applied to resource'));
  }
  for (const [a, b] of [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ] as const) {
    if (seen.has(a) && seen.has(b)) errors.push(invalid('spec.scopes', scopes, 'conflicting scopes'));
  }
}

/** kubernetes pkg/apis/core/helper IsResourceQuotaScopeValidForResource */
function appliesTo(scope: string, name: string): boolean {
  if (scope === 'BestEffort') return name === 'pods';
  if (scope === 'VolumeAttributesClass') return name === 'persistentvolumeclaims' || name === 'requests.storage';
  return POD_QUOTA_NAMES.has(name);
}

const EXISTS_ONLY =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

/** kubernetes pkg/apis/core/validation validateScopedResourceSelectorRequirement; paths without index, as there. */
function validateScopeSelector(errors: FieldError[], { scopeSelector, hard }: ResourceQuotaSpec): void {
  const path = 'spec.scopeSelector.matchExpressions';
  for (const { scopeName, operator, values } of scopeSelector?.matchExpressions ?? []) {
    if (!SCOPES.has(scopeName)) errors.push(invalid(`${path}.scopeName`, scopeName, 'unsupported scope'));
    else
      for (const name of Object.keys(hard ?? {}))
        if (!appliesTo(scopeName, name)) errors.push(invalid(path, scopeSelector, 'unsupported scope applied to resource'));
    if (scopeName !== 'PriorityClass' && scopeName !== 'VolumeAttributesClass' && operator !== 'Exists')
      errors.push(invalid(`${path}.operator`, operator, EXISTS_ONLY));
    if (operator === 'In' || operator === 'NotIn') {
      if (!values?.length)
        errors.push(required(`${path}.values`, "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"));
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values?.length)
        errors.push(invalid(`${path}.values`, values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"));
    } else errors.push(invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  }
}
