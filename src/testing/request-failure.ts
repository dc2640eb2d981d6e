import type { ApiRequest } from '../api/request.ts';
import type { Resource } from '../api/resource.ts';
import { ApiStatusError, newConflict, newForbidden, newNotFound } from '../api/status-error.ts';
import type { RequestRule } from '../cluster/network.ts';

/** Which request goes wrong, and how. */
export interface FailedRequest {
  /** get, list, watch, create, update, patch, delete. Any if absent. */
  readonly verb?: string;
  readonly resource?: Resource;
  readonly name?: string;
  /** `''` is the object itself. */
  readonly subresource?: string;
  /** What the sender hears; `reset` is a connection that breaks. Default 500. */
  readonly status?: 403 | 404 | 409 | 429 | 500 | 503 | 'reset';
  /** kube-apiserver does what was asked all the same: only the answer is wrong. */
  readonly carriedOut?: boolean;
}

/** The rule for the network that makes one such request fail. */
export function requestRule(failure: FailedRequest): RequestRule {
  const { status = 500, carriedOut = false } = failure;
  return (request) => {
    if (!fits(failure, request)) return undefined;
    if (status === 'reset') return { carriedOut };
    const error = errorOf(status, request);
    return { carriedOut, answer: { code: error.code, body: error.status } };
  };
}

function fits({ verb, resource, name, subresource }: FailedRequest, { info }: ApiRequest): boolean {
  return (
    (verb === undefined || verb === info.verb) &&
    (resource === undefined || (resource.group === info.group && resource.resource === info.resource)) &&
    (name === undefined || name === info.name) &&
    (subresource === undefined || subresource === info.subresource)
  );
}

function errorOf(status: Exclude<FailedRequest['status'], 'reset' | undefined>, { info }: ApiRequest): ApiStatusError {
  switch (status) {
    case 403:
      return newForbidden(info, info.name, 'injected by the test');
    case 404:
      return newNotFound(info, info.name);
    case 409:
      return newConflict(info, info.name, 'the object has been modified; please apply your changes to the latest version and try again');
    case 429:
      return new ApiStatusError({
        code: 429,
        reason: 'TooManyRequests',
        message: 'The server has received too many requests and has asked us to try again later',
      });
    case 500:
      return new ApiStatusError({ code: 500, reason: 'InternalError', message: 'Internal error occurred: injected by the test' });
    case 503:
      return new ApiStatusError({
        code: 503,
        reason: 'ServiceUnavailable',
        message: 'the server is currently unable to handle the request',
      });
  }
}
