import type { ServerResponse } from 'node:http';
import type { Load } from '../cluster/load.ts';
import type { DoorParts, HttpResponse } from './http-door.ts';
import type { HttpRequest } from './http-input.ts';

const PATH = /^\/bottleship\/load(?:\?|$)/;

/**
 * Loads on Services, for the administrator; not a part of Kubernetes' API. `POST /bottleship/load?service=web&requestsPerSecond=200` sets the rate (also `namespace`,
 * `port`, `node`), 0 ends it. Undefined for other paths.
 */
export function serveLoad(
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
    return { code: 403, body: { message: 'loads are for administrators' } };
  const load = loadOf(new URL(request.url ?? '', 'http://localhost').searchParams);
  if (request.method !== 'POST' || !load)
    return {
      code: 400,
      body: { message: 'a load is set with POST ?service=web&requestsPerSecond=200, and ends with requestsPerSecond=0' },
    };
  await pump.enter(() => cluster.load(load));
  return { code: 200, body: load };
}

function loadOf(parameters: URLSearchParams): Load | undefined {
  const [service, rate, port] = ['service', 'requestsPerSecond', 'port'].map((name) => parameters.get(name));
  const requestsPerSecond = Number(rate ?? Number.NaN);
  if (!service || !(requestsPerSecond >= 0) || (port && !/^\d+$/.test(port))) return undefined;
  const [namespace, node] = [parameters.get('namespace'), parameters.get('node')];
  return {
    service,
    requestsPerSecond,
    ...(port ? { port: Number(port) } : {}),
    ...(namespace ? { namespace } : {}),
    ...(node ? { node } : {}),
  };
}
