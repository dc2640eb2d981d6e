import type { Status } from '../api/kinds/meta-v1.ts';
import type { ApiResponse, RequestInfo } from '../api/request.ts';
import { groupResource } from '../api/resource.ts';
import { ApiStatusError } from '../api/status-error.ts';

const METHODS: Readonly<Record<string, string>> = {
  create: 'post',
  update: 'put',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'delete',
};

/** Answers that are no Status: apimachinery pkg/api/errors NewGenericServerResponse, by code. */
const GENERIC: Readonly<Record<number, readonly [reason: string, message: string]>> = {
  404: ['NotFound', 'the server could not find the requested resource'],
  405: ['MethodNotAllowed', 'the server does not allow this method on the requested resource'],
  429: ['TooManyRequests', 'the server has received too many requests and has asked us to try again later'],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
  504: ['Timeout', 'the server was unable to return a response in the time allotted, but may still be processing the request'],
};

/** Reason and message of an answer that is no Status, by its code and what it says. */
export function genericAnswer(code: number, text = ''): readonly [reason: string, message: string] {
  const known = GENERIC[code];
  if (known) return known;
  if (code >= 500)
    return ['InternalError', `an error on the server (${JSON.stringify(text.trim())}) has prevented the request from succeeding`];
  return ['Unknown', `the server responded with the status code ${code} but did not return more information`];
}

/** The error that an answer stands for: its Status, or what client-go makes of an answer without one. client-go rest newUnstructuredResponseError */
export function responseError({ code, body, text, headers }: ApiResponse, info: RequestInfo): ApiStatusError {
  if (isStatus(body)) return new ApiStatusError(body);
  const [reason, message] = genericAnswer(code, text);
  const what = [METHODS[info.verb] ?? 'get', groupResource(info), info.name].filter(Boolean).join(' ');
  const { group, resource, name } = info;
  const retryAfterSeconds = retryAfterOf(headers);
  const details = {
    ...(name ? { name } : {}),
    ...(group ? { group } : {}),
    kind: resource,
    ...(text === undefined ? {} : { causes: [{ reason: 'UnexpectedServerResponse', message: text.trim() }] }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
  return new ApiStatusError({ message: info.resource ? `${message} (${what})` : message, reason, details, code });
}

/** What the header Retry-After says, in seconds. */
export function retryAfterOf(headers: ApiResponse['headers']): number | undefined {
  const value = headers?.['Retry-After'];
  return value === undefined ? undefined : Number(value);
}

function isStatus(body: unknown): body is Status {
  return typeof body === 'object' && body !== null && (body as Partial<Status>).kind === 'Status';
}
