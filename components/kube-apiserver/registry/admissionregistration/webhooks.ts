import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  RuleWithOperations,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
  WebhookClientConfig,
} from '../../../../src/api/kinds/admissionregistration-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1035Label, isDNS1123Subdomain, isQualifiedName, isValidPortNumber } from '../../../../src/api/validation/content.ts';
import { duplicate, invalid, notSupported, required, tooMany } from '../../../../src/api/validation/field.ts';
import { compileExpression } from '../../admission/policy/compiled-policy.ts';
import type { KindRules } from '../kind-strategy.ts';
import { labelSelector, oneOf, report } from '../validation.ts';
import { setDefaultsMutatingWebhookConfiguration, setDefaultsValidatingWebhookConfiguration } from './defaults.ts';

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const REVIEW_VERSIONS = ['v1', 'v1beta1'];

/** kubernetes pkg/registry/admissionregistration/mutatingwebhookconfiguration */
export const mutatingWebhookConfigurationRules: KindRules<MutatingWebhookConfiguration> = {
  defaults: setDefaultsMutatingWebhookConfiguration,
  generation: true,
  changes: (object, old) => !semanticDeepEqual(object.webhooks, old.webhooks),
  validate: ({ webhooks }) => {
    const errors = validateWebhooks(webhooks);
    for (const [index, { reinvocationPolicy }] of (webhooks ?? []).entries())
      oneOf(errors, { path: `webhooks[${index}].reinvocationPolicy`, value: reinvocationPolicy }, ['IfNeeded', 'Never']);
    return errors;
  },
};

/** kubernetes pkg/registry/admissionregistration/validatingwebhookconfiguration */
export const validatingWebhookConfigurationRules: KindRules<ValidatingWebhookConfiguration> = {
  defaults: setDefaultsValidatingWebhookConfiguration,
  generation: true,
  changes: (object, old) => !semanticDeepEqual(object.webhooks, old.webhooks),
  validate: ({ webhooks }) => validateWebhooks(webhooks),
};

/** kubernetes pkg/apis/admissionregistration/validation validateValidatingWebhookConfiguration */
function validateWebhooks(webhooks: readonly (MutatingWebhook | ValidatingWebhook)[] | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [index, webhook] of (webhooks ?? []).entries()) {
    const path = `webhooks[${index}]`;
    validateWebhook(errors, path, webhook);
    if (!webhook.name) continue;
    if (names.has(webhook.name)) errors.push(duplicate(`${path}.name`, webhook.name));
    names.add(webhook.name);
  }
  return errors;
}

function validateWebhook(errors: FieldError[], path: string, hook: MutatingWebhook | ValidatingWebhook): void {
  const name = hook.name ?? '';
  if (!name) errors.push(required(`${path}.name`));
  else {
    report(errors, { path: `${path}.name`, value: name }, isDNS1123Subdomain(name));
    if (name.split('.').length < 3)
      errors.push(invalid(`${path}.name`, name, 'should be a domain with at least three segments separated by dots'));
  }
  for (const [position, rule] of (hook.rules ?? []).entries()) validateRule(errors, `${path}.rules[${position}]`, rule);
  oneOf(errors, { path: `${path}.failurePolicy`, value: hook.failurePolicy }, ['Fail', 'Ignore']);
  oneOf(errors, { path: `${path}.matchPolicy`, value: hook.matchPolicy }, ['Equivalent', 'Exact']);
  if (!hook.sideEffects) errors.push(required(`${path}.sideEffects`, 'must specify one of None, NoneOnDryRun'));
  else oneOf(errors, { path: `${path}.sideEffects`, value: hook.sideEffects }, ['None', 'NoneOnDryRun']);
  if (hook.timeoutSeconds !== undefined && (hook.timeoutSeconds < 1 || hook.timeoutSeconds > 30))
    errors.push(invalid(`${path}.timeoutSeconds`, hook.timeoutSeconds, 'the timeout value must be between 1 and 30 seconds'));
  labelSelector(errors, `${path}.namespaceSelector`, hook.namespaceSelector);
  labelSelector(errors, `${path}.objectSelector`, hook.objectSelector);
  validateClientConfig(errors, `${path}.clientConfig`, hook.clientConfig ?? {});
  validateReviewVersions(errors, `${path}.admissionReviewVersions`, hook.admissionReviewVersions ?? []);
  validateMatchConditions(errors, `${path}.matchConditions`, { conditions: hook.matchConditions, params: false });
}

