import { ApiStatusError } from '../../../src/api/status-error.ts';
import type { AuthorizationAttributes } from './authorizer.ts';

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** apiserver pkg/endpoints/handlers/responsewriters.Forbidden, ForbiddenStatusError */
export function forbiddenByAuthorizer(attributes: AuthorizationAttributes, reason: string): ApiStatusError {
  const { group, resource, subresource, namespace, name, verb, path, user, isResourceRequest } = attributes;
  const who = `User "${escapeHtml(user.username)}" cannot`;
  if (!isResourceRequest)
    return new ApiStatusError({
      message: `forbidden: ${who} ${verb} path "${escapeHtml(path)}"`,
      reason: 'Forbidden',
      details: {},
      code: 403,
    });
  const what = `resource "${resource}${subresource ? `/${subresource}` : ''}" in API group "${group}"`;
  const where = namespace ? `in the namespace "${namespace}"` : 'at the cluster scope';
  const subject = `${group ? `${resource}.${group}` : resource}${name ? ` "${name}"` : ''}`;
  return new ApiStatusError({
    message: `${subject} is forbidden: ${who} ${verb} ${escapeHtml(what)} ${where}${reason ? `: ${reason}` : ''}`,
    reason: 'Forbidden',
    details: { ...(name ? { name } : {}), ...(group ? { group } : {}), kind: resource },
    code: 403,
  });
}
