import type { Load } from '../cluster/load.ts';
import type { DoorParts } from './http-door.ts';
import type { OwnAnswer } from './own-door.ts';

/**
 * Loads on Services: `POST /bottleship/load?service=web&requestsPerSecond=200` sets the rate (also `namespace`, `port`, `node`, `host`), 0 ends it.
 */
export async function answerLoad(
  { cluster, pump }: Pick<DoorParts, 'cluster' | 'pump'>,
  { method, parameters }: { readonly method: string; readonly parameters: URLSearchParams },
): Promise<OwnAnswer> {
  const load = loadOf(parameters);
  if (method !== 'POST' || !load) {
    const message = 'a load is set with POST ?service=web&requestsPerSecond=200, and ends with requestsPerSecond=0';
    return { code: 400, body: { message } };
  }
  await pump.enter(() => cluster.load(load));
  return { code: 200, body: load };
}

function loadOf(parameters: URLSearchParams): Load | undefined {
  const [service, rate, port] = ['service', 'requestsPerSecond', 'port'].map((name) => parameters.get(name));
  const requestsPerSecond = Number(rate ?? Number.NaN);
  if (!service || !(requestsPerSecond >= 0) || (port && !/^\d+$/.test(port))) return undefined;
  const [namespace, node, host] = ['namespace', 'node', 'host'].map((name) => parameters.get(name));
  return {
    service,
    requestsPerSecond,
    ...(port ? { port: Number(port) } : {}),
    ...(namespace ? { namespace } : {}),
    ...(node ? { node } : {}),
    ...(host ? { host } : {}),
  };
}