function validateReviewVersions(errors: FieldError[], path: string, versions: readonly string[]): void {
  if (versions.length === 0) {
    errors.push(required(path, 'must specify one of v1, v1beta1'));
    return;
  }
  validateVersionNames(errors, path, versions);
  if (!versions.some((version) => REVIEW_VERSIONS.includes(version)))
    errors.push(invalid(path, versions, 'must include at least one of v1, v1beta1'));
}

/** Versions of reviews that a webhook understands: names, each once. */
export function validateVersionNames(errors: FieldError[], path: string, versions: readonly string[]): void {
  const seen = new Set<string>();
  for (const [index, version] of versions.entries()) {
    if (seen.has(version)) errors.push(invalid(`${path}[${index}]`, version, 'duplicate version'));
    else report(errors, { path: `${path}[${index}]`, value: version }, isDNS1035Label(version));
    seen.add(version);
  }
}

interface MatchConditions {
  readonly conditions: readonly { readonly name: string; readonly expression: string }[] | undefined;
  /** Whether expressions may name `params`. */
  readonly params: boolean;
}

/** kubernetes pkg/apis/admissionregistration/validation validateMatchConditions */
export function validateMatchConditions(errors: FieldError[], path: string, { conditions, params }: MatchConditions): void {
  if ((conditions ?? []).length > 64) errors.push(tooMany(path, conditions?.length ?? 0, 64));
  const names = new Set<string>();
  for (const [index, { name, expression }] of (conditions ?? []).entries()) {
    const at = `${path}[${index}]`;
    if (!expression?.trim()) errors.push(required(`${at}.expression`));
    else {
      const { error } = compileExpression(expression, { params, authorizer: true }, ['bool']);
      if (error !== undefined) errors.push(invalid(`${at}.expression`, expression, error));
    }
    if (!name) errors.push(required(`${at}.name`));
    else report(errors, { path: `${at}.name`, value: name }, isQualifiedName(name));
    if (name && names.has(name)) errors.push(duplicate(`${at}.name`, name));
    names.add(name);
  }
}

/** kubernetes pkg/apis/admissionregistration/validation validateRuleWithOperations */
export function validateRule(errors: FieldError[], path: string, rule: RuleWithOperations): void {
  list(errors, `${path}.operations`, { values: rule.operations ?? [], what: 'operations' });
  for (const [index, operation] of (rule.operations ?? []).entries())
    if (!OPERATIONS.includes(operation)) errors.push(notSupported(`${path}.operations[${index}]`, operation, OPERATIONS));
  list(errors, `${path}.apiGroups`, { values: rule.apiGroups ?? [], what: 'API groups' });
  list(errors, `${path}.apiVersions`, { values: rule.apiVersions ?? [], what: 'API versions' });
  for (const [index, version] of (rule.apiVersions ?? []).entries())
    if (version === '') errors.push(required(`${path}.apiVersions[${index}]`));
  const resources = rule.resources ?? [];
  if (resources.length === 0) errors.push(required(`${path}.resources`));
  validateResources(errors, `${path}.resources`, resources);
  oneOf(errors, { path: `${path}.scope`, value: rule.scope }, ['*', 'Cluster', 'Namespaced']);
}

