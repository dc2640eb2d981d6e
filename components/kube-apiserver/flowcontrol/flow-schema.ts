import type {
  FlowSchema,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from '../../../src/api/kinds/flowcontrol-v1.ts';
import type { ApiRequest, UserInfo } from '../../../src/api/request.ts';

type Digest = Pick<ApiRequest, 'info' | 'user'>;

/** The schema that a request belongs to: of those that match, the one that is tried first. apiserver pkg/util/flowcontrol startRequest */
export function flowSchemaOf(request: Digest, schemas: readonly FlowSchema[]): FlowSchema | undefined {
  return schemas.toSorted(byPrecedence).find(({ spec }) => spec?.rules?.some((rule) => matchesRule(request, rule)));
}

function byPrecedence(a: FlowSchema, b: FlowSchema): number {
  const order = (a.spec?.matchingPrecedence ?? 0) - (b.spec?.matchingPrecedence ?? 0);
  return order || ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1);
}

/** apiserver pkg/util/flowcontrol matchesPolicyRule */
function matchesRule({ info, user }: Digest, rule: PolicyRulesWithSubjects): boolean {
  if (!rule.subjects.some((subject) => matchesSubject(user, subject))) return false;
  return info.isResourceRequest
    ? (rule.resourceRules ?? []).some((candidate) => matchesResource(info, candidate))
    : (rule.nonResourceRules ?? []).some((candidate) => matchesPath(info, candidate));
}

function matchesSubject({ username, groups }: UserInfo, { kind, user, group, serviceAccount }: Subject): boolean {
  switch (kind) {
    case 'User':
      return user?.name === '*' || user?.name === username;
    case 'Group':
      return group?.name === '*' || groups.includes(group?.name ?? '');
    default: {
      const { namespace = '', name = '' } = serviceAccount ?? {};
      const prefix = `system:serviceaccount:${namespace}:`;
      return name === '*' ? username.startsWith(prefix) : username === `${prefix}${name}`;
    }
  }
}

function matchesResource(info: ApiRequest['info'], rule: ResourcePolicyRule): boolean {
  const resource = info.subresource ? `${info.resource}/${info.subresource}` : info.resource;
  const inScope = info.namespace
    ? (rule.namespaces ?? []).some((name) => name === '*' || name === info.namespace)
    : (rule.clusterScope ?? false);
  return inScope && has(rule.verbs, info.verb) && has(rule.resources, resource) && has(rule.apiGroups, info.group);
}

function matchesPath({ verb, path }: ApiRequest['info'], { verbs, nonResourceURLs }: NonResourcePolicyRule): boolean {
  const isIn = (url: string): boolean => url === '*' || url === path || (url.endsWith('/*') && path.startsWith(url.slice(0, -1)));
  return has(verbs, verb) && nonResourceURLs.some(isIn);
}

function has(list: readonly string[], value: string): boolean {
  return list.includes('*') || list.includes(value);
}
