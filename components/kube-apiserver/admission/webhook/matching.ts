import type { RuleWithOperations } from '../../../../src/api/kinds/admissionregistration-v1.ts';
import type { Resource } from '../../../../src/api/resource.ts';
import { namespaces } from '../../../../src/api/resources.ts';
import type { AdmissionAttributes } from '../chain.ts';
import type { Hook } from './webhook-configurations.ts';

/** Kinds that guard the API are never guarded themselves, or nobody could lift a guard that refuses everything. */
const EXEMPT = new Set([
  'validatingwebhookconfigurations',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
]);

/**
 * Whether a webhook is to be asked, and about which version of the resource; undefined when not.
 * apiserver pkg/admission/plugin/webhook/generic.Webhook.ShouldCallHook
 */
export function versionToAsk(hook: Hook, attributes: AdmissionAttributes): Resource | undefined {
  const { resource } = attributes.context;
  if (resource.group === 'admissionregistration.k8s.io' && EXEMPT.has(resource.resource)) return undefined;
  const { rules = [], matchPolicy } = hook.webhook;
  const asked = versionInRules(rules, attributes, matchPolicy !== 'Exact');
  if (!asked || !namespaceMatches(hook, attributes) || !objectMatches(hook, attributes)) return undefined;
  return asked;
}

/** The version that the first rule names: that of the request, else an equivalent one that is served. */
export function versionInRules(
  rules: readonly RuleWithOperations[],
  attributes: AdmissionAttributes,
  equivalents: boolean,
): Resource | undefined {
  const { resource } = attributes.context;
  if (rules.some((rule) => ruleMatches(rule, attributes, resource))) return resource;
  if (!equivalents) return undefined;
  for (const rule of rules) {
    const found = equivalentsOf(attributes).find((candidate) => ruleMatches(rule, attributes, candidate));
    if (found) return found;
  }
  return undefined;
}

/** Other versions under which the same objects are served. */
function equivalentsOf({ context: { server, resource, storage } }: AdmissionAttributes): Resource[] {
  return [...server.resources()].filter(
    (other) => other !== resource && other.resource === resource.resource && server.storage(other) === storage,
  );
}

/** apiserver pkg/admission/plugin/webhook/predicates/rules.Matcher.Matches */
function ruleMatches(rule: RuleWithOperations, { operation, context }: AdmissionAttributes, resource: Resource): boolean {
  const includes = (list: readonly string[] | undefined, wanted: string): boolean => Boolean(list?.includes('*') || list?.includes(wanted));
  if (!includes(rule.operations, operation) || !includes(rule.apiGroups, resource.group) || !includes(rule.apiVersions, resource.version))
    return false;
  if (!scopeMatches(rule.scope, resource)) return false;
  return (rule.resources ?? []).some((entry) => {
    const [name = '', subresource = ''] = entry.split('/', 2);
    return (name === '*' || name === resource.resource) && (subresource === '*' || subresource === context.subresource);
  });
}

function scopeMatches(scope: string | undefined, { namespaced }: Resource): boolean {
  if (scope === undefined || scope === '*') return true;
  return scope === 'Namespaced' ? namespaced : !namespaced;
}

/** apiserver pkg/admission/plugin/webhook/predicates/namespace.Matcher.MatchNamespaceSelector */
function namespaceMatches({ namespaceSelector }: Hook, { context, operation, object }: AdmissionAttributes): boolean {
  if (namespaceSelector.empty) return true;
  const { resource, namespace, subresource, server, request } = context;
  if (resource.resource === 'namespaces' && resource.group === '') {
    if (!subresource && object && (operation === 'CREATE' || operation === 'UPDATE'))
      return namespaceSelector.matches(object.metadata.labels);
    return namespaceSelector.matches(server.storage(namespaces).get('', request.info.name)?.metadata.labels);
  }
  if (!resource.namespaced) return true;
  return namespaceSelector.matches(server.storage(namespaces).get('', namespace)?.metadata.labels);
}

/** apiserver pkg/admission/plugin/webhook/predicates/object.Matcher.MatchObjectSelector */
function objectMatches({ objectSelector }: Hook, { object, oldObject }: AdmissionAttributes): boolean {
  if (objectSelector.empty) return true;
  return [object, oldObject].some((candidate) => candidate?.metadata && objectSelector.matches(candidate.metadata.labels));
}
