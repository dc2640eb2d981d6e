import type { OutboundAnswer } from '../../../../src/api/outbound.ts';

/** What client-go says of an answer by its code, where the answer is no Status. apimachinery pkg/api/errors.NewGenericServerResponse */
const BY_CODE: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  403: 'forbidden',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  406: 'unknown',
  409: 'the server reported a conflict',
  413: 'Request entity too large: ',
  415: 'unknown',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

const LAST_SUCCESS = 206;

/** The error that an answer is to a client; undefined for a success. client-go rest.Request.transformResponse */
export function responseError({ status, body }: OutboundAnswer): string | undefined {
  if (status >= 200 && status <= LAST_SUCCESS) return undefined;
  const told = statusMessage(body);
  if (told !== undefined) return told;
  const known = BY_CODE[status];
  if (known !== undefined) return known;
  return status >= 500
    ? `an error on the server (${JSON.stringify(body || 'unknown')}) has prevented the request from succeeding`
    : `the server responded with the status code ${status} but did not return more information`;
}

function statusMessage(body: string): string | undefined {
  try {
    const { kind, message } = JSON.parse(body) as { kind?: string; message?: string };
    return kind === 'Status' ? (message ?? '') : undefined;
  } catch {
    return undefined;
  }
}
