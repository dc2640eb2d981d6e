import { formatMicroTime, parseDuration } from '../api/time.ts';
import { BoundExceeded } from '../sim/bound-exceeded.ts';
import type { DoorParts } from './http-door.ts';
import type { OwnAnswer } from './own-door.ts';

/**
 * The clock of the cluster: `GET /bottleship/clock` tells the time, `POST ?advance=30s` moves it on, `POST ?settle` runs until nothing is left to do (at most an hour, or
 * `settle=10m`).
 */
export async function answerClock(
  { cluster, pump }: Pick<DoorParts, 'cluster' | 'pump'>,
  { method, parameters }: { readonly method: string; readonly parameters: URLSearchParams },
): Promise<OwnAnswer> {
  const { simulation } = cluster;
  const [advance, settle] = [parameters.get('advance'), parameters.get('settle')];
  const asked = advance ?? (settle || '1h');
  const ms = parseDuration(asked);
  if (ms === undefined) return { code: 400, body: { message: `a time is written as 30s, 1m30s or 500ms, not "${asked}"` } };
  try {
    if (method === 'POST' && advance !== null) await pump.advance(ms);
    else if (method === 'POST' && settle !== null) await pump.advance(ms, () => simulation.settled);
  } catch (error) {
    if (error instanceof BoundExceeded) return { code: 409, body: { message: error.message } };
    throw error;
  }
  return { code: 200, body: { virtualMs: simulation.now, time: formatMicroTime(simulation.wallTime), settled: simulation.settled } };
}
