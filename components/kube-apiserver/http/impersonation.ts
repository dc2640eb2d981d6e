import type { UserInfo } from '../../../src/api/request.ts';
import type { AuthorizationAttributes } from '../authorization/authorizer.ts';
import { forbiddenByAuthorizer } from '../authorization/forbidden.ts';
import type { ServerCore } from '../server-core.ts';

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;

/** A request that asks for a group or uid without a user: it is answered in plain text. */
export class BadImpersonation extends Error {
  override name = 'BadImpersonation';
}

/** The user on whose behalf the request is made, if its headers name one and the sender may. apiserver pkg/endpoints/filters.WithImpersonation */
export function impersonate(server: ServerCore, user: UserInfo, headers: Headers): UserInfo {
  const name = headers.get('impersonate-user') ?? '';
  const groups = (headers.get('impersonate-group') ?? '').split(',').flatMap((group) => (group.trim() ? [group.trim()] : []));
  const uid = headers.get('impersonate-uid') ?? '';
  const extra = extraOf(headers);
  if (!name) {
    const asked = groups.map((group) => `{Group  ${group}    }`);
    for (const [key, values] of Object.entries(extra))
      asked.push(...values.map((value) => `{UserExtra  ${value}  authentication.k8s.io/v1  ${key}}`));
    if (uid) asked.push(`{UID  ${uid}  authentication.k8s.io/v1  }`);
    if (asked.length === 0) return user;
    throw new BadImpersonation(`requested [${asked.join(' ')}] without impersonating a user`);
  }
  const account = SERVICE_ACCOUNT.exec(name);
  const check = (what: Partial<AuthorizationAttributes>): void => assertMay(server, user, what);
  check(account ? { resource: 'serviceaccounts', namespace: account[1] ?? '', name: account[2] ?? '' } : { resource: 'users', name });
  for (const group of groups) check({ resource: 'groups', name: group });
  for (const [key, values] of Object.entries(extra)) {
    for (const value of values) check({ group: 'authentication.k8s.io', resource: 'userextras', subresource: key, name: value });
  }
  if (uid) check({ group: 'authentication.k8s.io', resource: 'uids', name: uid });
  const all = withStandardGroups(
    name,
    account && groups.length === 0 ? ['system:serviceaccounts', `system:serviceaccounts:${account[1]}`] : groups,
  );
  return { username: name, groups: all, ...(uid ? { uid } : {}), ...(Object.keys(extra).length > 0 ? { extra } : {}) };
}

function withStandardGroups(name: string, groups: readonly string[]): readonly string[] {
  if (groups.includes('system:authenticated') || groups.includes('system:unauthenticated')) return groups;
  return [...groups, name === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated'];
}

function extraOf(headers: Headers): Record<string, string[]> {
  const extra: Record<string, string[]> = {};
  for (const [key, value] of headers) {
    if (!key.startsWith('impersonate-extra-')) continue;
    extra[unescapeExtraKey(key.slice('impersonate-extra-'.length))] = value.split(',').map((item) => item.trim());
  }
  return extra;
}

/** What is no escape stays as it is. apiserver pkg/endpoints/filters.unescapeExtraKey */
function unescapeExtraKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

function assertMay(server: ServerCore, user: UserInfo, what: Partial<AuthorizationAttributes>): void {
  const base = {
    isResourceRequest: true,
    verb: 'impersonate',
    path: '',
    group: '',
    version: 'v1',
    resource: '',
    subresource: '',
    namespace: '',
    name: '',
  };
  const attributes = { ...base, ...what, user };
  const { decision, reason } = server.authorizer.authorize(attributes);
  if (decision !== 'allow') throw forbiddenByAuthorizer(attributes, reason);
}
