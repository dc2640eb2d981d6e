import type { ServerResponse } from 'node:http';
import { answerClock } from './clock-door.ts';
import type { DoorParts, HttpResponse } from './http-door.ts';
import type { HttpRequest } from './http-input.ts';
import { answerLoad } from './load-door.ts';

/** What is answered, as JSON. */
export interface OwnAnswer {
  readonly code: number;
  readonly body: object;
}

type Answer = (parts: DoorParts, request: { readonly method: string; readonly parameters: URLSearchParams }) => Promise<OwnAnswer>;

/** Paths below `/bottleship/`, which are no part of Kubernetes' API. */
const PATHS: Readonly<Record<string, Answer>> = { clock: answerClock, load: answerLoad };

/** Time and loads, for administrators. Undefined for paths of Kubernetes. */
export function serveOwn(
  parts: DoorParts,
  { request, response }: { request: HttpRequest; response: HttpResponse },
): Promise<void> | undefined {
  const url = new URL(request.url ?? '', 'http://localhost');
  const answer = PATHS[/^\/bottleship\/(\w+)$/.exec(url.pathname)?.[1] ?? ''];
  if (!answer) return undefined;
  const user = parts.userOf(request);
  const isAllowed = user !== null && (!user || user.groups.includes('system:masters'));
  const answered = isAllowed
    ? answer(parts, { method: request.method ?? '', parameters: url.searchParams })
    : Promise.resolve({ code: 403, body: { message: `${url.pathname} is for administrators` } });
  return answered.then(({ code, body }) => {
    const res = response as ServerResponse;
    res.writeHead(code, { 'content-type': 'application/json' });
    res.end(`${JSON.stringify(body)}\n`);
  });
}
