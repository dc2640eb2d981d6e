import type { PolicyRule } from '../../../src/api/kinds/rbac-v1.ts';

/** What a rule allows, one thing at a time: one group, resource, name and verb, or one path and verb. component-helpers auth/rbac/validation.BreakdownRule */
export function breakdownRule(rule: PolicyRule): PolicyRule[] {
  const parts: PolicyRule[] = [];
  for (const apiGroup of rule.apiGroups ?? []) {
    for (const resource of rule.resources ?? []) {
      for (const verb of rule.verbs) {
        const base = { apiGroups: [apiGroup], resources: [resource], verbs: [verb] };
        if (!rule.resourceNames?.length) parts.push(base);
        else for (const name of rule.resourceNames) parts.push({ ...base, resourceNames: [name] });
      }
    }
  }
  for (const url of rule.nonResourceURLs ?? []) for (const verb of rule.verbs) parts.push({ nonResourceURLs: [url], verbs: [verb] });
  return parts;
}

/** The parts of `wanted` that no rule of `held` covers. component-helpers auth/rbac/validation.Covers */
export function uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(breakdownRule).filter((part) => !held.some((rule) => covers(rule, part)));
}

function covers(owner: PolicyRule, part: PolicyRule): boolean {
  if (!hasAll(owner.verbs, part.verbs)) return false;
  if (part.nonResourceURLs) return part.nonResourceURLs.every((url) => (owner.nonResourceURLs ?? []).some((held) => coversUrl(held, url)));
  if (
    !hasAll(owner.apiGroups, part.apiGroups) ||
    !(part.resources ?? []).every((resource) => coversResource(owner.resources ?? [], resource))
  )
    return false;
  if (!owner.resourceNames?.length) return true;
  return (part.resourceNames ?? []).length > 0 && hasAll(owner.resourceNames, part.resourceNames);
}

function hasAll(held: readonly string[] | undefined, wanted: readonly string[] | undefined): boolean {
  return held?.includes('*') || (wanted ?? []).every((item) => held?.includes(item));
}

function coversResource(held: readonly string[], resource: string): boolean {
  if (held.includes('*') || held.includes(resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && held.includes(`*${resource.slice(slash)}`);
}

function coversUrl(held: string, url: string): boolean {
  return held === '*' || held === url || (held.endsWith('*') && url.startsWith(held.slice(0, -1)));
}

/** Rules as the refusal of an escalation lists them, in order. pkg/registry/rbac/escalation_check, rbac.CompactRules, PolicyRule.CompactString */
export function printRules(rules: readonly PolicyRule[]): string[] {
  return compactRules(rules).map(printRule).sort();
}

/** Parts that differ in their verbs only come together again. */
function compactRules(rules: readonly PolicyRule[]): PolicyRule[] {
  const compact = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const { verbs, ...rest } = rule;
    const key = JSON.stringify(rest);
    const known = compact.get(key);
    compact.set(key, known ? { ...known, verbs: [...known.verbs, ...verbs] } : rule);
  }
  return [...compact.values()];
}

function printRule({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: PolicyRule): string {
  const list = (label: string, items: readonly string[] | undefined): string[] =>
    items?.length ? [`${label}:[${items.map((item) => JSON.stringify(item)).join(' ')}]`] : [];
  const parts = [
    ...list('APIGroups', apiGroups),
    ...list('Resources', resources),
    ...list('NonResourceURLs', nonResourceURLs),
    ...list('ResourceNames', resourceNames),
    ...list('Verbs', verbs),
  ];
  return `{${parts.join(', ')}}`;
}
