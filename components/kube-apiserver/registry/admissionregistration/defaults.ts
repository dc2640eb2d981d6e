import type {
  MatchResources,
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from '../../../../src/api/kinds/admissionregistration-v1.ts';

/** kubernetes pkg/apis/admissionregistration/v1 SetDefaults_MutatingWebhook */
export function setDefaultsMutatingWebhookConfiguration({ webhooks }: MutatingWebhookConfiguration): void {
  for (const webhook of webhooks ?? []) {
    setDefaultsWebhook(webhook);
    webhook.reinvocationPolicy ??= 'Never';
  }
}

/** kubernetes pkg/apis/admissionregistration/v1 SetDefaults_ValidatingWebhook */
export function setDefaultsValidatingWebhookConfiguration({ webhooks }: ValidatingWebhookConfiguration): void {
  for (const webhook of webhooks ?? []) setDefaultsWebhook(webhook);
}

function setDefaultsWebhook(webhook: MutatingWebhook | ValidatingWebhook): void {
  webhook.failurePolicy ??= 'Fail';
  webhook.matchPolicy ??= 'Equivalent';
  webhook.namespaceSelector ??= {};
  webhook.objectSelector ??= {};
  webhook.timeoutSeconds ??= 10;
  if (webhook.clientConfig?.service) webhook.clientConfig.service.port ??= 443;
  for (const rule of webhook.rules ?? []) rule.scope ??= '*';
}

/** kubernetes pkg/apis/admissionregistration/v1 SetDefaults_ValidatingAdmissionPolicySpec */
export function setDefaultsValidatingAdmissionPolicy({ spec }: ValidatingAdmissionPolicy): void {
  if (!spec) return;
  spec.failurePolicy ??= 'Fail';
  if (spec.matchConstraints) setDefaultsMatchResources(spec.matchConstraints);
}

export function setDefaultsValidatingAdmissionPolicyBinding({ spec }: ValidatingAdmissionPolicyBinding): void {
  if (spec?.matchResources) setDefaultsMatchResources(spec.matchResources);
}

/** kubernetes pkg/apis/admissionregistration/v1 SetDefaults_MatchResources */
function setDefaultsMatchResources(match: MatchResources): void {
  match.matchPolicy ??= 'Equivalent';
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
  for (const rule of [...(match.resourceRules ?? []), ...(match.excludeResourceRules ?? [])]) rule.scope ??= '*';
}
