import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '../../../src/api/kinds/admissionregistration-v1.ts';
import { validatingadmissionpolicies, validatingadmissionpolicybindings } from '../../../src/api/resources.ts';
import { ApiStatusError, newForbidden } from '../../../src/api/status-error.ts';
import type { AdmissionAttributes, AdmissionPlugin } from './chain.ts';
import { type Denial, evaluatePolicy } from './policy/evaluate-policy.ts';
import { versionToCheck } from './policy/policy-matching.ts';
import { collectParams } from './policy/policy-params.ts';

const CODES: Readonly<Record<string, number>> = { Unauthorized: 401, Forbidden: 403, RequestEntityTooLarge: 413, Invalid: 422 };

/** Asks the policies that are bound to requests like this one. apiserver pkg/admission/plugin/policy/validating.Plugin */
export const validatingAdmissionPolicy: AdmissionPlugin = {
  name: 'ValidatingAdmissionPolicy',
  validate: (attributes) => {
    const { server } = attributes.context;
    const bindings = server.storage(validatingadmissionpolicybindings);
    if (bindings.keyspace.size === 0) return undefined;
    const policies = server.storage(validatingadmissionpolicies);
    let denied: ApiStatusError | undefined;
    for (const binding of bindings.list()) {
      const policy = policies.get('', binding.spec?.policyName ?? '');
      if (policy) denied ??= checkBinding(attributes, policy, binding);
    }
    if (denied) throw denied;
    return undefined;
  },
};

/** Warns and annotates as the binding wants; returns the first refusal. apiserver pkg/admission/plugin/policy/validating.dispatcher.Dispatch */
function checkBinding(
  attributes: AdmissionAttributes,
  policy: ValidatingAdmissionPolicy,
  binding: ValidatingAdmissionPolicyBinding,
): ApiStatusError | undefined {
  const asked = versionToCheck(policy.spec?.matchConstraints, attributes);
  if (!asked || !versionToCheck(binding.spec?.matchResources, attributes)) return undefined;
  const { params, error } = collectParams(attributes, policy.spec?.paramKind, binding.spec?.paramRef);
  const names = { policy: policy.metadata.name ?? '', binding: binding.metadata.name ?? '' };
  if (error !== undefined) {
    if (policy.spec?.failurePolicy === 'Ignore') return undefined;
    return refusal(attributes, names, { message: `failed to configure binding: ${error}`, reason: 'Invalid' });
  }
  const actions = binding.spec?.validationActions ?? [];
  const { warnings, stages } = attributes.context;
  let denied: ApiStatusError | undefined;
  for (const param of params) {
    const { denials, annotations } = evaluatePolicy(attributes, { policy, asked, params: param });
    for (const { key, value } of annotations) stages.annotate(`${names.policy}/${key}`, value);
    for (const [index, denial] of denials.entries()) {
      if (actions.includes('Deny')) denied ??= refusal(attributes, names, denial);
      if (actions.includes('Warn'))
        warnings.push(
          `Validation failed for ValidatingAdmissionPolicy '${names.policy}' with binding '${names.binding}': ${denial.message}`,
        );
      if (actions.includes('Audit')) {
        const failure = { message: denial.message, ...names, expressionIndex: index, validationActions: actions };
        stages.annotate('validation.policy.admission.k8s.io/validation_failure', JSON.stringify([failure]));
      }
    }
  }
  return denied;
}

function refusal(attributes: AdmissionAttributes, names: { policy: string; binding: string }, { message, reason }: Denial): ApiStatusError {
  const text = `ValidatingAdmissionPolicy '${names.policy}' with binding '${names.binding}' denied request: ${message}`;
  const { status } = newForbidden(attributes.context.resource, attributes.name, text);
  return new ApiStatusError({
    message: status.message ?? '',
    reason,
    details: { ...status.details, causes: [{ message: text }] },
    code: CODES[reason] ?? 422,
  });
}
