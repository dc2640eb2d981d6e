import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { UserInfo } from '../api/request.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { ActorUnavailable } from '../sim/actor-unavailable.ts';
import { compressed } from './gzip.ts';
import { type HttpRequest, httpInputOf } from './http-input.ts';
import { serveOwn } from './own-door.ts';
import type { Pump } from './pump.ts';

export type HttpResponse = ServerResponse | Http2ServerResponse;

/** What the doors of one server have in common. */
export interface DoorParts {
  readonly cluster: Cluster;
  readonly pump: Pump;
  /** Who sends a request: undefined for the administrator, null for somebody unknown. */
  readonly userOf: (request: HttpRequest) => UserInfo | null | undefined;
}

/** Hands a request to kube-apiserver at its virtual moment, and streams the answer back. A sender that goes away ends what streams to it. */
export async function serveRequest(
  parts: DoorParts,
  { request, response }: { request: HttpRequest; response: HttpResponse },
): Promise<void> {
  const own = serveOwn(parts, { request, response });
  if (own) return own;
  const { cluster, pump } = parts;
  const input = await httpInputOf(request, parts.userOf(request)).catch(() => undefined);
  // It went away while it was sending.
  if (!input) return;
  let call = 0;
  let read = false;
  response.on('close', () => {
    if (!read && call) void pump.enter(() => cluster.closeHttp(call));
  });
  try {
    const answer = await pump.ask(() => {
      const opened = cluster.openHttp(input);
      call = opened.call;
      return opened.response;
    });
    await send(await compressed(answer, request.headers['accept-encoding']), response);
    read = !response.destroyed;
    if (read) cluster.finishHttp(call);
  } catch (error) {
    if (!(error instanceof ActorUnavailable)) throw error;
    // kube-apiserver is down: what it does not answer is a connection that breaks.
    request.socket?.destroy();
  }
}

async function send(answer: Response, response: ServerResponse | Http2ServerResponse): Promise<void> {
  const res = response as ServerResponse;
  res.writeHead(answer.status, headersOf(answer.headers));
  if (!answer.body) {
    res.end();
    return;
  }
  res.flushHeaders?.();
  const reader = answer.body.getReader();
  response.on('close', () => void reader.cancel().catch(() => {}));
  for (;;) {
    const { done, value } = await reader.read();
    if (done || response.destroyed) break;
    if (!res.write(value)) await drained(response);
  }
  res.end();
}

function headersOf(headers: Headers): Record<string, string | string[]> {
  const out: Record<string, string | string[]> = {};
  headers.forEach((value, name) => {
    out[name] = value;
  });
  const warnings = headers.get('warning')?.split(/, (?=299 )/);
  if (warnings) out['warning'] = warnings;
  return out;
}

function drained(response: HttpResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once('drain', resolve);
    response.once('close', resolve);
  });
}
