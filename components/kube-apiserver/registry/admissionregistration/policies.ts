import type {
  MatchResources,
  ParamRef,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../../../src/api/kinds/admissionregistration-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1035Label, isDNS1123Subdomain, isQualifiedName } from '../../../../src/api/validation/content.ts';
import { duplicate, forbidden, invalid, notSupported, required } from '../../../../src/api/validation/field.ts';
import { compilePolicy, type Expression } from '../../admission/policy/compiled-policy.ts';
import type { KindRules } from '../kind-strategy.ts';
import { labelSelector, oneOf, report, requiredOneOf } from '../validation.ts';
import { setDefaultsValidatingAdmissionPolicy, setDefaultsValidatingAdmissionPolicyBinding } from './defaults.ts';
import { validateMatchConditions, validateRule } from './webhooks.ts';

const CONTENT = 'validations or auditAnnotations must contain at least one item';

/** kubernetes pkg/registry/admissionregistration/validatingadmissionpolicy. */
export const validatingAdmissionPolicyRules: KindRules<ValidatingAdmissionPolicy> = {
  defaults: setDefaultsValidatingAdmissionPolicy,
  hasStatus: true,
  generation: true,
  validate: (policy) => {
    const { spec = {} } = policy;
    const errors: FieldError[] = [];
    validateAuditAnnotations(errors, policy);
    oneOf(errors, { path: 'spec.failurePolicy', value: spec.failurePolicy }, ['Fail', 'Ignore']);
    if (spec.paramKind) validateParamKind(errors, spec.paramKind);
    if (!spec.matchConstraints) errors.push(required('spec.matchConstraints'));
    else {
      validateMatchResources(errors, 'spec.matchConstraints', spec.matchConstraints);
      if (!spec.matchConstraints.resourceRules?.length) errors.push(required('spec.matchConstraints.resourceRules'));
    }
    validateVariables(errors, spec.variables);
    if (!spec.validations?.length && !spec.auditAnnotations?.length)
      errors.push(required('spec.validations', CONTENT), required('spec.auditAnnotations', CONTENT));
    validateValidations(errors, spec.validations);
    validateMatchConditions(errors, 'spec.matchConditions', { conditions: spec.matchConditions, params: spec.paramKind !== undefined });
    validateExpressions(errors, spec);
    return errors;
  },
};

type Spec = NonNullable<ValidatingAdmissionPolicy['spec']>;

function validateParamKind(errors: FieldError[], { apiVersion, kind }: NonNullable<Spec['paramKind']>): void {
  if (!apiVersion) errors.push(required('spec.paramKind.apiVersion'));
  else if (apiVersion.split('/').length > 2)
    errors.push(invalid('spec.paramKind.apiVersion', apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  if (!kind) errors.push(required('spec.paramKind.kind'));
  else {
    const problems = isDNS1035Label(kind.toLowerCase());
    if (problems.length > 0)
      errors.push(invalid('spec.paramKind.kind', kind, `may have mixed case, but should otherwise match: ${problems.join(',')}`));
  }
}

function validateVariables(errors: FieldError[], variables: Spec['variables']): void {
  for (const [index, { name, expression }] of (variables ?? []).entries()) {
    const path = `spec.variables[${index}]`;
    if (!name) errors.push(required(`${path}.name`));
    else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name)) errors.push(invalid(`${path}.name`, name, 'must be a valid CEL identifier'));
    if (!expression?.trim()) errors.push(required(`${path}.expression`, 'expression is not specified'));
  }
}

/** What does not compile, and what is wrong with the keys of annotations. */
function validateExpressions(errors: FieldError[], spec: Spec): void {
  const { variables, validations, auditAnnotations } = compilePolicy(spec);
  const check = (path: string, { source, error }: Expression): void => {
    if (error !== undefined) errors.push(invalid(path, source, error));
  };
  for (const [index, variable] of variables.entries()) check(`spec.variables[${index}].expression`, variable);
  for (const [index, { expression, message }] of validations.entries()) {
    check(`spec.validations[${index}].expression`, expression);
    if (message) check(`spec.validations[${index}].messageExpression`, message);
  }
  for (const [index, annotation] of auditAnnotations.entries()) check(`spec.auditAnnotations[${index}].valueExpression`, annotation);
}

