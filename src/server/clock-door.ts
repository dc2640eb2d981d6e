import type { ServerResponse } from 'node:http';
import { formatMicroTime, parseDuration } from '../api/time.ts';
import { BoundExceeded } from '../sim/bound-exceeded.ts';
import type { DoorParts, HttpResponse } from './http-door.ts';
import type { HttpRequest } from './http-input.ts';

const PATH = /^\/bottleship\/clock(?:\?|$)/;

/**
 * The clock of the cluster, for the administrator; not a part of Kubernetes' API. `GET /bottleship/clock` tells the time, `POST ?advance=30s` moves it on,
 * `POST ?settle` runs until nothing is left to do (at most an hour, or `settle=10m`). Undefined for other paths.
 */
export function serveClock(
  parts: DoorParts,
  { request, response }: { request: HttpRequest; response: HttpResponse },
): Promise<void> | undefined {
  if (!PATH.test(request.url ?? '')) return undefined;
  return answer(parts, request).then(({ code, body }) => {
    const res = response as ServerResponse;
    res.writeHead(code, { 'content-type': 'application/json' });
    res.end(`${JSON.stringify(body)}\n`);
  });
}

async function answer({ cluster, pump, userOf }: DoorParts, request: HttpRequest): Promise<{ code: number; body: object }> {
  const user = userOf(request);
  if (user === null || (user && !user.groups.includes('system:masters')))
    return { code: 403, body: { message: 'the clock is for administrators' } };
  const { simulation } = cluster;
  const parameters = new URL(request.url ?? '', 'http://localhost').searchParams;
  const [advance, settle] = [parameters.get('advance'), parameters.get('settle')];
  const asked = advance ?? (settle || '1h');
  const ms = parseDuration(asked);
  if (ms === undefined) return { code: 400, body: { message: `a time is written as 30s, 1m30s or 500ms, not "${asked}"` } };
  try {
    if (request.method === 'POST' && advance !== null) await pump.advance(ms);
    else if (request.method === 'POST' && settle !== null) await pump.advance(ms, () => simulation.settled);
  } catch (error) {
    if (error instanceof BoundExceeded) return { code: 409, body: { message: error.message } };
    throw error;
  }
  return { code: 200, body: { virtualMs: simulation.now, time: formatMicroTime(simulation.wallTime), settled: simulation.settled } };
}