/** kubernetes pkg/apis/admissionregistration/validation validateResources: what comes first decides what may follow. */
function validateResources(errors: FieldError[], path: string, resources: readonly string[]): void {
  const withAllSubresources = new Set<string>();
  const ofAllResources = new Set<string>();
  let plain = false;
  for (const [index, resource] of resources.entries()) {
    if (resource === '') {
      errors.push(required(`${path}[${index}]`));
      continue;
    }
    const slash = resource.indexOf('/');
    if (slash < 0) {
      // Like there, only the last one without a subresource counts.
      plain = resource !== '*';
      continue;
    }
    const name = resource.slice(0, slash);
    const subresource = resource.slice(slash + 1);
    if (withAllSubresources.has(name))
      errors.push(invalid(`${path}[${index}]`, resource, `if '${name}/*' is present, must not specify ${resource}`));
    if (ofAllResources.has(subresource))
      errors.push(invalid(`${path}[${index}]`, resource, `if '*/${subresource}' is present, must not specify ${resource}`));
    if (subresource === '*') withAllSubresources.add(name);
    if (name === '*') ofAllResources.add(subresource);
  }
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(invalid(path, resources, "if '*/*' is present, must not specify other resources"));
  if (resources.includes('*') && plain)
    errors.push(invalid(path, resources, "if '*' is present, must not specify other resources without subresources"));
}

function list(errors: FieldError[], path: string, { values, what }: { values: readonly string[]; what: string }): void {
  if (values.length === 0) errors.push(required(path));
  if (values.length > 1 && values.includes('*')) errors.push(invalid(path, values, `if '*' is present, must not specify other ${what}`));
}

/** Where a webhook listens: a URL or a Service. */
export function validateClientConfig(errors: FieldError[], path: string, { url, service }: WebhookClientConfig): void {
  if ((url === undefined) === (service === undefined)) errors.push(required(path, 'exactly one of url or service is required'));
  else if (url !== undefined) validateWebhookURL(errors, `${path}.url`, url);
  else if (service) validateWebhookService(errors, `${path}.service`, service);
}

/** apiserver pkg/util/webhook ValidateWebhookURL */
function validateWebhookURL(errors: FieldError[], path: string, text: string): void {
  const form = '; desired format: https://host[/path]';
  const match = /^(?:([a-zA-Z][\w+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(text);
  const [, scheme = '', authority = '', , query, fragment] = match ?? [];
  const at = authority.lastIndexOf('@');
  if (scheme !== 'https') errors.push(invalid(path, scheme, `'https' is the only allowed URL scheme${form}`));
  if (!authority.slice(at + 1)) errors.push(invalid(path, '', `host must be specified${form}`));
  if (at >= 0) errors.push(invalid(path, authority.slice(0, at), 'user information is not permitted in the URL'));
  if (fragment) errors.push(invalid(path, fragment, 'fragments are not permitted in the URL'));
  if (query) errors.push(invalid(path, query, 'query parameters are not permitted in the URL'));
}

type ServiceReference = NonNullable<WebhookClientConfig['service']>;

/** apiserver pkg/util/webhook ValidateWebhookService */
function validateWebhookService(errors: FieldError[], path: string, { name, namespace, path: urlPath, port }: ServiceReference): void {
  // The real one mixes the two up.
  if (!name) errors.push(required(`${path}.namespace`));
  if (!namespace) errors.push(required(`${path}.name`));
  if (port !== undefined && isValidPortNumber(port).length > 0)
    errors.push(invalid(`${path}.port`, port, `port is not valid: ${isValidPortNumber(port).join(',')}`));
  if (urlPath === undefined || urlPath === '' || urlPath === '/') return;
  if (!urlPath.startsWith('/')) errors.push(invalid(`${path}.path`, urlPath, "must start with a '/'"));
  const segments = urlPath.slice(1).split('/');
  for (const [index, segment] of segments.entries()) {
    if (segment === '') {
      if (index < segments.length - 1 || segments.length === 1)
        errors.push(invalid(`${path}.path`, urlPath, `segment[${index}] may not be empty`));
    } else
      for (const message of isDNS1123Subdomain(segment)) errors.push(invalid(`${path}.path`, urlPath, `segment[${index}]: ${message}`));
  }
}