function validateAuditAnnotations(errors: FieldError[], { metadata, spec = {} }: ValidatingAdmissionPolicy): void {
  const seen = new Set<string>();
  for (const [index, { key, valueExpression }] of (spec.auditAnnotations ?? []).entries()) {
    const path = `spec.auditAnnotations[${index}]`;
    const whole = `${metadata.name ?? ''}/${key}`;
    if (!key) errors.push(required(`${path}.key`));
    else report(errors, { path: `${path}.key`, value: whole }, isQualifiedName(whole));
    if (key && seen.has(key)) errors.push(duplicate(`${path}.key`, key));
    seen.add(key);
    if (!valueExpression?.trim()) errors.push(required(`${path}.valueExpression`, 'valueExpression is not specified'));
  }
}

function validateValidations(errors: FieldError[], validations: Spec['validations']): void {
  for (const [index, { expression, message, messageExpression, reason }] of (validations ?? []).entries()) {
    const path = `spec.validations[${index}]`;
    if (!expression?.trim()) errors.push(required(`${path}.expression`, 'expression is not specified'));
    if (message?.includes('\n')) errors.push(invalid(`${path}.message`, message, 'must not contain line breaks'));
    if (message !== undefined && !message.trim())
      errors.push(invalid(`${path}.message`, message, 'message must be non-empty if specified'));
    if (!message && !messageExpression && expression?.trim().includes('\n'))
      errors.push(required(`${path}.message`, 'message must be specified if expression contains line breaks'));
    oneOf(errors, { path: `${path}.reason`, value: reason }, ['Forbidden', 'Invalid', 'RequestEntityTooLarge']);
  }
}

function validateMatchResources(errors: FieldError[], path: string, match: MatchResources): void {
  requiredOneOf(errors, { path: `${path}.matchPolicy`, value: match.matchPolicy }, ['Equivalent', 'Exact']);
  labelSelector(errors, `${path}.namespaceSelector`, match.namespaceSelector);
  labelSelector(errors, `${path}.objectSelector`, match.objectSelector);
  for (const name of ['resourceRules', 'excludeResourceRules'] as const) {
    for (const [index, rule] of (match[name] ?? []).entries()) validateRule(errors, `${path}.${name}[${index}]`, rule);
  }
}

/** kubernetes pkg/registry/admissionregistration/validatingadmissionpolicybinding */
export const validatingAdmissionPolicyBindingRules: KindRules<ValidatingAdmissionPolicyBinding> = {
  defaults: setDefaultsValidatingAdmissionPolicyBinding,
  generation: true,
  validate: ({ spec = {} }) => {
    const errors: FieldError[] = [];
    if (!spec.policyName) errors.push(required('spec.policyName'));
    else report(errors, { path: 'spec.policyName', value: spec.policyName }, isDNS1123Subdomain(spec.policyName));
    if (spec.paramRef) validateParamRef(errors, spec.paramRef);
    if (spec.matchResources) validateMatchResources(errors, 'spec.matchResources', spec.matchResources);
    validateActions(errors, spec.validationActions ?? []);
    return errors;
  },
};

function validateParamRef(errors: FieldError[], { name, selector, parameterNotFoundAction }: ParamRef): void {
  const path = 'spec.paramRef';
  if (name && selector) {
    const text = 'name and selector are mutually exclusive';
    errors.push(forbidden(`${path}.name`, text), forbidden(`${path}.selector`, text));
  } else if (!name && !selector) errors.push(required(path, 'one of name or selector must be specified'));
  else if (name) report(errors, { path: `${path}.name`, value: name }, isDNS1123Subdomain(name));
  else labelSelector(errors, `${path}.selector`, selector);
  if (parameterNotFoundAction === undefined) errors.push(required(`${path}.parameterNotFoundAction`));
  else oneOf(errors, { path: `${path}.parameterNotFoundAction`, value: parameterNotFoundAction }, ['Allow', 'Deny']);
}

function validateActions(errors: FieldError[], actions: readonly string[]): void {
  const path = 'spec.validationActions';
  const seen = new Set<string>();
  for (const [index, action] of actions.entries()) {
    if (!['Audit', 'Deny', 'Warn'].includes(action)) errors.push(notSupported(`${path}[${index}]`, action, ['Audit', 'Deny', 'Warn']));
    if (seen.has(action)) errors.push(duplicate(`${path}[${index}]`, action));
    seen.add(action);
  }
  if (seen.has('Deny') && seen.has('Warn')) {
    errors.push(
      invalid(
        path,
        ['Deny', 'Warn'],
        'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ),
    );
  }
  if (actions.length === 0) errors.push(required(path, 'at least one validation action is required'));
}
