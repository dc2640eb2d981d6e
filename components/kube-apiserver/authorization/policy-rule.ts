import type { PolicyRule } from '../../../src/api/kinds/rbac-v1.ts';
import type { AuthorizationAttributes } from './authorizer.ts';

/** Whether one rule lets a request pass. pkg/apis/rbac/v1.RuleAllows and its helpers */
export function ruleAllows(rule: PolicyRule, attributes: AuthorizationAttributes): boolean {
  return ruleCovers(rule, attributes) && (!attributes.isResourceRequest || isForName(rule, attributes.name));
}

/** Whether a rule is about such requests, for whatever names it may be. */
export function ruleCovers(rule: PolicyRule, attributes: AuthorizationAttributes): boolean {
  if (!includesOrAll(rule.verbs, attributes.verb)) return false;
  if (!attributes.isResourceRequest) return (rule.nonResourceURLs ?? []).some((pattern) => matchesPath(pattern, attributes.path));
  return includesOrAll(rule.apiGroups, attributes.group) && matchesResource(rule.resources, attributes);
}

function isForName({ resourceNames }: PolicyRule, name: string): boolean {
  return !resourceNames?.length || resourceNames.includes(name);
}

function includesOrAll(list: readonly string[] | undefined, value: string): boolean {
  return list !== undefined && (list.includes(value) || list.includes('*'));
}

function matchesResource(resources: readonly string[] | undefined, { resource, subresource }: AuthorizationAttributes): boolean {
  if (!resources) return false;
  if (!subresource) return resources.includes(resource) || resources.includes('*');
  return resources.includes(`${resource}/${subresource}`) || resources.includes('*') || resources.includes(`*/${subresource}`);
}

function matchesPath(pattern: string, path: string): boolean {
  if (pattern === '*' || pattern === path) return true;
  return pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1));
}
