import type { UserInfo } from '../../../src/api/request.ts';
import { ApiStatusError } from '../../../src/api/status-error.ts';
import type { ServerCore } from '../server-core.ts';

const ANONYMOUS: UserInfo = { username: 'system:anonymous', groups: ['system:unauthenticated'] };
const BEARER = /^Bearer +(\S+)$/i;

/**
 * Who sends a request over HTTP: whom the configuration knows (by certificate, header or port), else the bearer of a service account's token, else nobody
 * in particular. apiserver pkg/authentication/request/union
 * @throws ApiStatusError 401 when the request shows a token that is not good
 */
export function authenticateRequest(server: ServerCore, request: Request): UserInfo {
  const known = server.config.authenticate?.(request);
  if (known) return known;
  const [, token] = BEARER.exec(request.headers.get('authorization') ?? '') ?? [];
  if (token === undefined) return ANONYMOUS;
  const bearer = server.tokens.authenticate(token);
  if (!bearer) throw new ApiStatusError({ message: 'Unauthorized', reason: 'Unauthorized', code: 401 });
  return bearer;
}
